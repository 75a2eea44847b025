import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Files that are exchanged after the caller has verified them, and lock files that a reader does not trust.
@Suite struct ExpectedFilesTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("data.pages") }

  private func options(_ expected: ExpectedFiles) -> PageStore.Options {
    PageStore.Options(mapLimit: 1 << 28, chainLimit: 3, expected: expected)
  }

  private func identity(_ path: String) throws -> FileIdentity {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    return try #require(FileIdentity(descriptor: descriptor))
  }

  /// Another file would be written over.
  @Test(arguments: ["", "-lock"]) func aLinkInThePlaceOfAFileIsNotFollowed(_ suffix: String) throws {
    try PageStore(path: path, options: options(ExpectedFiles())).close()
    let expected = ExpectedFiles(data: try identity(path), lock: try identity(path + "-lock"))
    let precious = folder.path("precious")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: precious))
    #expect(unlink(path + suffix) == 0 && symlink(precious, path + suffix) == 0)
    for expected in [expected, ExpectedFiles()] {
      #expect(throws: PageError.system(ELOOP)) { try PageStore(path: path, options: options(expected)) }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: precious)) == Data("precious".utf8))
  }

  @Test(arguments: ["", "-lock"]) func anotherFileThanExpectedIsLeftAlone(_ suffix: String) throws {
    try PageStore(path: path, options: options(ExpectedFiles())).close()
    let expected = ExpectedFiles(data: try identity(path), lock: try identity(path + "-lock"))
    // Under another name, so that no other file gets its number.
    #expect(rename(path + suffix, folder.path("former")) == 0)
    #expect(throws: PageError.system(ENOENT)) { try PageStore(path: path, options: options(expected)) }
    try Data("another".utf8).write(to: URL(fileURLWithPath: path + suffix))
    #expect(throws: PageError.replaced) { try PageStore(path: path, options: options(expected)) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + suffix)) == Data("another".utf8))
  }

  /// What it says may be made up, of a version that has gone.
  @Test func aReaderThatDoesNotTrustTheLockFileReadsTheRecords() throws {
    let store = try PageStore(path: path, options: options(ExpectedFiles()))
    for _ in 0..<5 { try ScriptedTransactions.perform(store, .full) }
    // The lock file as it was at the fifth version.
    let former = try Data(contentsOf: URL(fileURLWithPath: path + "-lock"))
    for _ in 0..<5 { try ScriptedTransactions.perform(store, .full) }
    let lock = try FileHandle(forWritingTo: URL(fileURLWithPath: path + "-lock"))
    let newest = store.memory[.newest]
    try lock.write(contentsOf: former.prefix(LockMemory.readersStart))
    #expect(store.memory[.newest] < newest)
    for isTrusted in [true, false] {
      let viewer = try PageViewer(
        path: path, mapLimit: 1 << 28, expecting: ExpectedFiles(trustsLockFile: { _, _ in isTrusted }))
      let version = try viewer.hold()
      var script = ScriptedTransactions()
      #expect(try script.check(version) == (isTrusted ? 5 : 10))
      version.release()
    }
  }

  /// Opening one waits for a process that writes to it.
  @Test(.timeLimit(.minutes(1))) func aPipeInThePlaceOfTheLockFileIsNotWaitedFor() throws {
    let store = try PageStore(path: path, options: options(ExpectedFiles()))
    try ScriptedTransactions.perform(store, .full)
    #expect(unlink(path + "-lock") == 0 && mkfifo(path + "-lock", 0o644) == 0)
    let version = try PageViewer(path: path, mapLimit: 1 << 28).hold()
    var script = ScriptedTransactions()
    #expect(try script.check(version) == 1)
    version.release()
  }
}
