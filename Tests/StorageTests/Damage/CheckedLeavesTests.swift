import Foundation
import TestSupport
import Testing

@testable import Storage

/// Leaf pages of the large trees are looked at when they are first read, and all of them before anything is written.
@Suite struct CheckedLeavesTests {
  enum Case: Int, CaseIterable, Codable {
    case columns, order, collections, values, sharedPage

    private var tree: (name: String, key: [UInt8]) {
      switch self {
      case .columns, .order: ("columns", DamagedFile.chunkKey(column: 4, chunk: 1))
      case .collections:
        (
          "collections",
          SegmentKey(CollectionKey(table: 0, column: 3, row: 1_490), .values, 0).withBytes {
            Array(UnsafeRawBufferPointer(start: $0, count: SegmentKey.size))
          }
        )
      case .values, .sharedPage:
        (
          "values",
          ValueKey(table: 0, column: 1, row: 3).withBytes {
            Array(UnsafeRawBufferPointer(start: $0, count: ValueKey.size))
          }
        )
      }
    }

    /// What the program says.
    var words: [String] {
      switch self {
      case .columns: ["'anything', chunk 1", "header of page"]
      case .order: ["'anything', chunk 1", "order of the keys of page"]
      case .collections: ["'numbers', row 1490, segment 0", "nodes of page"]
      case .values: ["'name', row 3", "header of page"]
      case .sharedPage: ["'name', row 3", "used twice"]
      }
    }

    func damage(_ bytes: inout [UInt8]) {
      let place = DamagedFile.leafPlace(bytes, tree: tree.name, key: tree.key)
      let firstNode = place + (Int(bytes[place + 16]) | Int(bytes[place + 17]) << 8)
      switch self {
      case .columns, .values: bytes[place + 10] ^= 4
      // The first key comes before the page's own, in the order of the tree.
      case .order: for byte in 0..<12 { bytes[firstNode + 8 + byte] = 0 }
      case .collections: bytes[place + 17] ^= 1
      case .sharedPage:
        let root = DamagedFile.meta(bytes).main.root
        for byte in 0..<8 {
          bytes[firstNode + 8 + ValueKey.size + byte] = UInt8(truncatingIfNeeded: root >> UInt64(byte * 8))
        }
      }
    }

    /// What has nothing to do with the damage.
    func readOthers(_ snapshot: Snapshot) {
      let dogs = snapshot.table(0)
      #expect(dogs.isAlive(5))
      #expect(dogs.integer(0, 5) == 90_005)
      #expect(dogs.string(1, 5) == "name 5")
      if self == .collections { #expect(dogs.elements(3, 0).count == 3) }
    }

    func read(_ snapshot: Snapshot) {
      let dogs = snapshot.table(0)
      switch self {
      case .columns, .order: _ = dogs.value(4, 1_400)
      case .collections: _ = dogs.elements(3, 1_490)
      case .values, .sharedPage: _ = dogs.string(1, 3)
      }
    }
  }

  @Test(arguments: Case.allCases) func damageIsFoundWhenItIsRead(_ damage: Case) async throws {
    let file = try DamagedFile()
    defer { file.delete() }
    damage.read(try Snapshot(file: DatabaseFile.open(path: file.path)))
    try file.editBytes { damage.damage(&$0) }
    for readOnly in [true, false] {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: file.path, readOnly: readOnly))
      damage.readOthers(snapshot)
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = file.path as String, damage = damage.rawValue as Int] in
      let file = try DatabaseFile.open(path: path)
      Case(rawValue: damage)!.read(try Snapshot(file: file))
    }
    for word in damage.words + ["is damaged", file.path, "class 'Dog'"] {
      expectStop(result, saying: word, in: "\(damage)")
    }
  }

  @Test(arguments: Case.allCases) func nothingIsWrittenToADamagedFile(_ damage: Case) throws {
    let file = try DamagedFile()
    defer { file.delete() }
    try file.editBytes { damage.damage(&$0) }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: file.path))
    for _ in 0..<2 {
      let error = #expect(throws: StorageError.self) { try snapshot.beginWrite() }
      #expect(error?.kind == .invalidDatabase)
      #expect(error?.message.contains(file.path) == true)
    }
    damage.readOthers(snapshot)
    let copy = TemporaryFile.path()
    #expect(throws: StorageError.self) { try snapshot.writeCopy(to: copy) }
    #expect(!FileManager.default.fileExists(atPath: copy))
  }

  /// Every branch and leaf page that the version has, but those that say what is free, which readers need not know.
  private func pageCount(_ file: DatabaseFile) throws -> Int {
    let trees = try FileCheck.checkTrees(file.environment, path: file.path, .pages)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.path)))
    let free = DamagedFile.meta(bytes).freePages
    return trees!.walk.visitedPageCount - Int(free.branchPages + free.leafPages)
  }

  private func readAll(_ snapshot: Snapshot) {
    let dogs = snapshot.table(0)
    for row in 0..<DamagedFile.rowCount {
      #expect(dogs.isAlive(row))
      #expect(dogs.integer(0, row) == Int64(row < 50 ? row + 90_000 : row * 7))
      #expect(dogs.string(1, row).utf8.count == (row == 3 ? 5_000 : "name \(row)".utf8.count))
      #expect(dogs.link(2, row) == (row % 2 == 0 ? nil : row / 2))
      #expect(dogs.elements(3, row).count == (row % 10 == 0 ? 3 : 0))
      _ = dogs.value(4, row)
      _ = dogs.value(5, row)
    }
    // Backlinks and words are not counted row by row.
    for column in [2, 5] {
      snapshot.indexReader(IndexNumber.backlinks(table: 0, column: column)).forEachRow(in: .all) { _ in true }
    }
    for column in 0..<2 {
      var count = 0
      snapshot.indexReader(UInt32(column) << 1).forEachRow(in: .all) { _ in
        count += 1
        return true
      }
      #expect(count == DamagedFile.rowCount)
    }
  }

  @Test(arguments: [true, false]) func aSoundFileIsReadCompletely(readOnly: Bool) throws {
    let made = try DamagedFile()
    defer { made.delete() }
    let file = try DatabaseFile.open(path: made.path, readOnly: readOnly)
    let leaves = try #require(file.checkedPlaces.leaves)
    let snapshot = try Snapshot(file: file)
    let all = try pageCount(file)
    #expect(leaves.visitedPageCount < all)
    readAll(snapshot)
    #expect(leaves.visitedPageCount == all)
    readAll(try Snapshot(file: file))
    #expect(leaves.visitedPageCount == all)
    #expect(!leaves.isComplete)
  }

  @Test func writingLooksAtTheRest() throws {
    let made = try DamagedFile()
    defer { made.delete() }
    let file = try DatabaseFile.open(path: made.path)
    let leaves = try #require(file.checkedPlaces.leaves)
    let before = try Snapshot(file: file)
    let visited = leaves.visitedPageCount
    let writer = try Snapshot(file: file)
    try writer.beginWrite()
    #expect(leaves.isComplete)
    writer.table(0).setInteger(0, 60, 1)
    try writer.commitWrite(durability: .relaxed)
    readAll(before)
    #expect(writer.table(0).integer(0, 60) == 1)
    #expect(leaves.visitedPageCount == visited)
  }

  /// By another process, which has looked at everything: later versions are trusted.
  @Test func laterVersionsAreNotLookedAt() throws {
    let made = try DamagedFile()
    defer { made.delete() }
    let file = try DatabaseFile.open(path: made.path)
    let leaves = try #require(file.checkedPlaces.leaves)
    let snapshot = try Snapshot(file: file)
    let visited = leaves.visitedPageCount
    let transaction = try file.environment.beginWriting()
    try transaction.store(file.databases.main, key: Array("else".utf8), [1])
    try transaction.commit()
    readAll(try Snapshot(file: file))
    #expect(leaves.visitedPageCount == visited)
    #expect(!leaves.isComplete)
    readAll(snapshot)
    #expect(leaves.visitedPageCount > visited)
    let writer = try Snapshot(file: file)
    try writer.beginWrite()
    writer.cancelWrite()
    #expect(leaves.isComplete)
  }

  @Test func openingDoesNotReadMoreOfLargeFiles() throws {
    var visited: [Int] = []
    var all: [Int] = []
    for count in [300, 3_000] {
      let path = TemporaryFile.path()
      defer { TemporaryFile.delete(path) }
      do {
        let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
        try snapshot.beginWrite()
        snapshot.setCatalogue(
          Catalogue(tables: [
            TableDescription(name: "Note", columns: [Column(name: "text", type: .string)])
          ]))
        let notes = snapshot.table(0)
        for number in 0..<count {
          notes.setString(0, notes.insertRow(), String(repeating: "\(number % 10)", count: 900))
        }
        try snapshot.commitWrite(durability: .relaxed)
      }
      let file = try DatabaseFile.open(path: path)
      visited.append(try #require(file.checkedPlaces.leaves).visitedPageCount)
      all.append(try pageCount(file))
    }
    #expect(all[1] > all[0] + 500)
    // Some branch pages.
    #expect(visited[1] < visited[0] + 10)
  }

  @Test func severalThreadsReadOneVersion() throws {
    let made = try DamagedFile()
    defer { made.delete() }
    let file = try DatabaseFile.open(path: made.path)
    let all = try pageCount(file)
    nonisolated(unsafe) let snapshots = try (0..<4).map { _ in try Snapshot(file: file) }
    DispatchQueue.concurrentPerform(iterations: 4) { readAll(snapshots[$0]) }
    #expect(file.checkedPlaces.leaves?.visitedPageCount == all)
  }
}
