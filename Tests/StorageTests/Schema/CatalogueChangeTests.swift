import Foundation
import Testing

@testable import Storage

/// Columns and tables that come and go, also in transactions that are cancelled.
@Suite struct CatalogueChangeTests {
  private static func column(_ name: String, isRemoved: Bool = false) -> Column {
    Column(name: name, type: .double, isRemoved: isRemoved)
  }

  private func create(_ path: String, _ tables: [TableDescription]) throws -> Snapshot {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Catalogue(tables: tables))
    try Writer(snapshot).commit(durability: .relaxed)
    return snapshot
  }

  /// Nobody could read the file afterwards.
  @Test func aCatalogueThatContradictsItselfIsNotCommitted() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let thing = TableDescription(name: "Thing", columns: [Self.column("a")])
    let key = Column(name: "k", type: .int, isPrimaryKey: true)
    let otherKey = Column(name: "l", type: .int, isPrimaryKey: true)
    let snapshot = try create(path, [thing])
    for wrong in [
      TableDescription(name: "Thing", columns: [Self.column("a")]),
      TableDescription(name: "Other", columns: [Self.column("b"), Self.column("b")]),
      TableDescription(name: "Other", columns: [key, otherKey]),
    ] {
      try Writer(snapshot).begin()
      Writer(snapshot).setCatalogue(Catalogue(tables: [thing, wrong]))
      #expect(throws: StorageError.self) { try Writer(snapshot).commit(durability: .relaxed) }
      #expect(snapshot.catalogue.tables == [thing])
    }
    try Writer(snapshot).begin()
    #expect(snapshot.table(0).insertRow() == 0)
    try Writer(snapshot).commit(durability: .relaxed)
  }

  @Test func aCancelledColumnLeavesTheSnapshotUsable() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try create(path, [TableDescription(name: "Thing", columns: [Self.column("a")])])
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(
      Catalogue(tables: [
        TableDescription(name: "Thing", columns: ["a", "b", "c"].map { Self.column($0) }),
        TableDescription(name: "Other", columns: [Self.column("d")]),
      ]))
    snapshot.table(0).setDouble(2, snapshot.table(0).insertRow(), 3)
    snapshot.table(1).setDouble(0, snapshot.table(1).insertRow(), 4)
    Writer(snapshot).cancel()
    #expect(snapshot.table(0).state.pointee.columnCount == 1)

    try Writer(snapshot).begin()
    let row = snapshot.table(0).insertRow()
    snapshot.table(0).setDouble(0, row, 5)
    try Writer(snapshot).commit(durability: .relaxed)
    #expect(snapshot.table(0).double(0, row) == 5)
    try Writer(snapshot).begin()
    var catalogue = snapshot.catalogue
    catalogue.tables[0].columns.append(Self.column("e"))
    Writer(snapshot).setCatalogue(catalogue)
    #expect(snapshot.table(0).double(1, row) == 0)
    snapshot.table(0).setDouble(1, row, 6)
    try Writer(snapshot).commit(durability: .relaxed)
    #expect(snapshot.table(0).double(1, row) == 6)
  }

  private func entries(_ snapshot: Snapshot, table: Int, column: Int) -> Int {
    (0..<8).count { chunk in
      ColumnKey(table: table, column: column, chunk: chunk).withBytes {
        snapshot.lease.transaction.get(.columns, $0, ColumnKey.size) != nil
      }
    }
  }

  @Test func removedColumnsAreNotWrittenAgain() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try create(
      path,
      [
        TableDescription(
          name: "Parent",
          columns: [
            Self.column("a"), Column(name: "child", type: .link, isNullable: true, target: 1),
            Column(name: "children", type: .link, collection: .list, target: 1),
          ]),
        TableDescription(name: "Child", isEmbedded: true, columns: [Self.column("b")]),
      ])
    try Writer(snapshot).begin()
    let row = snapshot.table(0).insertRow()
    snapshot.table(0).setLink(1, row, snapshot.table(1).insertRow())
    for _ in 0..<3 { snapshot.table(0).appendLink(2, row, snapshot.table(1).insertRow()) }
    try Writer(snapshot).commit(durability: .relaxed)
    #expect((0..<3).map { entries(snapshot, table: 0, column: $0) } == [1, 1, 1])

    try Writer(snapshot).begin()
    for column in 0..<3 { Writer(snapshot).eraseColumn(table: 0, column: column) }
    var catalogue = snapshot.catalogue
    for column in 0..<3 { catalogue.tables[0].columns[column].isRemoved = true }
    catalogue.tables[0].columns.append(Self.column("kept"))
    Writer(snapshot).setCatalogue(catalogue)
    try Writer(snapshot).commit(durability: .relaxed)
    #expect(snapshot.liveCount(table: 1) == 0)
    #expect((0..<3).map { entries(snapshot, table: 0, column: $0) } == [0, 0, 0])
    #expect(try snapshot.entryCount(.collections) == 0)
    #expect(try snapshot.entryCount(.indexes) == 0)

    try Writer(snapshot).begin()
    for _ in 0..<2000 { snapshot.table(0).setDouble(3, snapshot.table(0).insertRow(), 1) }
    try Writer(snapshot).commit(durability: .relaxed)
    #expect((0..<4).map { entries(snapshot, table: 0, column: $0) } == [0, 0, 0, 3])
    #expect(snapshot.table(0).double(3, 2000) == 1)
  }
}
