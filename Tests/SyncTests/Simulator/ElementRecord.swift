/// What the transactions of the files have inserted into lists and removed from them, as texts of which each is inserted once.
///
/// A power cut takes transactions back, and with them what they have inserted.
struct ElementRecord {
  /// The texts of one transaction.
  struct Write {
    var inserted: Set<String> = []
    var removed: Set<String> = []
    /// Those that were put in another place, or of which another part was written.
    var changed: Set<String> = []
  }

  private var writes = FileWrites<Write>()
  /// What the SQL program has inserted.
  private var foreign: Set<String> = []
  /// What waited to be sent when a file was copied. What one of the files moves, writes or removes before it sends it, the other
  /// one does not recognise.
  private var waitingInCopies: Set<String> = []

  /// Takes note of the transaction that has made the newest version of a file.
  mutating func note(_ write: Write, in file: SimulatedFile) { writes.note(write, in: file) }

  /// Takes note of what the SQL program has inserted.
  mutating func noteForeign(_ texts: Set<String>) { foreign.formUnion(texts) }

  /// Forgets what a file has lost.
  mutating func forget(_ file: SimulatedFile, after version: UInt64) { writes.forget(file, after: version) }

  /// Takes note that a copy of a file has been made.
  mutating func noteCopy(_ copy: SimulatedFile, of original: SimulatedFile) {
    writes.noteCopy(copy, of: original)
    noteWaiting(in: copy)
  }

  /// Takes note that a backup has replaced a file.
  mutating func noteRestore(_ file: SimulatedFile, to version: UInt64, sent: UInt64) {
    writes.noteRestore(file, to: version, sent: sent)
    noteWaiting(in: file)
  }

  private mutating func noteWaiting(in copy: SimulatedFile) {
    // What waits of a class that is left out is not told apart.
    let state = copy.client.state
    let isLeftOut = !state.lateClasses.isEmpty || !state.leftClasses.isEmpty
    for write in writes.all where write.file == copy.number && !write.isOnServer {
      if isLeftOut || write.version > state.acknowledged { waitingInCopies.formUnion(write.content.inserted) }
    }
  }

  /// Verifies that what was inserted and never removed is there.
  ///
  /// - Parameter there: The texts of all lists in which no element ends with its owner.
  func checkLost(_ there: [String], _ simulation: Simulation) throws {
    let inserted = writes.all.reduce(into: foreign) { $0.formUnion($1.content.inserted) }
    let lost = inserted.subtracting(removed).subtracting(there)
    if !lost.isEmpty { throw simulation.fail("inserted, never removed, and not there: \(lost)") }
  }

  /// Verifies also that it is there once, and that what was removed is not there.
  func check(_ there: [String], _ simulation: Simulation) throws {
    try checkLost(there, simulation)
    let changed = writes.all.reduce(into: removed) { $0.formUnion($1.content.changed) }
    let unrecognised = waitingInCopies.intersection(changed)
    let back = removed.intersection(there).subtracting(unrecognised)
    if !back.isEmpty { throw simulation.fail("removed, and there again: \(back)") }
    let counts = Dictionary(grouping: there) { $0 }.filter { $0.value.count > 1 }
    let doubled = Set(counts.keys).subtracting(unrecognised)
    if !doubled.isEmpty { throw simulation.fail("texts are there twice: \(doubled)") }
  }

  private var removed: Set<String> { writes.all.reduce(into: []) { $0.formUnion($1.content.removed) } }
}
