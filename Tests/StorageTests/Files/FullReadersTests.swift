import Pages
import Testing

@testable import Storage

/// As many versions are held as there is room for.
@Suite struct FullReadersTests {
  @Test(arguments: [Durability.full, .deferred, .relaxed])
  func aCommitThatThrowsMakesNoVersion(durability: Durability) throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let file = try DatabaseFile.open(path: path)
    let snapshot = try Snapshot(file: file)
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(
      Catalogue(tables: [TableDescription(name: "Note", columns: [Column(name: "number", type: .int)])]))
    try Writer(snapshot).commit()
    let version = file.newestVersion
    var others: [PageVersion] = []
    defer { for other in others { other.release() } }
    try Writer(snapshot).begin()
    _ = snapshot.table(0).insertRow()
    while let other = try? PageVersion(file.entries.store!) { others.append(other) }
    #expect(throws: StorageError.self) { try Writer(snapshot).commit(durability: durability) }
    #expect(file.newestVersion == version)
    #expect(snapshot.liveCount(table: 0) == 0)
    others.removeLast().release()
    try Writer(snapshot).begin()
    _ = snapshot.table(0).insertRow()
    try Writer(snapshot).commit(durability: durability)
    #expect(file.newestVersion == version + 1)
    #expect(snapshot.liveCount(table: 0) == 1)
  }
}
