import TestSupport
import Testing

@testable import Storage

/// Embedded rows that are in each other, which only a damaged file has: looking for what they are in has to end.
@Suite struct EmbeddedCircleTests {
  @Test(arguments: [1, 2, 3, 5, 8]) func ownersInACircle(length: Int) throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    var owned = Column(name: "owned", type: .link, isNullable: true, target: 0)
    owned.linkRule = .cascadeUnlessShared
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(
      Catalogue(tables: [
        TableDescription(name: "Whole", columns: [owned]),
        TableDescription(
          name: "Part", isEmbedded: true,
          columns: [owned, Column(name: "inner", type: .link, isNullable: true, target: 1)]),
      ]))
    let (wholes, parts) = (snapshot.table(0), snapshot.table(1))
    let (owner, whole) = (wholes.insertRow(), wholes.insertRow())
    wholes.setLink(0, owner, whole)
    // One after the other, and the last one in one of the first: the way leads into the circle, not only around it.
    for _ in 0..<length + 2 { _ = parts.insertRow() }
    for row in 0..<length + 1 { parts.setLink(1, row + 1, row) }
    parts.setLink(1, 2 % (length + 2), length + 1)
    parts.setLink(0, 0, whole)
    wholes.deleteRow(owner)
    // A part that is in nothing that is there is another one's.
    #expect(!wholes.isAlive(owner) && wholes.isAlive(whole))
    Writer(snapshot).cancel()
  }
}
