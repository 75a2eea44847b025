import Foundation
import LibC
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Openings that fail, and what the next one believes.
@Suite struct FailedOpeningTests {
  private let folder = ScratchFolder()
  private let options = PageStore.Options(mapLimit: 1 << 28)

  /// A record could not be erased, so that the version before it counts. It was never synchronised.
  @Test func whatTheDiskLacksAfterASecondFailureIsNotTaken() throws {
    let path = folder.path("unerased.pages")
    let outage = Outage(path: path)
    var failing = options
    failing.watcher = outage
    let value = [UInt8](repeating: 0xAB, count: 10_000)
    do {
      let store = try PageStore(path: path, options: failing)
      for _ in 0..<3 { try ScriptedTransactions.perform(store, .full) }
      let transaction = try PageTransaction(store)
      try [UInt8](1...4).withUnsafeBytes { key in try value.withUnsafeBytes { try transaction.set(key, $0) } }
      try transaction.commit(.relaxed)
      (outage.isOut, outage.unnoticed) = (true, 1)
      #expect(throws: PageError.system(ENOSPC)) { try ScriptedTransactions.perform(store, .relaxed) }
      outage.isOut = false
      #expect(store.memory[.poisoned] == LockMemory.Poison.unerased)
      try store.close()
    }
    outage.failsToSynchronise = true
    #expect(throws: PageError.system(EIO)) { try PageStore(path: path, options: failing) }
    // A block of the relaxed commit did not reach the disk.
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    let bytes = try #require(try file.readToEnd())
    let place = try #require(bytes.firstRange(of: Data(value.prefix(8000)))?.lowerBound)
    try file.seek(
      toOffset: UInt64(FileLayout.blockStart(atOrAfter: place / FileLayout.unit) * FileLayout.unit))
    try file.write(contentsOf: Data(count: FileLayout.block))
    let store = try PageStore(path: path, options: options)
    var script = ScriptedTransactions()
    try PageVersion.with(store) { version in
      let relaxed = try [UInt8](1...4).withUnsafeBytes { try version.value($0)?.count }
      try #require(relaxed == nil)
      let count = try script.check(version)
      #expect(count == 3)
    }
    #expect(try ScriptedTransactions.perform(store, .full) == 4)
    try store.close()
  }

  /// How many bytes of a file the system has in memory.
  private func cachedSize(_ path: String) throws -> Int {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    let start = try #require(mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0))
    defer { munmap(start, size) }
    var pages = [UInt8](repeating: 0, count: size / Int(getpagesize()) + 1)
    #expect(mincore(start, size, &pages) == 0)
    return pages.count { $0 & 1 != 0 } * Int(getpagesize())
  }

  /// After a disk has failed, the system may keep in memory what the disk does not have. It drops nothing that a process maps.
  @Test func whatWasReadCanBeDropped() throws {
    let path = folder.path("dropped.pages")
    let store = try PageStore(path: path, options: options)
    for _ in 0..<40 { try ScriptedTransactions.perform(store, .full) }
    func read() throws {
      var script = ScriptedTransactions()
      let count = try PageVersion.with(store) { try script.check($0) }
      #expect(count == 40)
    }
    let other = try DiskFile(path: path, O_RDONLY, watcher: nil)
    try other.synchronise()
    /// Whether the system has dropped everything; it may be about to read or to note something.
    func isDropped() throws -> Bool {
      for _ in 0..<100 {
        other.forgetCached()
        if try cachedSize(path) == 0 { return true }
        usleep(1000)
      }
      return false
    }
    store.map.letGo()
    if try !isDropped() { try Test.cancel("the file system keeps what is in memory") }
    try read()
    #expect(try cachedSize(path) > 0)
    store.map.letGo()
    #expect(try isDropped())
    try read()
    try store.close()
    // The object is still there; closing has written a slot.
    try other.synchronise()
    #expect(try isDropped())
  }

  /// The memory is of a former time, and another process waits as this one does.
  @Test func aProcessThatWaitsDoesNotVouchForTheMemory() throws {
    let path = folder.path("waiting.pages")
    var store: PageStore! = try PageStore(path: path, options: options)
    try ScriptedTransactions.perform(store, .full)
    try store.close()
    store = nil
    let descriptors = [open(path, O_RDWR | O_CLOEXEC), open(path + "-lock", O_RDWR | O_CLOEXEC)]
    for descriptor in descriptors { try ByteLock.lock(descriptor, 1 << 60, .shared) }
    let ending = Thread { [descriptors] in
      usleep(100_000)
      for descriptor in descriptors { close(descriptor) }
    }
    ending.start()
    store = try PageStore(path: path, options: options)
    // The only process, which has chosen the version itself.
    #expect(store.memory[.openings] == 1)
    #expect(try ScriptedTransactions.perform(store, .full) == 2)
    try store.close()
  }
}
