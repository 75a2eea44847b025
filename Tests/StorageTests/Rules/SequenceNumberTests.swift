import Foundation
import TestSupport
import Testing

@testable import Storage

/// The entry that says where sequences are.
@Suite struct SequenceNumberTests {
  private let path = TemporaryFile.path()
  private static let catalogue: Catalogue = {
    var id = Column(name: "id", type: .int, isPrimaryKey: true)
    id.isSequence = true
    return Catalogue(tables: ["A", "B"].map { TableDescription(name: $0, columns: [id]) })
  }()

  private func open() throws -> Snapshot {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    if !snapshot.hasCatalogue {
      try Writer(snapshot).begin()
      Writer(snapshot).setCatalogue(Self.catalogue)
      try Writer(snapshot).commit(durability: .relaxed)
    }
    return snapshot
  }

  private func stored(_ snapshot: Snapshot) throws -> [UInt8]? {
    try snapshot.source.value(.main, key: SequenceNumbers.key).map { Array($0) }
  }

  private func insert(_ table: Table) -> Int64? {
    let number = table.nextInSequence(0, limit: .max)
    table.setInteger(0, table.insertRow(), number ?? 0)
    return number
  }

  @Test func theEntry() throws {
    defer { TemporaryFile.delete(path) }
    let snapshot = try open()
    #expect(try stored(snapshot) == nil)
    try Writer(snapshot).begin()
    #expect(insert(snapshot.table(1)) == 1 && insert(snapshot.table(1)) == 2)
    try Writer(snapshot).commit(durability: .relaxed)
    let entry: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]
    #expect(try stored(snapshot) == entry)
    try Writer(snapshot).begin()
    #expect(insert(snapshot.table(0)) == 1)
    snapshot.table(1).raiseSequence(0, to: 2)
    Writer(snapshot).cancel()
    #expect(try stored(snapshot) == entry)
    // Staged transactions go on from each other.
    try Writer(snapshot).begin()
    #expect(insert(snapshot.table(1)) == 3)
    try Writer(snapshot).stage(durability: .relaxed)
    try Writer(snapshot).open()
    #expect(insert(snapshot.table(1)) == 4 && insert(snapshot.table(0)) == 1)
    try Writer(snapshot).commit(durability: .relaxed)
    let numbers = try #require(try stored(open())?.withUnsafeBytes { SequenceNumbers($0) })
    #expect(numbers.highest == [.init(table: 0, column: 0): 1, .init(table: 1, column: 0): 4])
  }

  @Test func theLimit() throws {
    defer { TemporaryFile.delete(path) }
    let snapshot = try open()
    try Writer(snapshot).begin()
    let table = snapshot.table(0)
    table.raiseSequence(0, to: .max - 1)
    #expect(table.nextInSequence(0, limit: .max) == .max)
    #expect(table.nextInSequence(0, limit: .max) == nil && table.nextInSequence(0, limit: 5) == nil)
    Writer(snapshot).cancel()
  }

  /// A damaged entry keeps what needs it from being committed.
  @Test func damage() throws {
    defer { TemporaryFile.delete(path) }
    do {
      let snapshot = try open()
      try Writer(snapshot).begin()
      _ = insert(snapshot.table(0))
      try Writer(snapshot).commit(durability: .full)
    }
    // A wrong length, under a sound checksum.
    let snapshot = try open()
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Self.catalogue)
    try Writer(snapshot).stage(durability: .relaxed)
    try snapshot.source.store(.main, key: SequenceNumbers.key, [1, 2, 3])
    try Writer(snapshot).commitStaged(durability: .relaxed)
    try Writer(snapshot).begin()
    _ = insert(snapshot.table(0))
    let error = #expect(throws: StorageError.self) { try Writer(snapshot).commit(durability: .relaxed) }
    #expect(error?.kind == .invalidDatabase && error?.message.contains("its sequences") == true)
    let faults = try FileVerification(path: path).faults.map(\.reason)
    #expect(faults == ["its sequences are damaged (3 bytes)"])
  }
}
