import Storage

/// The rows of one class of the file, hashed and put into groups as the server does it.
struct RowComparison {
  let seed = UInt64.random(in: 1 ... .max)
  /// The groups by their numbers.
  private(set) var groups: [AuditQuery.Group]
  private let localClass: LocalClass
  private let snapshot: Snapshot
  private let digest: RowDigest
  /// The hashes of the rows by their numbers; nil for a row that is not there, or that the server cannot store.
  private var hashes: [UInt64?]

  /// - Parameter links: The links that lead to objects which the file does not have.
  init(
    _ syncClass: SyncClass, _ localClass: LocalClass, _ snapshot: Snapshot, _ links: UnresolvedLinks
  ) {
    self.localClass = localClass
    self.snapshot = snapshot
    digest = RowDigest(syncClass, seed: seed)
    let count = AuditQuery.groupCount(rows: snapshot.liveCount(table: localClass.table))
    groups = .init(repeating: .init(), count: count)
    let table = snapshot.table(localClass.table)
    hashes = .init(repeating: nil, count: table.rowLimit)
    for row in 0..<table.rowLimit where table.isAlive(row) {
      let hash = digest.hash { index in
        index == 0
          ? table.value(localClass.keyColumn, row)
          : localClass.value(of: localClass.properties[index - 1], row: row, in: snapshot, links)
      }
      hashes[row] = hash
      if let hash { groups[Int(hash & UInt64(count - 1))].add(hash) }
    }
  }

  /// Returns the rows of some groups by their keys, and all rows that are in no group.
  func rows(of isChosen: [Bool]) -> [IndexKey: Int] {
    let table = snapshot.table(localClass.table)
    var rows: [IndexKey: Int] = [:]
    for row in hashes.indices where table.isAlive(row) {
      if let hash = hashes[row], !isChosen[Int(hash & UInt64(groups.count - 1))] { continue }
      rows[IndexKey(table.value(localClass.keyColumn, row))] = row
    }
    return rows
  }

  /// Whether a row of the file has the values of a row of the server, as far as the server can tell them apart.
  func isEqual(_ pulled: PulledRow, row: Int) -> Bool {
    guard let hash = hashes[row] else { return false }
    return digest.hash { $0 == 0 ? pulled.key : pulled.values[$0 - 1] } == hash
  }
}
