import Foundation
import TestSupport
import Testing

@testable import Storage

/// Values that are not as they were written: whatever their form is, it is said so.
@Suite struct SealTests {
  /// A bit of each kind of value, and what reads it.
  enum Kind: Int, CaseIterable, Codable {
    case chunk, presence, integerBlock, bytesBlock, segment, longValue, smallChunk

    var place: (database: KeyPath<DatabaseFile.Databases, EntryTree>, key: [UInt8], offset: Int) {
      let list = SegmentKey(CollectionKey(table: 0, column: 3, row: 10), .values, 0)
      let long = ValueKey(table: 0, column: 1, row: 3)
      func bytes(_ key: some StorageKey, _ size: Int) -> [UInt8] {
        key.withBytes { Array(UnsafeRawBufferPointer(start: $0, count: size)) }
      }
      switch self {
      // An age, which is then another one.
      case .chunk: return (\.columns, DamagedFile.chunkKey(column: 0), ChunkHeader.size + 10)
      case .smallChunk: return (\.columns, DamagedFile.chunkKey(column: 2), ChunkHeader.size + 12)
      // A row that is not there any more.
      case .presence: return (\.columns, DamagedFile.chunkKey(column: -1), ChunkHeader.size + 3)
      case .integerBlock: return (\.indexes, [], 40)
      case .bytesBlock: return (\.indexes, [], 3_000)
      case .segment: return (\.collections, bytes(list, SegmentKey.size), ChunkHeader.minimum)
      case .longValue: return (\.values, bytes(long, ValueKey.size), 300)
      }
    }

    func read(_ snapshot: Snapshot) {
      let dogs = snapshot.table(0)
      switch self {
      case .chunk: _ = dogs.integer(0, 5)
      case .smallChunk: _ = dogs.link(2, 5)
      case .presence: _ = dogs.isAlive(5)
      case .integerBlock:
        _ = snapshot.rowCount(.column(0, ofTable: 0), in: IndexRange(from: nil, through: nil))
      case .bytesBlock: snapshot.forEachRow(.column(1, ofTable: 0), in: .prefix([])) { _ in true }
      case .segment: _ = dogs.elements(3, 10)
      case .longValue: _ = dogs.string(1, 3)
      }
    }

    func damage(_ file: DamagedFile) throws {
      var (database, key, offset) = place
      func index(_ column: Int) -> UInt32 { IndexNumber.values(table: 0, column: column) }
      if self == .integerBlock { key = try file.firstBlock(ofIndex: index(0), .integer) }
      if self == .bytesBlock { key = try file.firstBlock(ofIndex: index(1), .bytes) }
      try file.editStored(database, key: key) { $0[offset] ^= 1 }
    }
  }

  @Test(arguments: Kind.allCases) func aChangedBitIsFound(_ kind: Kind) async throws {
    let file = try DamagedFile()
    defer { file.delete() }
    kind.read(try Snapshot(file: DatabaseFile.open(path: file.path)))
    try kind.damage(file)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = file.path as String, kind = kind.rawValue as Int] in
      Kind(rawValue: kind)!.read(try! Snapshot(file: DatabaseFile.open(path: path)))
    }
    for word in ["its checksum is wrong", file.path, "class 'Dog'"] {
      expectStop(result, saying: word, in: "\(kind)")
    }
  }

  /// A sound value under the key of another one.
  @Test func anExchangedValueIsFound() async throws {
    let file = try DamagedFile()
    defer { file.delete() }
    var first: [UInt8] = []
    try file.editStored(\.columns, key: DamagedFile.chunkKey(column: 0, chunk: 0)) { first = $0 }
    // The chunks have different numbers of rows; only those of this one are read.
    try file.editStored(\.columns, key: DamagedFile.chunkKey(column: 0, chunk: 1)) { $0 = first }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = file.path as String] in
      let snapshot = try! Snapshot(file: DatabaseFile.open(path: path))
      withExtendedLifetime(snapshot) { _ = snapshot.table(0).integer(0, 961) }
    }
    expectStop(result, saying: "'age', chunk 1: its checksum is wrong")
  }

  /// Who follows the data takes everything for changed then.
  @Test func theLogIsChecked() throws {
    let file = try DamagedFile()
    defer { file.delete() }
    func changesAreKnown() throws -> Bool {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: file.path))
      return snapshot.changes(after: snapshot.version - 1) != nil
    }
    #expect(try changesAreKnown())
    let version = try Snapshot(file: DatabaseFile.open(path: file.path)).version
    let key = LogKey(version).withBytes { Array(UnsafeRawBufferPointer(start: $0, count: $1)) }
    try file.editStored(\.main, key: key) { $0[9] ^= 1 }
    #expect(try !changesAreKnown())
  }

  @Test func aFileOfTheFirstFormatIsRefused() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    // As the first format began.
    let environment = try EntryStore.open(path, mapSize: 1 << 24)
    let transaction = try environment.beginWriting()
    let main = try transaction.openDatabase(nil)
    try transaction.reserve(main, FileFormat.key, FileFormat.key.count, size: 4)
      .storeBytes(of: 1, as: UInt32.self)
    for name in ["columns", "collections", "indexes", "values"] {
      _ = try transaction.openDatabase(name, isCreated: true)
    }
    try transaction.commit()
    environment.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    for readOnly in [true, false] {
      let error = #expect(throws: StorageError.self) { try DatabaseFile.open(path: path, readOnly: readOnly) }
      #expect(error?.kind == .unsupportedFormat)
      #expect(
        error?.message
          == "The Realm file at path '\(path)' has an unsupported format (1) and cannot be upgraded.")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test(arguments: [0, 2, 4, 6, 9, 12]) func theFormatIsChecked(offset: Int) throws {
    let file = try DamagedFile()
    defer { file.delete() }
    try file.editStored(\.main, key: FileFormat.key) { $0[offset] ^= offset == 0 ? 4 : 0x80 }
    let error = #expect(throws: StorageError.self) { try DatabaseFile.open(path: file.path) }
    // A higher number is that of a newer version.
    #expect(error?.kind == (offset == 2 ? .unsupportedFormat : .invalidDatabase))
  }
}
