import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Storage

/// What of an encrypted file of pages is in memory, and for how long.
@Suite struct DecryptedSnapshotTests {
  private static let key = [UInt8](repeating: 9, count: 64)
  private static let valueSize = 100_000
  private static var heldLimit: Int { DecryptedLimits.held.load(ordering: .relaxed) }
  private static var idleLimit: Int { DecryptedLimits.idle.load(ordering: .relaxed) }
  /// More than a snapshot keeps.
  private static let count = 400

  private static func open(_ path: String, readOnly: Bool = false) throws -> Snapshot {
    try Snapshot(file: DatabaseFile.open(path: path, readOnly: readOnly, encryptionKey: key))
  }

  /// A file with values of 100,000 bytes.
  private static func makePictures(_ path: String, count: Int) throws {
    let snapshot = try open(path)
    let columns = [Column(name: "pixels", type: .data), Column(name: "number", type: .int)]
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(Catalogue(tables: [TableDescription(name: "Picture", columns: columns)]))
    for number in 0..<count {
      let row = snapshot.table(0).insertRow()
      let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: Self.valueSize)
      bytes.withUnsafeBytes { snapshot.table(0).setData(0, row, $0) }
      snapshot.table(0).setInteger(1, row, Int64(number))
      if number % 500 == 499 {
        try Writer(snapshot).commit(durability: .relaxed)
        try Writer(snapshot).begin()
      }
    }
    try Writer(snapshot).commit(durability: .relaxed)
  }

  private static func isRight(_ snapshot: Snapshot, _ rows: Range<Int>) -> Bool {
    rows.allSatisfy { row in
      let bytes = snapshot.table(0).bytes(0, row)
      let byte = UInt8(truncatingIfNeeded: row)
      return bytes.count == valueSize && bytes[0] == byte && bytes[valueSize - 1] == byte
        && snapshot.table(0).integer(1, row) == Int64(row)
    }
  }

  @Test(arguments: [false, true]) func aMovingSnapshotReleasesWhatIsTooMuch(readOnly: Bool) throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    try Self.makePictures(path, count: Self.count)
    let snapshot = try Self.open(path, readOnly: readOnly)
    #expect(Self.isRight(snapshot, 0..<50))
    let stamp = snapshot.contentStamp
    #expect(try !snapshot.advance())
    // So much may stay where it is.
    #expect(snapshot.contentStamp == stamp && snapshot.decryptedSize >= 50 * Self.valueSize)
    for _ in 0..<2 {
      #expect(Self.isRight(snapshot, 0..<Self.count))
      #expect(snapshot.decryptedSize > Self.heldLimit && snapshot.mayHoldTooMuch)
      let (stamp, visible) = (snapshot.contentStamp, snapshot.visibleStamp)
      #expect(try !snapshot.advance())
      #expect(snapshot.contentStamp != stamp && snapshot.visibleStamp == visible)
      #expect(snapshot.decryptedSize == 0 && snapshot.file.decryptedSize <= Self.idleLimit)
    }
  }

  /// In the middle of reading, too, also an old version; and not while something is written.
  @Test func oldVersionsAreReleased() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    try Self.makePictures(path, count: Self.count)
    let snapshot = try Self.open(path)
    let version = snapshot.version
    let writer = try Snapshot(file: snapshot.file)
    try Writer(writer).begin()
    writer.table(0).setInteger(1, 0, -1)
    try Writer(writer).commit(durability: .relaxed)
    for _ in 0..<2 {
      #expect(Self.isRight(snapshot, 0..<Self.count))
      #expect(!snapshot.letGoOfDecrypted(beyond: Self.count * Self.valueSize))
      #expect(snapshot.letGoOfDecrypted() && snapshot.version == version)
      #expect(!snapshot.letGoOfDecrypted())
    }
    // A shared snapshot has a transaction of its own where there is no newer version.
    let frozen = try Snapshot(sharing: writer)
    #expect(Self.isRight(frozen, 1..<Self.count) && !frozen.letGoOfDecrypted())
    #expect(Self.isRight(writer, 1..<Self.count) && writer.letGoOfDecrypted())
    #expect(Self.isRight(frozen, 1..<Self.count))
    try Writer(writer).begin()
    #expect(Self.isRight(writer, 1..<Self.count) && !writer.letGoOfDecrypted())
    Writer(writer).cancel()
    #expect(writer.letGoOfDecrypted())
  }

  /// Addresses that are kept when a snapshot moves are those of memory that it keeps.
  @Test func aMovingSnapshotKeepsWhatItReads() async throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    try Self.makePictures(path, count: 3_000)
    await #expect(processExitsWith: .success) { [path = path as String] in
      DatabaseFile.setDecryptedLimits(held: 1 << 20, idle: 0)
      let snapshot = try Self.open(path)
      let writer = try Snapshot(file: snapshot.file)
      for round in 0..<20 {
        for row in stride(from: 0, to: 3_000, by: 7) {
          let expected = row == 2_999 && round > 0 ? Int64(-round) : Int64(row)
          precondition(snapshot.table(0).integer(1, row) == expected, "row \(row), round \(round)")
        }
        // Of a version that is shared, nothing is taken along.
        let shared = round % 3 == 0 ? try Snapshot(again: snapshot) : nil
        try Writer(writer).begin()
        writer.table(0).setInteger(1, 2_999, Int64(-1 - round))
        try Writer(writer).commit(durability: .relaxed)
        try snapshot.advance()
        precondition(snapshot.table(0).integer(1, 2_999) == Int64(-1 - round))
        if let shared { precondition(shared.table(0).integer(1, 5) == 5) }
      }
    }
  }

  /// Several threads that read one version, of which each releases what it has read.
  @Test func severalThreadsRelease() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    try Self.makePictures(path, count: Self.count)
    let file = try DatabaseFile.open(path: path, encryptionKey: Self.key)
    let wrong = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      do {
        let snapshot = try Snapshot(file: file)
        for round in 0..<3 {
          let middle = (number * 70 + round * 31) % Self.count
          if !Self.isRight(snapshot, middle..<Self.count) || !Self.isRight(snapshot, 0..<middle) {
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

  /// What a migration has read of the former version is released behind it.
  @Test func aMigrationReleasesWhatItHasGoneThrough() async throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let count = 50 * chunkCapacity
      DatabaseFile.setDecryptedLimits(held: 100_000, idle: 0)
      do {
        let snapshot = try Self.open(path)
        let columns = [
          Column(name: "text", type: .string), Column(name: "copy", type: .string),
          Column(name: "list", type: .int, collection: .list),
        ]
        try Writer(snapshot).begin()
        Writer(snapshot).setCatalogue(Catalogue(tables: [TableDescription(name: "Note", columns: columns)]))
        for number in 0..<count {
          let row = snapshot.table(0).insertRow()
          snapshot.table(0).setString(0, row, "text number \(number)")
          if number % 100 == 0 { snapshot.table(0).appendElement(2, row, .int(Int64(number))) }
        }
        try Writer(snapshot).commit(durability: .relaxed)
      }
      let snapshot = try Self.open(path)
      try Writer(snapshot).begin()
      let old = try Snapshot(sharing: snapshot)
      let stamp = old.sharedStamp
      old.table(0).forEachSoundRow { row in
        if row % 100 == 0 { precondition(old.table(0).elements(2, row) == [.int(Int64(row))]) }
        snapshot.table(0).setString(1, row, old.table(0).string(0, row))
        precondition(old.decryptedSize < 250_000, "\(old.decryptedSize) bytes")
      } afterChunk: {
        Writer(snapshot).packChunks(snapshot.table(0), $0)
      }
      precondition(old.sharedStamp != stamp)
      try Writer(snapshot).commit(durability: .relaxed)
      for row in 0..<count { precondition(snapshot.table(0).string(1, row) == "text number \(row)") }
      for row in 0..<count { precondition(old.table(0).string(0, row) == "text number \(row)") }
    }
  }

  /// A walk as a live realm does it, a verification and a copy, each of a file of many times what they keep.
  @Test(.disabled(if: Memory.isWatched, "the sanitizer needs several times the memory"), arguments: Use.all)
  func aLargeFileNeedsLittleMemory(use: Use) async throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    try Self.makePictures(path, count: Use.count)
    await #expect(processExitsWith: .success) { [path = path as String, use = use.rawValue as Int] in
      let before = Memory.size
      try Use(rawValue: use)!.perform(path, Self.key)
      let growth = (Memory.largest - before) >> 20
      precondition(growth <= 100, "\(growth) MB")
    }
  }

  enum Use: Int {
    case walk, verification, copy

    static let all: [Use] = [.walk, .verification, .copy]
    /// 1 GB with the long tests.
    static let count = ProcessInfo.processInfo.environment["LONG_TESTS"] == nil ? 3_000 : 10_000

    func perform(_ path: String, _ key: [UInt8]) throws {
      switch self {
      case .walk:
        let snapshot = try DecryptedSnapshotTests.open(path)
        for row in 0..<Self.count {
          if row % 16 == 0, snapshot.mayHoldTooMuch { snapshot.letGoOfDecrypted() }
          precondition(DecryptedSnapshotTests.isRight(snapshot, row..<row + 1))
        }
      case .verification:
        let verification = try FileVerification(path: path, encryptionKey: key)
        precondition(verification.faults.isEmpty && verification.objectCount == Self.count)
      case .copy:
        let copy = path + ".copy"
        defer { TemporaryFile.delete(copy) }
        try DecryptedSnapshotTests.open(path).writeCopy(to: copy, encryptionKey: key.map { $0 ^ 1 })
      }
    }
  }
}

/// How much memory the process has, in bytes.
private enum Memory {
  #if THREAD_SANITIZER
    static let isWatched = true
  #else
    static let isWatched = false
  #endif

  static var size: Int { read("VmRSS:") }
  /// The most that it had.
  static var largest: Int { read("VmHWM:") }

  private static func read(_ name: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
    return (line.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0) << 10
  }
}
