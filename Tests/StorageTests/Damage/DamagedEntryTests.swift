import Foundation
import TestSupport
import Testing

@testable import Storage

/// Entries of a file that contradict themselves: errors where something throws, otherwise stops with words.
@Suite struct DamagedEntryTests {
  private func expectError(_ words: String, _ damage: (DamagedFile) throws -> Void) throws {
    let file = try DamagedFile()
    defer { file.delete() }
    try damage(file)
    let error = #expect(throws: StorageError.self) { try Snapshot(file: DatabaseFile.open(path: file.path)) }
    #expect(error?.kind == .invalidDatabase)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  // They are in a node with others.
  private static let words = (catalogue: "is damaged", rowCounts: "is damaged")
  private static let rowCountPlaces = [0, 5, 8]

  @Test(arguments: [8, 16, 20, 24, 40, 60])
  func theCatalogueIsChecked(offset: Int) throws {
    try expectError(Self.words.catalogue) { file in
      try file.editStored(.main, key: Catalogue.key) { $0[offset] ^= 4 }
    }
  }

  @Test(arguments: rowCountPlaces) func rowCountsAreChecked(offset: Int) throws {
    try expectError(Self.words.rowCounts) { file in
      try file.editStored(.main, key: Array("rows".utf8)) { $0[offset] ^= 0x40 }
    }
  }

  @Test func impossibleRowCountsAreFound() throws {
    try expectError("row counts") { file in
      try file.edit(.main, key: Array("rows".utf8)) {
        $0[6] = 1
      }
    }
  }

  // MARK: Stops

  /// What is done to the file, what is read then, and what the program says.
  enum Case: Int, CaseIterable, Codable {
    case encoding, wideFlag, count, nulls, heap, link, elements, segmentIsMissing, longValueIsMissing, mixed,
      presence, presenceIsMissing, chunkIsMissing, integerBlock, rowOfIndex, bytesBlock

    var words: [String] {
      switch self {
      case .encoding, .wideFlag, .count, .integerBlock, .rowOfIndex: ["'age'"]
      case .chunkIsMissing: ["'age', chunk 1: it is missing"]
      case .heap, .longValueIsMissing, .bytesBlock: ["'name'"]
      case .nulls, .link: ["'friend'"]
      case .elements, .segmentIsMissing: ["'numbers'"]
      case .mixed: ["'anything'"]
      case .presence: ["chunk 1"]
      case .presenceIsMissing: ["which objects are there: 960 objects are there instead of 1500"]
      }
    }

    func damage(_ file: DamagedFile) throws {
      func edit(_ column: Int, chunk: Int = 0, _ body: (inout [UInt8]) -> Void) throws {
        try file.edit(.columns, key: DamagedFile.chunkKey(column: column, chunk: chunk), body)
      }
      switch self {
      case .encoding: try edit(0) { $0[0] = 77 }
      case .wideFlag: try edit(0) { $0[1] |= ChunkFlags.isWide }
      case .count: try edit(0) { $0[2] = 0 }
      case .nulls: try edit(2) { $0[ChunkHeader.nullBitmapOffset + 2] = 1 }
      case .heap: try edit(1) { $0[ChunkHeader.size + 20] = 100 }
      case .link:
        // Differences to the smallest row: the smallest one becomes large.
        try edit(2) { $0[ChunkHeader.minimum + 3] = 1 }
      case .elements: try edit(3) { $0[ChunkHeader.minimum + 5] = 1 }
      case .segmentIsMissing:
        try file.remove(
          .collections,
          key: SegmentKey(CollectionKey(table: 0, column: 3, row: 10), .values, 0).withBytes {
            Array(UnsafeRawBufferPointer(start: $0, count: SegmentKey.size))
          })
      case .longValueIsMissing:
        try file.remove(
          .values,
          key: ValueKey(table: 0, column: 1, row: 3).withBytes {
            Array(UnsafeRawBufferPointer(start: $0, count: ValueKey.size))
          })
      case .mixed:
        try edit(4) { bytes in
          // The number of elements of every list, behind its tag and identity.
          for index in bytes.indices.dropLast(13)
          where bytes[index] == NestedHeader.identifiedListTag && bytes[index + 8] >= 0x80
            && bytes[index + 9] == 2 && bytes[index + 10] == 0
          {
            bytes[index + 12] = 0x7F
          }
        }
      case .presence: try edit(-1, chunk: 1) { $0[ChunkHeader.size + 119] = 0x80 }
      case .presenceIsMissing: try file.remove(.columns, key: DamagedFile.chunkKey(column: -1, chunk: 1))
      case .chunkIsMissing: try file.remove(.columns, key: DamagedFile.chunkKey(column: 0, chunk: 1))
      case .integerBlock: try blocks(file, column: 0, .integer) { $0[2] = 9 }
      case .rowOfIndex: try blocks(file, column: 0, .integer) { $0[14 + 4] = 1 }
      case .bytesBlock: try blocks(file, column: 1, .bytes) { $0[8] = 0xFF }
      }
    }

    private func blocks(
      _ file: DamagedFile, column: Int, _ kind: IndexKeyKind, _ body: (inout [UInt8]) -> Void
    ) throws {
      let key = try file.firstBlock(ofIndex: IndexNumber.values(table: 0, column: column), kind)
      try file.edit(.indexes, key: key, body)
    }

    func read(_ snapshot: Snapshot) {
      let dogs = snapshot.table(0)
      switch self {
      case .encoding, .wideFlag, .count: _ = dogs.integer(0, 5)
      case .nulls, .link: _ = dogs.link(2, 5)
      case .heap, .longValueIsMissing: _ = dogs.string(1, 3)
      case .elements, .segmentIsMissing: _ = dogs.elements(3, 10)
      case .mixed: _ = dogs.value(4, 1)
      case .presence, .presenceIsMissing: _ = dogs.isAlive(1_000)
      case .chunkIsMissing: _ = dogs.integer(0, 1_000)
      case .integerBlock, .rowOfIndex:
        _ = snapshot.rowCount(.column(0, ofTable: 0), in: IndexRange(from: nil, through: nil))
      case .bytesBlock: snapshot.forEachRow(.column(1, ofTable: 0), in: .prefix([])) { _ in true }
      }
    }
  }

  @Test(arguments: Case.allCases) func readingStopsWithWords(_ damage: Case) async throws {
    let file = try DamagedFile()
    defer { file.delete() }
    // Sound as it is.
    damage.read(try Snapshot(file: DatabaseFile.open(path: file.path)))
    try damage.damage(file)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = file.path as String, damage = damage.rawValue as Int] in
      damage.withCase { $0.read(try! Snapshot(file: DatabaseFile.open(path: path))) }
    }
    for word in damage.words + ["is damaged", file.path, "class 'Dog'"] {
      expectStop(result, saying: word, in: "\(damage)")
    }
  }
}

extension Int {
  fileprivate func withCase(_ body: (DamagedEntryTests.Case) -> Void) { body(.init(rawValue: self)!) }
}
