import Foundation
import TestSupport
import Testing

@testable import Storage

/// Random transactions on a synced file: what the change log says of elements of collections and of severed links is what they
/// did, however they were committed.
@Suite struct SyncedElementsTests {
  @Test(arguments: TestLength.seeds([1, 2, 3, 4, 5, 6], short: 3))
  func theLogTellsWritesFromSeveredLinks(seed: UInt64) throws {
    var run = try ElementsRun(seed: seed)
    defer { TemporaryFile.delete(run.path) }
    for _ in 0..<TestLength.count(120, long: 1_500) { try run.transaction() }
    try run.check()
    #expect(run.counts.severed > 20 && run.counts.touched > 20 && run.counts.groups > 3)
    #expect(try FileVerification(path: run.path).faults == [])
  }

  /// What a user wrote counts as written, before or after the target was deleted.
  @Test func aLinkThatWasWrittenIsNotSevered() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try ElementsModel.file(path, people: 4, dogs: 3)
    let people = snapshot.table(0)
    try snapshot.write { _ in
      for row in 0..<4 { people.setLink(2, row, 0) }
    }
    let version = snapshot.version
    try snapshot.write { _ in
      people.setLink(2, 0, 1)
      people.setLink(2, 0, 0)
      snapshot.table(1).deleteRow(0)
      people.setLink(2, 1, nil)
      people.setLink(2, 2, 1)
    }
    let change = try #require(try snapshot.syncEntries(after: version).first?.tables.first)
    #expect(change.written == [2: IndexRanges(0..<3)] && change.severed == [2: IndexRanges(3..<4)])
    // A copy of the open transaction says the same, and so does the transaction afterwards.
    let copied = snapshot.version
    let copy = TemporaryFile.path()
    defer { TemporaryFile.delete(copy) }
    try Writer(snapshot).begin()
    snapshot.table(1).deleteRow(1)
    try snapshot.writeCopy(to: copy)
    try Writer(snapshot).commit()
    let other = try Snapshot(file: DatabaseFile.open(path: copy))
    for file in [snapshot, other] {
      let change = try #require(try file.syncEntries(after: copied).first?.tables.first)
      #expect(change.written == [:] && change.severed == [2: IndexRanges(2..<3)])
    }
  }

  /// An embedded object is a part of its parent.
  @Test func deletingAnEmbeddedObjectWritesItsParent() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    var key = Column(name: "id", type: .int)
    (key.isPrimaryKey, key.isIndexed) = (true, true)
    let parent = TableDescription(
      name: "EmbeddedParent",
      columns: [
        key, Column(name: "one", type: .link, isNullable: true, target: 1),
        Column(name: "all", type: .link, collection: .list, target: 1),
        Column(name: "named", type: .link, collection: .map, isNullable: true, target: 1),
      ])
    let child = TableDescription(
      name: "EmbeddedChild", isEmbedded: true, columns: [Column(name: "number", type: .int)])
    try snapshot.write {
      Writer($0).setCatalogue(Catalogue(schemaVersion: 1, tables: [parent, child]))
      Writer($0).markSynced()
      let row = $0.table(0).insertRow()
      $0.table(0).setInteger(0, row, 1)
      let children = (0..<3).map { _ in snapshot.table(1).insertRow() }
      $0.table(0).setLink(1, row, children[0])
      $0.table(0).appendElement(2, row, .link(table: 1, row: children[1]))
      $0.table(0).setMapValue(3, row, key: "k", .link(table: 1, row: children[2]))
    }
    let version = snapshot.version
    try snapshot.write {
      for child in 0..<3 { $0.table(1).deleteRow(child) }
    }
    let change = try #require(try snapshot.syncEntries(after: version).first?.tables.first { $0.table == 0 })
    #expect(change.severed.isEmpty && change.written[1] == IndexRanges(0..<1))
    #expect(change.lists[2]?[0]?.isWritten == true && change.touched[3] == [0: [ExactValue(.string("k"))]])
  }

  @Test func damagedElementsAreFound() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try ElementsModel.file(path, people: 1, dogs: 1)
    try snapshot.write { _ in snapshot.table(0).insertIntoSet(7, 0, .int(1)) }
    try Writer(snapshot).begin()
    snapshot.table(0).insertIntoSet(7, 0, .int(2))
    snapshot.table(0).setMapValue(10, 0, key: "k", .int(1))
    let bytes = LoggedElements.bytes(try #require(snapshot.writing), snapshot)
    Writer(snapshot).cancel()
    func read(_ bytes: some Collection<UInt8>) -> (LoggedElements, Bool) {
      Array(bytes).withUnsafeBytes {
        var (elements, reader) = (LoggedElements(), ByteReader($0))
        let isRead = elements.read(&reader) && reader.isAtEnd
        return (elements, isRead)
      }
    }
    let whole = read(bytes)
    #expect(whole.1 && whole.0.collections.count == 2 && snapshot.isSound(read(bytes).0))
    for count in 0..<bytes.count { #expect(!read(bytes.prefix(count)).1) }
    var (foreign, reader) = (LoggedElements(), [0, 1, 7, 1, 0, 0, 0, 0, 0] as [UInt8])
    #expect(
      reader.withUnsafeMutableBytes { bytes in
        var reader = ByteReader(UnsafeRawBufferPointer(bytes))
        return foreign.read(&reader)
      })
    #expect(!snapshot.isSound(foreign))
  }
}

/// The classes of the tests.
enum ElementsModel {
  static let lists = 4...6
  static let sets = 7...9
  static let maps = 10...12

  static let catalogue: Catalogue = {
    var key = Column(name: "id", type: .int)
    (key.isPrimaryKey, key.isIndexed) = (true, true)
    var columns = [
      key, Column(name: "name", type: .string, isNullable: true),
      Column(name: "dog", type: .link, isNullable: true, target: 1),
      Column(name: "any", type: .mixed, isNullable: true),
    ]
    for (name, collection) in [("list", CollectionType.list), ("set", .set), ("map", .map)] {
      let isMap = collection == .map
      columns += [
        Column(name: name + "Int", type: .int, collection: collection),
        Column(name: name + "Link", type: .link, collection: collection, isNullable: isMap, target: 1),
        Column(name: name + "Any", type: .mixed, collection: collection, isNullable: true),
      ]
    }
    return Catalogue(
      schemaVersion: 1,
      tables: [
        TableDescription(name: "ElementsPerson", columns: columns),
        TableDescription(name: "ElementsDog", columns: [key]),
      ])
  }()

  static func file(_ path: String, people: Int, dogs: Int) throws -> Snapshot {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try snapshot.write {
      Writer($0).setCatalogue(catalogue)
      Writer($0).markSynced()
      for (table, count) in [(0, people), (1, dogs)] {
        for key in 0..<count { insert($0, table, key) }
      }
    }
    return snapshot
  }

  @discardableResult
  static func insert(_ snapshot: Snapshot, _ table: Int, _ key: Int) -> Int {
    let row = snapshot.table(table).insertRow()
    snapshot.table(table).setInteger(0, row, Int64(key))
    if table == 0 {
      for column in 1...3 { snapshot.table(0).setValue(column, row, .null) }
    }
    return row
  }
}
