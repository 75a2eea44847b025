import Storage

/// The bases of the counters of a file: the server's values, as the file has them.
///
/// The difference of value and base is what the server does not have yet. It is computed when it is needed, so that a user's
/// transaction writes nothing but the value. The bases of 128 rows are one entry of the session, which is written in the same
/// transaction as the values: neither can be in the file without the other. A base that is missing is 0.
final class CounterBases {
  /// The number of rows in one entry.
  private static let rowsPerEntry = 128

  private let snapshot: Snapshot
  private var entries: [SessionKey: [Int64]] = [:]
  private var changed: Set<SessionKey> = []
  private var failure: StorageError?

  /// - Parameter snapshot: The version of the file whose bases are read. The bases are of use until it moves.
  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// The base of a counter of a row. An entry that cannot be read counts as 0, and makes `check` and `store` throw.
  subscript(table: Int, slot: Int, row: Int) -> Int64 {
    get { entry(Self.key(table, slot, row))[row % Self.rowsPerEntry] }
    set {
      let key = Self.key(table, slot, row)
      if entry(key)[row % Self.rowsPerEntry] == newValue { return }
      entries[key]![row % Self.rowsPerEntry] = newValue
      changed.insert(key)
    }
  }

  private static func key(_ table: Int, _ slot: Int, _ row: Int) -> SessionKey {
    SessionKey(.counterBases, table: table, column: slot, row: row / rowsPerEntry)
  }

  private func entry(_ key: SessionKey) -> [Int64] {
    if let known = entries[key] { return known }
    var bases = [Int64](repeating: 0, count: Self.rowsPerEntry)
    do throws(StorageError) {
      if let bytes = try snapshot.session(key) {
        var reader = StateReader(bytes)
        for index in bases.indices {
          guard let base = reader.readInteger() else { break }
          bases[index] = base
        }
      }
    } catch {
      failure = failure ?? error
    }
    entries[key] = bases
    return bases
  }

  /// Throws when an entry could not be read.
  func check() throws(StorageError) {
    if let failure { throw failure }
  }

  /// Writes the changed bases. Those of deleted rows are left out.
  func store(in transaction: WriteTransaction) throws(StorageError) {
    try check()
    for key in changed {
      var bases = entries[key]!
      for (index, base) in bases.enumerated() where base != 0 {
        if !snapshot.isAlive(table: key.table, row: key.row * Self.rowsPerEntry + index) { bases[index] = 0 }
      }
      while bases.last == 0 { bases.removeLast() }
      var writer = StateWriter()
      for base in bases { writer.append(base) }
      transaction.setSession(key, bases.isEmpty ? nil : writer.bytes)
    }
    changed = []
  }
}

extension SessionKey.Kind {
  /// Bases of counters: see `CounterBases`.
  static let counterBases = Self(rawValue: 18)
  /// What pushes add to counters: see `CounterAmounts`.
  static let counterAmounts = Self(rawValue: 19)
}
