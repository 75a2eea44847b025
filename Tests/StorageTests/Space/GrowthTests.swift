import TestSupport
import Testing

@testable import Storage

/// How much larger files of pages are than what is in them.
@Suite struct GrowthTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("data.realm") }

  private func addRows(_ count: Int, _ snapshot: Snapshot) throws {
    try Writer(snapshot).begin()
    if snapshot.catalogue.tables.isEmpty {
      Writer(snapshot).setCatalogue(
        Catalogue(tables: [
          TableDescription(
            name: "Dog", columns: [Column(name: "name", type: .string), Column(name: "age", type: .int)])
        ]))
    }
    let table = snapshot.table(0)
    for _ in 0..<count {
      let row = table.insertRow()
      table.setString(0, row, "dog number \(row &* 7919)")
      table.setInteger(1, row, Int64(row % 17))
    }
    try Writer(snapshot).commit()
  }

  /// Returns whether it was compacted, and its size before.
  private func openAndWrite(
    rows: Int, commits: Int
  ) throws -> (isCompacted: Bool, total: Int, used: Int) {
    var size = (total: 0, used: 0)
    let compaction = Compaction { total, used in
      size = (total, used)
      return total > 2 * used
    }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path, compaction: compaction))
    for _ in 0..<commits { try addRows(rows, snapshot) }
    let isDone = if case .done = compaction.outcome { true } else { false }
    return (isDone, size.total, size.used)
  }

  /// A compacted file, to which each program that opens it adds a little, is not compacted again.
  @Test(arguments: [1, 30, 100, 1000, 10_000], [1, 3, 50])
  func aFileIsCompactedOnce(rows: Int, commits: Int) throws {
    try addRows(rows, Snapshot(file: DatabaseFile.open(path: path)))
    #expect(try DatabaseFile.compact(path: path))
    let compact = try openAndWrite(rows: 0, commits: 0)
    #expect(compact.total <= compact.used + EntryStore.pageSize)
    for round in 0..<6 {
      let found = try openAndWrite(rows: 1, commits: commits)
      #expect(!found.isCompacted, "round \(round): \(found)")
    }
  }
}
