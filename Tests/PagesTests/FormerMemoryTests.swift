import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Lock files whose memory is of another time than the file is now.
@Suite struct FormerMemoryTests {
  private let folder = ScratchFolder()

  private func perform(_ store: PageStore, _ count: Int) throws {
    for _ in 0..<count { try ScriptedTransactions.perform(store, .full) }
  }

  private func count(_ store: PageStore) throws -> Int {
    var script = ScriptedTransactions()
    return try PageVersion.with(store) { try script.check($0) }
  }

  /// Its memory has a version that the file had once.
  @Test(arguments: [1, 2, 10, 30, 40]) func aLockFileThatWasMovedAwayAndBackTakesNoVersionBack(
    later: Int
  ) throws {
    let path = folder.path("back-\(later).pages")
    let options = PageStore.Options(mapLimit: 1 << 28)
    var store = try PageStore(path: path, options: options)
    try perform(store, 5)
    try store.close()
    rename(path + "-lock", path + ".old")
    store = try PageStore(path: path, options: options)
    try perform(store, later)
    try store.close()
    rename(path + ".old", path + "-lock")
    store = try PageStore(path: path, options: options)
    #expect(try count(store) == 5 + later)
    try store.close()
  }

  private final class Failure: StoreWatcher {
    var isNow: Bool
    init(isNow: Bool = true) { self.isNow = isNow }
    func willWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) {}
    func willSynchronise() throws(PageError) { if isNow { throw .system(EIO) } }
    func didSynchronise() {}
    func willStore() {}
  }

  /// Leaves a file whose last commit failed with a synchronisation.
  private func fail(_ path: String) throws {
    var failing = PageStore.Options(mapLimit: 1 << 28)
    failing.watcher = Failure()
    let store = try PageStore(path: path, options: failing)
    #expect(throws: PageError.system(EIO)) { try ScriptedTransactions.perform(store, .full) }
    try store.close()
  }

  /// As a backup that is copied over the file, which keeps its inode.
  @Test func aFileThatIsRestoredAfterAFailureIsOpened() throws {
    let path = folder.path("restored.pages")
    let options = PageStore.Options(mapLimit: 1 << 28)
    var store = try PageStore(path: path, options: options)
    try perform(store, 5)
    try store.close()
    let backup = try Data(contentsOf: URL(fileURLWithPath: path))
    store = try PageStore(path: path, options: options)
    try perform(store, 50)
    try store.close()
    try fail(path)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.write(contentsOf: backup)
    try file.truncate(atOffset: UInt64(backup.count))
    store = try PageStore(path: path, options: options)
    #expect(try count(store) == 5)
    try store.close()
  }

  /// The file has gone on with another lock file, but nothing was written to it.
  @Test func aLockFileThatTellsOfAFormerFailureKeepsNothingClosed() throws {
    let path = folder.path("opened.pages")
    let options = PageStore.Options(mapLimit: 1 << 28)
    var store = try PageStore(path: path, options: options)
    try perform(store, 5)
    try store.close()
    // The durable version is in a chain, not in a slot.
    var failing = options
    let failure = Failure(isNow: false)
    failing.watcher = failure
    store = try PageStore(path: path, options: failing)
    try perform(store, 1)
    failure.isNow = true
    #expect(throws: PageError.system(EIO)) { try ScriptedTransactions.perform(store, .full) }
    try store.close()
    rename(path + "-lock", path + ".old")
    store = try PageStore(path: path, options: options)
    let found = try count(store)
    #expect(found >= 6)
    try store.close()
    rename(path + ".old", path + "-lock")
    store = try PageStore(path: path, options: options)
    #expect(try count(store) == found)
    try store.close()
  }

  /// As a process that is killed.
  private func performAndDie(_ path: String, _ count: Int) throws {
    let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
    try perform(store, count)
  }

  /// The process that wrote with another lock file was killed, so that no slot confirms its versions.
  @Test(arguments: [1, 2, 5, 20]) func aFormerFailureTakesNoVersionOfADeadProcessBack(later: Int) throws {
    let path = folder.path("dead-\(later).pages")
    let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
    try perform(store, 5)
    try store.close()
    try fail(path)
    rename(path + "-lock", path + ".old")
    try performAndDie(path, later)
    rename(path + ".old", path + "-lock")
    let found = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
    #expect(try count(found) == 5 + later)
    try found.close()
  }

  /// Words of the lock file that are not what they were, whichever: nothing durable is lost, and no process is stopped.
  @Test(arguments: [false, true]) func damagedWordsAreNotBelieved(isClosed: Bool) throws {
    let places = [8, 16, 24, 40, 104, 112, 120, 168].map { $0..<$0 + 8 } + [512..<1024, 2048..<2432]
    for word in places.flatMap({ Array(stride(from: $0.lowerBound, to: $0.upperBound, by: 8)) }) {
      for value in [1, 7, UInt64.max] {
        let path = folder.path("\(isClosed)-\(word)-\(value).pages")
        if isClosed {
          let store = try PageStore(path: path, options: .init(mapLimit: 1 << 24))
          try perform(store, 12)
          try store.close()
        } else {
          try performAndDie(path, 12)
        }
        let lock = try FileHandle(forUpdating: URL(fileURLWithPath: path + "-lock"))
        try lock.seek(toOffset: UInt64(word))
        try lock.write(contentsOf: withUnsafeBytes(of: value) { Data($0) })
        try performAndDie(path, 3)
        let store = try PageStore(path: path, options: .init(mapLimit: 1 << 24))
        #expect(try count(store) == 15, "\(word) = \(value)")
        try store.close()
        unlink(path)
        unlink(path + "-lock")
      }
    }
  }

  /// What the system has in memory may not be on the disk, though the next synchronisation succeeds.
  @Test func anOpeningWhoseSynchronisationFailedIsNotForgotten() throws {
    let path = folder.path("opening.pages")
    let options = PageStore.Options(mapLimit: 1 << 28)
    var store = try PageStore(path: path, options: options)
    try perform(store, 5)
    for _ in 0..<3 { try ScriptedTransactions.perform(store, .relaxed) }
    // As after a crash, without a lock file.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try store.close()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.write(contentsOf: bytes)
    unlink(path + "-lock")
    var failing = options
    failing.watcher = Failure()
    #expect(throws: PageError.system(EIO)) { try PageStore(path: path, options: failing) }
    store = try PageStore(path: path, options: options)
    #expect(try count(store) == 5)
    try perform(store, 1)
    #expect(try count(store) == 6)
    try store.close()
  }

  /// Its memory tells of a synchronisation that failed, after which the file has gone on with another lock file.
  @Test func aLockFileThatTellsOfAFormerFailureTakesNoVersionBack() throws {
    let path = folder.path("failed.pages")
    let options = PageStore.Options(mapLimit: 1 << 28)
    var store = try PageStore(path: path, options: options)
    try perform(store, 5)
    try store.close()
    try fail(path)
    rename(path + "-lock", path + ".old")
    store = try PageStore(path: path, options: options)
    let found = try count(store)
    try perform(store, 3)
    try store.close()
    rename(path + ".old", path + "-lock")
    store = try PageStore(path: path, options: options)
    #expect(try count(store) == found + 3)
    try store.close()
  }

  /// Makes a commit that does not wait for the disk, and dies.
  private func makeLastCommit(_ path: String, of value: [UInt8]) throws {
    let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> Int32).self)
    let child = fork()
    if child == 0 {
      let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
      let transaction = try PageTransaction(store)
      try value.withUnsafeBytes { try transaction.set(UnsafeRawBufferPointer(rebasing: $0[..<4]), $0) }
      try transaction.commit(.relaxed)
      kill(getpid(), SIGKILL)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
  }

  /// The disk may lack parts of the newest version after a power failure, and also when it was lost and has returned.
  @Test func whatTheDiskMayLackIsVerified() async {
    await #expect(processExitsWith: .exitCode(0)) {
      for isKnown in [true, false] {
        let tests = FormerMemoryTests()
        let path = tests.folder.path("boot.pages")
        let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
        try tests.perform(store, 5)
        try store.close()
        let value = [UInt8](repeating: 0xAB, count: 10_000)
        try tests.makeLastCommit(path, of: value)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let bytes = try file.readToEnd()!
        guard let place = bytes.firstRange(of: Data(value)) else { _exit(2) }
        try file.seek(toOffset: UInt64(place.lowerBound + 3000))
        try file.write(contentsOf: Data(count: 4096))
        if !isKnown {
          let lock = try FileHandle(forUpdating: URL(fileURLWithPath: path + "-lock"))
          try lock.seek(toOffset: UInt64(LockMemory.Word.boot.rawValue))
          try lock.write(contentsOf: Data(count: 8))
        }
        let found = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
        let isWhole = try PageVersion.with(found) { version in
          do {
            return try value[..<4].withUnsafeBytes { try version.value($0) } == nil
          } catch PageError.damaged { return false }
        }
        guard isWhole else { _exit(isKnown ? 3 : 4) }
        try? found.close()
      }
      _exit(0)
    }
  }
}
