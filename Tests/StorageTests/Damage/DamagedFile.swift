import Foundation

@testable import Storage

/// A file with something of every kind, and ways of damaging it that leave the rest as it is.
struct DamagedFile {
  let path: String
  private let encryptionKey: [UInt8]?
  static let rowCount = 1_500

  static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Dog",
      columns: [
        Column(name: "age", type: .int, isIndexed: true),
        Column(name: "name", type: .string, isIndexed: true),
        Column(name: "friend", type: .link, isNullable: true, target: 0),
        Column(name: "numbers", type: .int, collection: .list),
        Column(name: "anything", type: .mixed, isNullable: true),
        Column(name: "text", type: .string, isFullText: true),
      ])
  ])

  init(path: String = TemporaryFile.path(), encryptionKey: [UInt8]? = nil) throws {
    self.path = path
    self.encryptionKey = encryptionKey
    let snapshot = try open()
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Self.catalogue)
    let dogs = snapshot.table(0)
    for number in 0..<Self.rowCount {
      let row = dogs.insertRow()
      dogs.setInteger(0, row, Int64(number * 7))
      dogs.setString(1, row, number == 3 ? String(repeating: "x", count: 5_000) : "name \(number)")
      dogs.setLink(2, row, number % 2 == 0 ? nil : number / 2)
      if number % 10 == 0 { for value in 0..<3 { dogs.appendElement(3, row, .int(Int64(value))) } }
      dogs.setMixed(4, row, number % 3 == 0 ? .null : .list([.int(1), .string("two")]))
      dogs.setString(5, row, "good dog \(number % 5)")
    }
    try Writer(snapshot).commit(durability: .relaxed)
    // Pages that are free.
    for _ in 0..<3 {
      try Writer(snapshot).begin()
      for row in 0..<50 { dogs.setInteger(0, row, Int64(row + 90_000)) }
      try Writer(snapshot).commit(durability: .relaxed)
    }
  }

  /// A file that somebody else has made.
  init(existing path: String) throws {
    self.path = path
    encryptionKey = nil
  }

  func open() throws -> Snapshot {
    try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: encryptionKey))
  }

  func delete() { TemporaryFile.delete(path) }

  /// Puts another value in the place of one, with the checksum that belongs to it.
  func edit(
    _ tree: EntryTree, key: [UInt8], _ body: (inout [UInt8]) -> Void
  ) throws {
    let file = try DatabaseFile.open(path: path, encryptionKey: encryptionKey)
    let transaction = try file.entries.beginWriting()
    var bytes = Array(try transaction.value(tree, key: key)!)
    body(&bytes)
    try transaction.store(tree, key: key, bytes)
    try transaction.commit()
  }

  /// Puts other bytes in the place where a value is in the file.
  func editStored(
    _ tree: EntryTree, key: [UInt8], _ body: (inout [UInt8]) -> Void
  ) throws {
    let place = try place(tree, key: key)
    try editBytes { bytes in
      var value = Array(bytes[place])
      body(&value)
      bytes.replaceSubrange(place, with: value)
    }
  }

  /// Where a value is in the file.
  func place(
    _ tree: EntryTree, key: [UInt8]
  ) throws -> Range<Int> {
    let file = try DatabaseFile.open(path: path, encryptionKey: encryptionKey)
    let reader = try file.entries.beginReading()
    defer { reader.abort() }
    let value = reader.get(tree, key, key.count)!
    let start = value.baseAddress! - file.entries.base
    return start..<start + value.count
  }

  func remove(_ tree: EntryTree, key: [UInt8]) throws {
    let file = try DatabaseFile.open(path: path, encryptionKey: encryptionKey)
    let transaction = try file.entries.beginWriting()
    try transaction.delete(tree, key, key.count)
    try transaction.commit()
  }

  /// Removes all blocks of an index.
  func removeIndex(_ index: UInt32) throws {
    let file = try DatabaseFile.open(path: path, encryptionKey: encryptionKey)
    let transaction = try file.entries.beginWriting()
    try IndexChanges.dropIndex(index, in: transaction, tree: .indexes)
    try transaction.commit()
  }

  /// The first key of an index's blocks of a kind.
  func firstBlock(ofIndex index: UInt32, _ kind: IndexKeyKind) throws -> [UInt8] {
    let file = try DatabaseFile.open(path: path, encryptionKey: encryptionKey)
    let snapshot = try Snapshot(file: file)
    let cursor = try BlockCursor(
      transaction: snapshot.lease.transaction, tree: .indexes, index: index)
    defer { cursor.close() }
    guard try cursor.moveToFirst(kind) else { preconditionFailure("there are no blocks") }
    return cursor.keyBytes
  }

  static func chunkKey(column: Int, chunk: Int = 0) -> [UInt8] {
    ColumnKey(table: 0, column: column, chunk: chunk).withBytes {
      Array(UnsafeRawBufferPointer(start: $0, count: ColumnKey.size))
    }
  }

  // MARK: Pages

  static let pageSize = 4096

  /// Changes the bytes of the file itself.
  func editBytes(_ body: (inout [UInt8]) -> Void) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    body(&bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Where the branch pages begin, also those of former versions.
  static func branchPlaces(_ bytes: [UInt8]) -> [Int] {
    stride(from: 2 * pageSize, to: bytes.count, by: pageSize).filter {
      bytes[$0 + 10] == 1 && bytes[$0 + 11] == 0
    }
  }

}
