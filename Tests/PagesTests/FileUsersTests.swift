import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Who has a file open, whatever happens to its lock file, to numbers of processes, and in a child of `fork`.
@Suite struct FileUsersTests {
  private let folder = ScratchFolder()
  private let options = PageStore.Options(mapLimit: 1 << 28, chainLimit: 3)

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
    let writer = try PageStore(path: path, options: .init(mapLimit: 1 << 28, chainLimit: 3, watcher: moments))
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
}
