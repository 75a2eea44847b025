import Foundation
import Testing

@testable import Storage

/// Files whose pages LMDB would follow into nowhere.
@Suite struct PageWalkTests {
  private func expectDamage(
    _ words: String, _ body: (inout [UInt8]) -> Void, location: SourceLocation = #_sourceLocation
  ) throws {
    let file = try DamagedFile()
    defer { file.delete() }
    try file.editBytes(body)
    for readOnly in [false, true] {
      expectError(words, file, location) { try DatabaseFile.open(path: file.path, readOnly: readOnly) }
    }
  }

  private func expectError<Result>(
    _ words: String, _ file: DamagedFile, _ location: SourceLocation, _ body: () throws -> Result
  ) {
    let error = #expect(throws: StorageError.self, sourceLocation: location) { _ = try body() }
    #expect(error?.kind == .invalidDatabase, sourceLocation: location)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")", sourceLocation: location)
    #expect(error?.message.contains(file.path) == true, sourceLocation: location)
  }

  /// Which pages are free matters only to who writes.
  private func expectDamageForWriters(
    _ words: String, _ body: (inout [UInt8]) -> Void, location: SourceLocation = #_sourceLocation
  ) throws {
    let file = try DamagedFile()
    defer { file.delete() }
    try file.editBytes(body)
    let snapshot = try Snapshot(file: DatabaseFile.open(path: file.path))
    #expect(snapshot.liveCount(table: 0) == DamagedFile.rowCount)
    for _ in 0..<2 { expectError(words, file, location) { try snapshot.beginWrite() } }
  }

  @Test func aSoundFileOpens() throws {
    let file = try DamagedFile()
    defer { file.delete() }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: file.path))
    #expect(snapshot.liveCount(table: 0) == DamagedFile.rowCount)
  }

  /// LMDB would go on counting from what it finds there, and the file would be damaged after the next commit.
  @Test func treesWithoutEntriesHaveNoPages() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    _ = try DatabaseFile.open(path: path)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    var rest = bytes.startIndex..<bytes.endIndex
    while let name = bytes.range(of: Data("columns".utf8), in: rest) {
      // Of the tree's record, which follows its name.
      let leafPages = name.upperBound + 16
      bytes[leafPages] = 1
      rest = leafPages..<bytes.endIndex
    }
    try #require(rest.lowerBound > 0)
    try bytes.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StorageError.self) { try DatabaseFile.open(path: path) }
    #expect(error?.message.contains("an empty tree with entries") == true)
    let faults = (try? FileVerification(path: path).faults.map(\.reason)) ?? []
    #expect(faults.contains { $0.contains("an empty tree with entries") })
  }

  /// LMDB leaves a value on the pages that it got when it becomes smaller in the transaction that made it.
  @Test func valuesThatShrankAreSound() throws {
    let path = TemporaryFile.path()
    let copy = path + ".copy"
    defer { for path in [path, copy] { TemporaryFile.delete(path) } }
    let rowCount = 2 * chunkCapacity
    let sizes = [30_000, 10_000, 100]
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try snapshot.beginWrite()
      snapshot.setCatalogue(
        Catalogue(tables: [
          TableDescription(
            name: "Note", columns: [Column(name: "text", type: .string), Column(name: "number", type: .int)])
        ]))
      for _ in 0..<rowCount { _ = snapshot.table(0).insertRow() }
      for (step, size) in sizes.enumerated() {
        if step > 0 { try snapshot.openWrite() }
        let table = snapshot.table(0)
        for row in 0..<3 { table.setString(0, row, String(repeating: "x", count: size + row)) }
        for row in 0..<rowCount { table.setInteger(1, row, step == 2 ? 7 : Int64(row) << 40) }
        try snapshot.stageWrite(durability: .relaxed)
      }
      try snapshot.commitStagedWrites(durability: .relaxed)
    }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    let table = snapshot.table(0)
    #expect(table.string(0, 2).utf8.count == 102)
    #expect(table.integer(1, rowCount - 1) == 7)
    try snapshot.writeCopy(to: copy)
    try snapshot.beginWrite()
    for row in 0..<rowCount { snapshot.table(0).deleteRow(row) }
    try snapshot.commitWrite()
    #expect(snapshot.liveCount(table: 0) == 0)
  }

  @Test(arguments: [0, 10, 16 + 4, 16 + 24, 16 + 24 + 4, 16 + 24 + 48 + 4])
  func metaPagesAreChecked(offset: Int) throws {
    try expectDamage("meta page") { $0[DamagedFile.metaPlace($0) + offset] ^= 0x80 }
  }

  @Test func aVersionOfAnotherAgeIsFound() throws {
    try expectDamage("meta page") { $0[DamagedFile.metaPlace($0) + 16 + 24 + 104 + 7] = 1 }
  }

  @Test func freePagesOfNoVersionAreFound() throws {
    try expectDamageForWriters("key") { bytes in
      let root = Int(DamagedFile.meta(bytes).freePages.root) * DamagedFile.pageSize
      let node = root + (Int(bytes[root + 16]) | Int(bytes[root + 17]) << 8)
      for byte in 0..<8 { bytes[node + 8 + byte] = 0 }
    }
  }

  @Test func countsOfTreesAreChecked() throws {
    // The entries of the main tree.
    try expectDamage("tree") { $0[DamagedFile.metaPlace($0) + 16 + 24 + 48 + 32] ^= 4 }
  }

  @Test func aRootBeyondTheEndIsFound() throws {
    try expectDamage("page number") { $0[DamagedFile.metaPlace($0) + 16 + 24 + 48 + 40 + 3] = 1 }
  }

  @Test func aPageThatIsItsOwnChildIsFound() throws {
    try expectDamage("used twice") { bytes in
      for place in DamagedFile.branchPlaces(bytes) {
        let second = place + (Int(bytes[place + 18]) | Int(bytes[place + 19]) << 8)
        let number = place / DamagedFile.pageSize
        for byte in 0..<4 { bytes[second + byte] = UInt8(truncatingIfNeeded: number >> (byte * 8)) }
      }
    }
  }

  @Test(arguments: [10, 12, 14, 16])
  func headersOfLeavesAreChecked(offset: Int) throws {
    try expectDamage("page") { bytes in
      let root = Int(DamagedFile.meta(bytes).main.root) * DamagedFile.pageSize
      bytes[root + offset] ^= 0x21
    }
  }

  @Test func freePagesThatAreInUseAreFound() throws {
    try expectDamageForWriters("free and in use") { bytes in
      let meta = DamagedFile.meta(bytes)
      let root = Int(meta.freePages.root) * DamagedFile.pageSize
      let node = root + (Int(bytes[root + 16]) | Int(bytes[root + 17]) << 8)
      // The count, then the page numbers, the largest one first: the root page of the main tree becomes one of them.
      let list = node + 8 + 8
      bytes[list] = 1
      for byte in 0..<8 {
        bytes[list + 8 + byte] = UInt8(truncatingIfNeeded: meta.main.root >> UInt64(byte * 8))
      }
    }
  }
}
