import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Storage

/// What of an encrypted file is in memory, and for how long.
@Suite struct DecryptedMemoryTests {
  private static let key = [UInt8](repeating: 9, count: 64)
  private static let valueSize = 100_000
  private static var heldLimit: Int { OpenedValues.heldLimit.load(ordering: .relaxed) }
  private static var idleLimit: Int { OpenedValues.idleLimit.load(ordering: .relaxed) }

  private static func open(_ path: String) throws -> Snapshot {
    try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: key))
  }

  private static func make(_ path: String, _ columns: [Column], _ fill: (Snapshot) throws -> Void) throws {
    let snapshot = try open(path)
    try snapshot.beginWrite()
    snapshot.setCatalogue(Catalogue(tables: [TableDescription(name: "Picture", columns: columns)]))
    try fill(snapshot)
    if snapshot.isWriting { try snapshot.commitWrite(durability: .relaxed) }
  }

  /// A file with values of 100,000 bytes.
  private func makePictures(_ path: String, count: Int) throws {
    try Self.make(path, [Column(name: "pixels", type: .data), Column(name: "number", type: .int)]) {
      snapshot in
      for number in 0..<count {
        let row = snapshot.table(0).insertRow()
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Self.valueSize)
        bytes.withUnsafeBytes { snapshot.table(0).setData(0, row, $0) }
        snapshot.table(0).setInteger(1, row, Int64(number))
      }
    }
  }

  private static func isRight(_ snapshot: Snapshot, _ rows: Range<Int>) -> Bool {
    rows.allSatisfy { row in
      let bytes = snapshot.table(0).bytes(0, row)
      let byte = UInt8(truncatingIfNeeded: row)
      return bytes.count == valueSize && bytes[0] == byte && bytes[valueSize - 1] == byte
        && snapshot.table(0).integer(1, row) == Int64(row)
    }
  }

  /// Whoever asks for a newer version lets go of what is too much, also when there is none.
  @Test func manyValuesAreLetGoOf() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let count = Self.heldLimit / Self.valueSize + 100
    try makePictures(path, count: count)
    let snapshot = try Self.open(path)
    #expect(Self.isRight(snapshot, 0..<50))
    var stamp = snapshot.contentStamp
    #expect(try !snapshot.advance())
    // So much may stay where it is.
    #expect(snapshot.contentStamp == stamp)
    #expect(snapshot.file.decryptedSize >= 50 * Self.valueSize)
    for _ in 0..<2 {
      #expect(Self.isRight(snapshot, 0..<count))
      #expect(snapshot.file.decryptedSize > Self.heldLimit)
      stamp = snapshot.contentStamp
      let version = snapshot.version
      #expect(try !snapshot.advance())
      #expect(snapshot.version == version)
      #expect(snapshot.contentStamp != stamp)
      #expect(snapshot.file.decryptedSize <= Self.idleLimit)
    }
    // A write transaction begins with it.
    #expect(Self.isRight(snapshot, 0..<count))
    try snapshot.beginWrite()
    #expect(snapshot.file.decryptedSize <= Self.idleLimit)
    snapshot.cancelWrite()
    #expect(Self.isRight(snapshot, 0..<count))
    // What a shared snapshot shows may be in use by any thread.
    let frozen = try Snapshot(sharing: snapshot)
    #expect(Self.isRight(frozen, 0..<count))
    try snapshot.advance()
    #expect(snapshot.file.decryptedSize > Self.heldLimit && snapshot.decryptedSize == 0)
    #expect(Self.isRight(frozen, 0..<count))
  }

  /// In the middle of reading, too, also an old version; what shares the transaction keeps what it has read.
  @Test func oldVersionsLetGo() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let count = Self.heldLimit / Self.valueSize + 100
    try makePictures(path, count: count)
    let snapshot = try Self.open(path)
    let (version, catalogue) = (snapshot.version, snapshot.catalogueStamp)
    let writer = try Snapshot(file: snapshot.file)
    try writer.beginWrite()
    writer.table(0).setInteger(1, 0, -1)
    try writer.commitWrite(durability: .relaxed)
    for _ in 0..<2 {
      #expect(Self.isRight(snapshot, 0..<count))
      let (stamp, visible) = (snapshot.contentStamp, snapshot.visibleStamp)
      #expect(!snapshot.letGoOfDecrypted(beyond: 100 * Self.valueSize))
      #expect(snapshot.letGoOfDecrypted())
      #expect(snapshot.contentStamp != stamp && snapshot.visibleStamp == visible)
      #expect(snapshot.version == version && snapshot.catalogueStamp == catalogue)
      #expect(snapshot.decryptedSize == 0 && snapshot.file.decryptedSize <= Self.idleLimit)
      #expect(!snapshot.letGoOfDecrypted())
    }
    // Of an old version there is no other transaction.
    let frozen = try Snapshot(sharing: snapshot)
    #expect(Self.isRight(snapshot, 0..<count) && Self.isRight(frozen, 0..<10))
    #expect(!snapshot.letGoOfDecrypted() && !frozen.letGoOfDecrypted())
    #expect(Self.isRight(frozen, 0..<count))
    // Nor while something is written.
    #expect(try writer.beginWrite() == false)
    #expect(writer.table(0).integer(1, 0) == -1 && Self.isRight(writer, 1..<count))
    #expect(!writer.letGoOfDecrypted())
    writer.cancelWrite()
    #expect(writer.letGoOfDecrypted())
  }

  /// A shared snapshot lets go when nobody reads: any number of threads, and what one of them is reading stays.
  @Test func sharedSnapshotsLetGo() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let count = Self.heldLimit / Self.valueSize + 100
    try makePictures(path, count: count)
    let live = try Self.open(path)
    let shared = try Snapshot(sharing: live, letsGo: true)
    // A value is read a little before what it adds is let go of.
    let limit = Self.heldLimit + Self.idleLimit + 2 * Self.valueSize
    for _ in 0..<2 {
      for row in 0..<count {
        let byte = shared.table(0).withBytes(0, row) { $0[Self.valueSize - 1] }
        #expect(byte == UInt8(truncatingIfNeeded: row) && shared.table(0).integer(1, row) == Int64(row))
        #expect(shared.decryptedSize <= Self.heldLimit + 2 * Self.valueSize)
      }
      #expect(shared.file.decryptedSize <= limit)
    }
    // Whoever is inside keeps everything; from within, one lets go who is alone there.
    shared.reading {
      #expect(Self.isRight(shared, 0..<count))
      #expect(shared.decryptedSize > Self.heldLimit)
      shared.reading { #expect(!shared.letGoOfDecrypted()) }
      #expect(shared.letGoOfDecrypted() && shared.decryptedSize == 0)
      #expect(Self.isRight(shared, 0..<count))
    }
    #expect(shared.decryptedSize == 0)
    let wrong = Atomic(0)
    nonisolated(unsafe) let snapshot = shared
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      for round in 0..<count {
        let row = (number * 170 + round) % count
        let isRight = snapshot.table(0).withBytes(0, row) { bytes in
          let byte = UInt8(truncatingIfNeeded: row)
          return bytes.count == Self.valueSize && bytes[0] == byte && bytes[Self.valueSize - 1] == byte
        }
        if !isRight { wrong.add(1, ordering: .relaxed) }
      }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
    #expect(shared.decryptedSize <= Self.heldLimit + 2 * Self.valueSize)
  }

  /// What others have decrypted is held by who reads it, too; and what could not be let go of during a walk is, after it.
  @Test func sharedSnapshotsLetGoOfWhatOthersHaveDecrypted() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let count = Self.heldLimit / Self.valueSize + 100
    try makePictures(path, count: count)
    let first = try Self.open(path)
    let second = try Snapshot(file: first.file)
    #expect(Self.isRight(first, 0..<count / 2) && Self.isRight(second, count / 2..<count))
    let shared = try Snapshot(sharing: first, letsGo: true)
    for row in 0..<count { shared.table(0).withBytes(0, row) { #expect($0.count == Self.valueSize) } }
    #expect(shared.decryptedSize <= Self.heldLimit + 2 * Self.valueSize)
    do {
      let lease = shared.lease
      for row in 0..<count { shared.table(0).withBytes(0, row) { #expect($0.count == Self.valueSize) } }
      withExtendedLifetime(lease) { #expect(shared.decryptedSize > Self.heldLimit) }
    }
    #expect(shared.table(0).integer(1, 0) == 0)
    #expect(shared.decryptedSize <= Self.heldLimit)
  }

  /// Several threads that read one version let go of what the others read, too.
  @Test func severalThreadsLetGo() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let count = Self.heldLimit / Self.valueSize + 100
    try makePictures(path, count: count)
    let file = try DatabaseFile.open(path: path, encryptionKey: Self.key)
    let wrong = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      do {
        let snapshot = try Snapshot(file: file)
        for round in 0..<3 {
          let middle = (number * 170 + round * 31) % count
          if !Self.isRight(snapshot, middle..<count) || !Self.isRight(snapshot, 0..<middle) {
            wrong.add(1, ordering: .relaxed)
          }
          try snapshot.advance()
        }
      } catch {
        wrong.add(1, ordering: .relaxed)
      }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
    #expect(file.decryptedSize <= Self.idleLimit)
  }

  /// What a migration goes through is decrypted for as long as that takes, whether it is only read or also written, and
  /// strings that were read there stay what they are.
  @Test func whatAMigrationHasGoneThroughIsLetGoOf() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let columns = [
      Column(name: "number", type: .int), Column(name: "text", type: .string),
      Column(name: "other", type: .string), Column(name: "copy", type: .string),
    ]
    let count = 50 * chunkCapacity
    // With a value that has a key of its own, a chunk stays spread out when it was written.
    func other(_ row: Int) -> String {
      row % 1_000 == 5 ? String(repeating: "other text \(row) ", count: 500) : "other text \(row)"
    }
    try Self.make(path, columns) { snapshot in
      for number in 0..<count {
        let row = snapshot.table(0).insertRow()
        snapshot.table(0).setInteger(0, row, Int64(number) &* 0x9E37_79B9)
        snapshot.table(0).setString(1, row, "text number \(number)")
        snapshot.table(0).setString(2, row, other(number))
        snapshot.table(0).setString(3, row, "")
      }
    }
    let snapshot = try Self.open(path)
    let file = snapshot.file
    try snapshot.beginWrite()
    let old = try Snapshot(sharing: snapshot)
    old.foundDamage = FoundDamage()
    let table = snapshot.table(0)
    // More at a time would be half a column.
    let limit = file.decryptedSize + 500_000
    old.table(0).forEachSoundRow(packing: table) { row in
      #expect(old.table(0).integer(0, row) == table.integer(0, row))
      table.setString(3, row, old.table(0).string(1, row))
      // The others of the chunk stay where they were read.
      if row % 700 == 0 { table.setString(2, row, "new \(row)") }
      if row % chunkCapacity == 0 { #expect(file.decryptedSize < limit) }
    }
    #expect(file.decryptedSize < limit)
    func isRight(_ snapshot: Snapshot) -> Bool {
      (0..<count).allSatisfy { row in
        let table = snapshot.table(0)
        return table.integer(0, row) == Int64(row) &* 0x9E37_79B9
          && table.string(1, row) == "text number \(row)" && table.string(3, row) == "text number \(row)"
          && table.string(2, row) == (row % 700 == 0 ? "new \(row)" : other(row))
      }
    }
    #expect(isRight(snapshot))
    #expect((0..<count).allSatisfy { old.table(0).string(2, $0) == other($0) })
    try snapshot.commitWrite(durability: .relaxed)
    #expect(isRight(snapshot))
    #expect(isRight(try Snapshot(file: file)))
  }

  /// Nothing of the file is left in the memory of the process, once the file is closed: neither values as they were
  /// decrypted, nor those that were spread out.
  @Test(
    .disabled(if: Planted.isBesideShadows, "all that the thread sanitizer notes down would be searched too"))
  func memoryIsCleared() async throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    try Self.make(path, [Column(name: "id", type: .uuid)]) { snapshot in
      for _ in 0..<30 * chunkCapacity {
        let row = snapshot.table(0).insertRow()
        snapshot.table(0).setFixed16(0, row, Planted.value)
      }
      try snapshot.commitWrite(durability: .relaxed)
      try snapshot.beginWrite()
      // Half of the chunks become sparse ones.
      for row in 0..<15 * chunkCapacity where row % chunkCapacity >= 100 { snapshot.table(0).deleteRow(row) }
    }
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [path = path as String] in
      func open() -> Snapshot {
        try! Snapshot(file: DatabaseFile.open(path: path, encryptionKey: [UInt8](repeating: 9, count: 64)))
      }
      func read() {
        let snapshot = open()
        for chunk in 0..<30 { _ = snapshot.table(0).isNull(0, chunk * chunkCapacity + 5) }
        // The sparse ones twice.
        let found = Planted.count()
        precondition(found >= 15 * (2 * 100 + chunkCapacity), "only \(found) values are in memory")
        // With something behind it, the C library does not give back what is freed.
        _ = UnsafeMutableRawPointer.allocate(byteCount: 60_000, alignment: 16)
      }
      func migrate() {
        let snapshot = open()
        try! snapshot.beginWrite()
        let old = try! Snapshot(sharing: snapshot)
        old.table(0).forEachSoundRow(packing: snapshot.table(0)) { row in
          if row != 20 * chunkCapacity { return }
          precondition(Planted.count() >= chunkCapacity)
          _ = UnsafeMutableRawPointer.allocate(byteCount: 60_000, alignment: 16)
        }
        snapshot.cancelWrite()
      }
      for use in [read, migrate] {
        use()
        let found = Planted.count()
        // One or the other may have been on a stack.
        precondition(found < 8, "\(found) values are still in memory")
      }
    }
    #expect(result?.standardErrorContent.isEmpty == true)
  }
}

/// A value that is nowhere in memory but where it was read to.
private enum Planted {
  /// Whether most of what the process can write to is the thread sanitizer's: many terabytes.
  static var isBesideShadows: Bool {
    #if THREAD_SANITIZER
      true
    #else
      false
    #endif
  }

  private static let first: UInt64 = 0x5EED_0FF1_CE5A_17E5
  /// Made of the first half when it is looked for.
  private static var last: UInt64 { first &* 0x9E37_79B9_7F4A_7C15 }

  static var value: Fixed16 { Fixed16(high: first.bigEndian, low: last.bigEndian) }

  /// How often it is in what the process can write to.
  static func count() -> Int {
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    var found = 0
    for line in maps.split(separator: "\n") where line.contains(" rw-p ") && !line.hasSuffix("[stack]") {
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt(String($0), radix: 16) }
      guard ends.count == 2, let start = UnsafeRawPointer(bitPattern: ends[0]) else { continue }
      found += count(in: UnsafeRawBufferPointer(start: start, count: Int(ends[1] - ends[0])))
    }
    return found
  }

  /// Values lie where a number of eight bytes may.
  private static func count(in memory: UnsafeRawBufferPointer) -> Int {
    let words = memory.bindMemory(to: UInt64.self)
    let (first, last) = (first, last)
    var found = 0
    for index in 0..<max(0, words.count - 1) where words[index] == first && words[index + 1] == last {
      found += 1
    }
    return found
  }
}
