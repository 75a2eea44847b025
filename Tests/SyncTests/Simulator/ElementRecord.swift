/// What the transactions of the files have inserted into lists and removed from them, as texts of which each is inserted once.
///
/// A power cut takes transactions back, and with them what they have inserted.
struct ElementRecord {
  /// The texts of one transaction.
  struct Write {
    var inserted: Set<String> = []
    var removed: Set<String> = []
  }

  private var writes: [(file: Int, version: UInt64, write: Write)] = []
  /// What the SQL program has inserted.
  private var foreign: Set<String> = []

  /// Takes note of the transaction that has made the newest version of a file.
  mutating func note(_ write: Write, in file: SimulatedFile) {
    writes.append((file.number, file.writer.version, write))
  }

  /// Takes note of what the SQL program has inserted.
  mutating func noteForeign(_ texts: Set<String>) { foreign.formUnion(texts) }

  /// Forgets what a file has lost.
  mutating func forget(_ file: SimulatedFile, after version: UInt64) {
    writes.removeAll { $0.file == file.number && $0.version > version }
  }

  /// Verifies that what was inserted and never removed is there.
  ///
  /// - Parameter there: The texts of all lists in which no element ends with its owner.
  func checkLost(_ there: [String], _ simulation: Simulation) throws {
    let inserted = writes.reduce(into: foreign) { $0.formUnion($1.write.inserted) }
    let lost = inserted.subtracting(removed).subtracting(there)
    if !lost.isEmpty { throw simulation.fail("inserted, never removed, and not there: \(lost)") }
  }

  /// Verifies also that it is there once, and that what was removed is not there.
  func check(_ there: [String], _ simulation: Simulation) throws {
    try checkLost(there, simulation)
    let back = removed.intersection(there)
    if !back.isEmpty { throw simulation.fail("removed, and there again: \(back)") }
    if Set(there).count != there.count { throw simulation.fail("a text is there twice: \(there)") }
  }

  private var removed: Set<String> { writes.reduce(into: []) { $0.formUnion($1.write.removed) } }
}
