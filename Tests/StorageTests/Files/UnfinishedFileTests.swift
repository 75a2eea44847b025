import Foundation
import Testing

@testable import Storage

/// What is left of a file that could not be created does not stand in its way.
@Suite struct UnfinishedFileTests {
  private let path = TemporaryFile.path()
  private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

  /// The first two pages as LMDB writes them into a new file, before its first transaction.
  private static let initialPages: Data = {
    var pages = Data(count: 2 * pageSize)
    for page in 0..<2 {
      let start = page * pageSize
      pages[start] = UInt8(page)
      pages[start + 10] = 8
      pages.replaceSubrange(start + 16..<start + 24, with: [0xDE, 0xC0, 0xEF, 0xBE, 1, 0, 0, 0])
      // The size of the map, that of pages, and the flags: those of LMDB and integer keys.
      pages[start + 34] = 1
      pages.replaceSubrange(start + 40..<start + 46, with: [0, 0x10, 0, 0, 8, 0x40])
      for root in [80, 128] {
        pages.replaceSubrange(start + root..<start + root + 8, with: [UInt8](repeating: 255, count: 8))
      }
      pages[start + 136] = 1
    }
    return pages
  }()

  @Test(arguments: [0, 512, 4096, 6000, 8191, 8192]) func aStumpIsNew(size: Int) throws {
    defer { TemporaryFile.delete(path) }
    try Self.initialPages.prefix(size).write(to: URL(fileURLWithPath: path))
    try checkIsUsable()
  }

  /// Writes to the file, and finds what was written when it is opened again.
  private func checkIsUsable() throws {
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      #expect(snapshot.catalogue == Catalogue())
      try snapshot.beginWrite()
      snapshot.setCatalogue(Catalogue(tables: [TableDescription(name: "Thing", columns: [])]))
      try snapshot.commitWrite(durability: .full)
    }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path, readOnly: true))
    #expect(snapshot.catalogue.tables.map(\.name) == ["Thing"])
    #expect(try FileVerification(path: path).faults == [])
  }

  /// The system failed before the pages were on the disk.
  @Test(arguments: [(1, false), (2, false), (1, true), (2, true), (7, true)])
  func pagesThatNeverReachedTheDisk(
    count: Int, hasFirst: Bool
  ) throws {
    defer { TemporaryFile.delete(path) }
    var content = Data(count: count * Self.pageSize)
    if hasFirst { content.replaceSubrange(0..<Self.pageSize, with: Self.initialPages.prefix(Self.pageSize)) }
    try content.write(to: URL(fileURLWithPath: path))
    try checkIsUsable()
  }

  /// What may be somebody else's stays, with the message of always.
  @Test func whatIsNotAStumpIsRefused() throws {
    var others: [Data] = [Data([1]), Data([0]), Data(count: 100), Data("short text".utf8)]
    others.append(Data(repeating: 7, count: 4096))
    others.append(Data(count: 8192) + Data([1]))
    others.append(Data(count: 7 * Self.pageSize))
    others.append(Data(count: 65 * Self.pageSize))
    // A meta page with a transaction.
    var used = Self.initialPages.prefix(Self.pageSize)
    used[144] = 1
    others.append(used)
    for content in others {
      defer { TemporaryFile.delete(path) }
      try content.write(to: URL(fileURLWithPath: path))
      #expect(throws: StorageError.self) { try DatabaseFile.open(path: path) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
    }
  }

  @Test func aReaderLeavesAStumpAlone() throws {
    defer { TemporaryFile.delete(path) }
    let stump = Self.initialPages.prefix(Self.pageSize)
    try stump.write(to: URL(fileURLWithPath: path))
    #expect(throws: StorageError.self) { try DatabaseFile.open(path: path, readOnly: true) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == stump)
  }

  /// Pages of a mapped file that are not on the disk end the process when there is no room for them.
  @Test func theLockFileIsOnTheDisk() throws {
    defer { TemporaryFile.delete(path) }
    let lock = path + "-lock"
    func check() throws {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try snapshot.beginWrite()
      try snapshot.commitWrite()
      var information = stat()
      #expect(stat(lock, &information) == 0)
      #expect(information.st_size > 0 && information.st_blocks * 512 >= information.st_size)
    }
    try check()
    // The same for a file of before, and one that was cut off.
    unlink(lock)
    #expect(FileManager.default.createFile(atPath: lock, contents: nil))
    #expect(truncate(lock, 131_200) == 0)
    try check()
    #expect(truncate(lock, 1000) == 0)
    try check()
    var information = stat()
    stat(lock, &information)
    #expect(information.st_size == 131_200, "LMDB wants another size for as many readers")
  }
}
