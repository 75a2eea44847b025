import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Who has a file open, whatever happens to its lock file, to numbers of processes, and in a child of `fork`.
@Suite struct FileUsersTests {
  private let folder = ScratchFolder()
  private let options = PageStore.Options(mapLimit: 1 << 28, chainLimit: 3, smallSize: 0)

  private func perform(_ store: PageStore, _ count: Int) throws {
    for _ in 0..<count { try ScriptedTransactions.perform(store, .full) }
  }

  private func count(_ store: PageStore) throws -> Int {
    var script = ScriptedTransactions()
    return try PageVersion.with(store) { try script.check($0) }
  }

  @Test func openingFailsWhileOtherProcessesUseARemovedLockFile() throws {
    let path = folder.path("removed.pages")
    let first = try PageStore(path: path, options: options)
    try perform(first, 5)
    unlink(path + "-lock")
    #expect(throws: PageError.lockFileRemoved) { try PageStore(path: path, options: options) }
    try perform(first, 5)
    try first.close()
    let second = try PageStore(path: path, options: options)
    #expect(try count(second) == 10)
  }

  /// One that is restored with its lock file may get the inode of the original.
  @Test func aRestoredFileIsToldFromTheOriginal() throws {
    let path = folder.path("restored.pages")
    func make() throws -> (inode: UInt64, created: UInt64, ready: UInt64) {
      let file = try DiskFile(path: path, O_RDWR | O_CREAT, watcher: nil)
      let ready = try PageStore.readiness(file)
      #expect(try PageStore.readiness(DiskFile(path: path, O_RDONLY, watcher: nil)) == ready)
      return (try file.identity.inode, file.created, ready)
    }
    let original = try make()
    if original.created == 0 { try Test.cancel("the file system does not know when a file was made") }
    var restored = original
    while (restored.inode, restored.created) == (original.inode, original.created) {
      unlink(path)
      restored = try make()
    }
    #expect(restored.ready != original.ready)
  }

  /// The kernel closes the lock file of a process that is killed, and some time later the file.
  @Test(arguments: [true, false]) func aProcessThatDiesHasLocksForAWhile(isWriter: Bool) throws {
    let path = folder.path("dying-\(isWriter).pages")
    let store = try PageStore(path: path, options: options)
    try perform(store, 5)
    try store.close()
    let descriptor = open(path, O_RDWR)
    let firstByte: off_t = 1 << 60
    #expect(try ByteLock.tryLock(descriptor, firstByte, .shared))
    #expect(try ByteLock.tryLock(descriptor, firstByte + 1 << 32, .exclusive))
    let end = Thread {
      usleep(50_000)
      close(descriptor)
    }
    end.start()
    if isWriter {
      let store = try PageStore(path: path, options: options)
      #expect(try count(store) == 5)
      try store.close()
    } else {
      let version = try PageViewer(path: path, mapLimit: options.mapLimit).hold()
      var script = ScriptedTransactions()
      #expect(try script.check(version) == 5)
      version.release()
    }
  }

  @Test func anotherFileUnderTheNameWaitsForTheUsersOfTheFormerOne() throws {
    let path = folder.path("replaced.pages")
    let store = try PageStore(path: path, options: options)
    try perform(store, 5)
    try FileManager.default.copyItem(atPath: path, toPath: path + "-copy")
    rename(path + "-copy", path)
    #expect(throws: PageError.replaced) { try PageStore(path: path, options: options) }
    try perform(store, 5)
    #expect(try count(store) == 10)
    try store.close()
    let other = try PageStore(path: path, options: options)
    #expect(try count(other) == 5)
  }

  /// The shared memory knows the version, but in a slot that the copy does not have.
  @Test func aCopyThatWasMadeBeforeTheFileWasClosedMayBeWrittenOverIt() throws {
    let path = folder.path("restored.pages")
    let store = try PageStore(path: path, options: options)
    for _ in 0..<7 { try ScriptedTransactions.perform(store, .relaxed) }
    let copy = Array(try Data(contentsOf: URL(filePath: path)))
    try store.close()
    let descriptor = open(path, O_WRONLY)
    #expect(pwrite(descriptor, copy, copy.count, 0) == copy.count)
    close(descriptor)
    let again = try PageStore(path: path, options: options)
    #expect(try count(again) == 7)
    try again.close()
  }

  /// Calls something before each store to the shared memory.
  private final class Moments: StoreWatcher {
    var body: (() -> Void)?
    func willWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) {}
    func willSynchronise() {}
    func didSynchronise() {}
    func willStore() { body?() }
  }

  /// A writer finds that a process is dead, and before it frees what that one held, another one takes its number and reader.
  @Test func theReaderOfADeadProcessIsFreedOnlyOnce() throws {
    let path = folder.path("reader.pages")
    let moments = Moments()
    let writer = try PageStore(
      path: path, options: .init(mapLimit: 1 << 28, chainLimit: 3, smallSize: 0, watcher: moments))
    try perform(writer, 10)
    for moment in 1..<8 {
      do {
        let dying = try PageStore(path: path, options: options)
        _ = try PageVersion(dying)
      }
      let before = try count(writer)
      var left = moment
      var held: PageVersion?
      moments.body = {
        left -= 1
        if left == 0 { held = try? PageVersion(PageStore(path: path, options: options)) }
      }
      try ScriptedTransactions.perform(writer, .full)
      moments.body = nil
      let version = try #require(held)
      try perform(writer, 100)
      #expect(writer.readers.heldVersions().contains { $0.version == version.version })
      var script = ScriptedTransactions()
      #expect(try before...before + 1 ~= script.check(version), "\(moment)")
      version.release()
    }
  }

  /// It may be copied with the data, and the system may limit how large files become.
  @Test func theLockFileIsNotMuchLargerThanWhatIsUsedOfIt() throws {
    let path = folder.path("small.pages")
    let store = try PageStore(path: path, options: .init())
    try perform(store, 200)
    var information = stat()
    #expect(stat(path + "-lock", &information) == 0)
    #expect(information.st_size <= 1 << 20)
    try store.memory.reserve(.bitmap, 3 << 20)
    try store.memory.reserve(.held, 1 << 20)
    #expect(stat(path + "-lock", &information) == 0)
    #expect(information.st_size <= 32 << 20)
    try store.close()
  }

  /// Processes that map different parts of the file find the same in the same places.
  @Test func areasOfTheLockFileAreApart() {
    for end in [1, 64 << 10, 1 << 20, 100 << 20, 300 << 20] {
      var ranges: [Range<Int>] = [0..<100_000]
      for area in LockMemory.Area.allCases {
        let segments = LockMemory.Segment.all(of: area, before: end, headerSize: 100_000)
        #expect(segments.first?.bytes.lowerBound == 0 && segments.last?.bytes.upperBound == end)
        #expect(zip(segments, segments.dropFirst()).allSatisfy { $0.bytes.upperBound == $1.bytes.lowerBound })
        let all = LockMemory.Segment.all(of: area, before: 1 << 30, headerSize: 100_000)
        #expect(zip(segments, all).allSatisfy { $0.offset == $1.offset })
        ranges += segments.map { $0.offset..<$0.offset + $0.bytes.count }
      }
      ranges.sort { $0.lowerBound < $1.lowerBound }
      #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    }
  }

  @Test func readersOfDeadProcessesLeaveRoomForOthersBeforeAWriterLooks() throws {
    let path = folder.path("many.pages")
    let store = try PageStore(path: path, options: options)
    try perform(store, 3)
    do {
      let dying = try PageStore(path: path, options: options)
      #expect(throws: PageError.readersFull) { while true { _ = try PageVersion(dying) } }
      #expect(throws: PageError.readersFull) { try PageVersion(store) }
    }
    #expect(try count(store) == 3)
  }

  @Test func theVersionThatADeadProcessSynchronisedIsNotHeld() throws {
    let path = folder.path("synchronising.pages")
    let store = try PageStore(path: path, options: options)
    try perform(store, 3)
    do {
      let dying = try PageStore(path: path, options: options)
      _ = dying.memory.beginSynchronising()
    }
    try perform(store, 2)
    #expect(store.memory.syncing == nil)
    try store.close()
  }

  /// How much address space there is differs between processes.
  @Test(arguments: ["wide.pages", "wide-sealed.pages"])
  func aFileThatGrowsBeyondTheMapOfAProcessIsToldThere(name: String) throws {
    let path = folder.path(name)
    func options(_ limit: Int) -> PageStore.Options { .init(mapLimit: limit, key: encryptionKey(path)) }
    let narrow = try PageStore(path: path, options: options(1 << 23))
    let viewer = try PageViewer(path: path, mapLimit: 1 << 23, key: encryptionKey(path))
    try perform(narrow, 3)
    let wide = try PageStore(path: path, options: options(1 << 28))
    let held = try PageVersion(narrow)
    let transaction = try PageTransaction(wide)
    let value = [UInt8](repeating: 1, count: 9 << 20)
    for number in 1 << 40..<1 << 40 + 2 {
      try key(number).withUnsafeBytes { key in try value.withUnsafeBytes { try transaction.set(key, $0) } }
    }
    try transaction.commit(.full)
    #expect(throws: PageError.system(ENOMEM)) { try PageTransaction(narrow) }
    #expect(narrow.usedSize == wide.usedSize)
    var script = ScriptedTransactions()
    #expect(try script.check(held) == 3)
    held.release()
    func readAll(_ version: PageVersion) throws {
      defer { version.release() }
      var cursor = PageCursor(.version(version))
      var isThere = try cursor.moveToFirst()
      while isThere {
        _ = try cursor.value()
        isThere = try cursor.moveToNext()
      }
    }
    #expect(throws: PageError.system(ENOMEM)) { try readAll(PageVersion(narrow)) }
    #expect(throws: PageError.system(ENOMEM)) { try readAll(viewer.hold()) }
    try readAll(PageVersion(wide))
    try narrow.close()
    try wide.close()
    #expect(throws: PageError.system(ENOMEM)) { try PageStore(path: path, options: options(1 << 23)) }
    #expect(throws: PageError.system(ENOMEM)) {
      try PageViewer(path: path, mapLimit: 1 << 23, key: encryptionKey(path))
    }
  }

  /// The newest version is the first one of a chain that such a process cannot map.
  @Test func noOlderVersionTakesThePlaceOfOneBeyondTheMapOfAProcess() throws {
    let path = folder.path("chain.pages")
    do {
      let wide = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
      try perform(wide, 3)
      let transaction = try PageTransaction(wide)
      let value = [UInt8](repeating: 1, count: 9 << 20)
      try key(1 << 40).withUnsafeBytes { key in try value.withUnsafeBytes { try transaction.set(key, $0) } }
      try transaction.commit(.full)
    }
    #expect(throws: PageError.system(ENOMEM)) { try PageStore(path: path, options: .init(mapLimit: 1 << 23)) }
    let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
    #expect(try PageVersion.with(store) { try key(1 << 40).withUnsafeBytes(($0).value) } != nil)
    try store.close()
  }

  @Test func aVersionThatIsReleasedTwiceEndsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      let folder = ScratchFolder()
      let store = try PageStore(path: folder.path("twice.pages"), options: .init(mapLimit: 1 << 28))
      let first = try PageVersion(store)
      first.release()
      let second = try PageVersion(store)
      first.release()
      second.release()
      _exit(0)
    }
  }

  @Test func whoClosesLastWaitsForTheDiskAlsoBesideADeadWriter() throws {
    let path = folder.path("last.pages")
    let store = try PageStore(path: path, options: options)
    try ScriptedTransactions.perform(store, .relaxed)
    // As a writer leaves it who dies.
    store.memory[.working] = store.memory[.newest] + 1
    try store.close()
    let file = try DiskFile(path: path, O_RDONLY, watcher: nil)
    let newest = try #require(Recovery(file, mapLimit: 1 << 28).candidates.first)
    #expect(newest.record.isConfirmed)
  }

  @Test func aChildOfForkUsesNothingOfItsParent() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let folder = ScratchFolder()
      let path = folder.path("fork.pages")
      let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> Int32).self)
      let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
      for _ in 0..<5 { try ScriptedTransactions.perform(store, .full) }
      let viewer = try PageViewer(path: path, mapLimit: 1 << 28)
      let versions = [try PageVersion(store), try viewer.hold()]
      let transaction = try PageTransaction(store)
      try key(1).withUnsafeBytes { try transaction.set($0, $0) }
      let child = fork()
      if child == 0 {
        func isForked(_ body: () throws -> Void) -> Bool {
          do { try body() } catch { return error as? PageError == .forked }
          return false
        }
        let refusals = [
          isForked { _ = try PageVersion(store) }, isForked { _ = try viewer.hold() },
          isForked { _ = try PageTransaction(store) }, isForked { try transaction.commit(.relaxed) },
          isForked { try store.synchronise() }, isForked { try store.close() },
        ]
        transaction.abort()
        for version in versions { version.release() }
        _exit(refusals.contains(false) ? 3 : 4)
      }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      guard status == 4 << 8 else { _exit(5) }
      try transaction.commit(.full)
      for _ in 0..<100 { try ScriptedTransactions.perform(store, .full) }
      var script = ScriptedTransactions()
      for version in versions where try script.check(version) != 5 { _exit(6) }
      _exit(0)
    }
  }

  /// The locks are those of open files, which a map of the file in the child would keep.
  @Test func aChildThatLivesOnKeepsNoLocksOfItsParent() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let folder = ScratchFolder()
      let path = folder.path("orphan.pages")
      // An opening that waits for the child's locks would wait for ever.
      alarm(60)
      let options = PageStore.Options(mapLimit: 1 << 28)
      let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> Int32).self)
      var pipes: [Int32] = [0, 0]
      guard pipe(&pipes) == 0 else { _exit(2) }
      let parent = fork()
      if parent == 0 {
        let store = try PageStore(path: path, options: options)
        try ScriptedTransactions.perform(store, .full)
        let viewer = try PageViewer(path: path, mapLimit: 1 << 28)
        let versions = [try PageVersion(store), try viewer.hold()]
        if fork() == 0 {
          // Now it has closed what it inherited.
          var child = getpid()
          write(pipes[1], &child, 4)
          while true { pause() }
        }
        withExtendedLifetime(versions) { _ = kill(getpid(), SIGKILL) }
      }
      var (child, status): (Int32, Int32) = (0, 0)
      guard read(pipes[0], &child, 4) == 4, waitpid(parent, &status, 0) == parent else { _exit(3) }
      let opened = try? PageStore(path: path, options: options)
      let isAlive = kill(child, 0) == 0
      kill(child, SIGKILL)
      guard let opened, isAlive, opened.heldVersions.isEmpty else { _exit(4) }
      try ScriptedTransactions.perform(opened, .full)
      try opened.close()
      _exit(0)
    }
  }
}
