import Foundation
import Testing

@testable import Storage

/// Tables and columns are numbered in 16 and 15 bits.
@Suite struct CatalogueLimitTests {
  private func expectRefusal(_ catalogue: Catalogue, _ text: String) throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    let snapshot = try Snapshot(file: file)
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(catalogue)
    let error = #expect(throws: StorageError.self) { try Writer(snapshot).commit(durability: .relaxed) }
    #expect(error?.message.contains(text) == true)
    // As it was.
    #expect(snapshot.catalogue.tables.isEmpty)
    try CommitSignalTests.commit(file)
  }

  @Test func tooManyTables() throws {
    let tables = (0...65_536).map { TableDescription(name: "T\($0)") }
    try expectRefusal(Catalogue(tables: tables), "cannot have more than 65536 classes")
  }

  @Test func tooManyColumns() throws {
    let columns = (0...IndexNumber.columnLimit).map { Column(name: "c\($0)", type: .int) }
    try expectRefusal(
      Catalogue(tables: [TableDescription(name: "Wide", columns: columns)]),
      "Class 'Wide' in the Realm file at path")
  }

  /// The last column of the last table still has indexes of its own, and those over several columns have theirs.
  @Test func theLastOnes() {
    let table = IndexNumber.tableLimit - 1
    let column = IndexNumber.columnLimit - 1
    let numbers = [0, IndexNumber.compoundLimit - 1].map { number in
      IndexNumber.compound(table: table, CompoundIndex(number: number, kind: .plain, columns: [0, 1]))
    }
    #expect(numbers[1] == UInt32.max - 1 && IndexNumber.isCompound(numbers[0]))
    #expect(IndexNumber.backlinks(table: table, column: column) < numbers[0])
    #expect(!IndexNumber.isCompound(IndexNumber.backlinks(table: table, column: column)))
    #expect(
      IndexNumber.backlinks(table: table - 1, column: column) < IndexNumber.values(table: table, column: 0))
  }
}
