import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Readers who may write neither to the file nor to its lock file, and copies.
@Suite struct ViewerTests {
  private let folder = ScratchFolder()
  private let options = PageStore.Options(mapLimit: 1 << 28, chainLimit: 3)

  private func viewer(_ path: String) throws -> PageViewer { try PageViewer(path: path, mapLimit: 1 << 28) }

  /// Whether it finds the lock file, and whether others have the file open meanwhile.
  enum Circumstances: CaseIterable {
    case withMemory, withoutMemory, lockFileDeleted
  }

  @Test(arguments: Circumstances.allCases) func aVersionThatIsViewedStays(
    _ circumstances: Circumstances
  ) throws {
    let path = folder.path("\(circumstances).pages")
    var store = try PageStore(path: path, options: options)
    for _ in 0..<5 { try ScriptedTransactions.perform(store, .relaxed) }
    if circumstances != .withMemory { try store.close() }
    if circumstances == .lockFileDeleted { unlink(path + "-lock") }
    let viewer = try viewer(path)
    let version = try viewer.hold()
    var script = ScriptedTransactions()
    #expect(try script.check(version) == 5)
    for round in 0..<4 {
      if circumstances != .withMemory { store = try PageStore(path: path, options: options) }
      for _ in 0..<100 { try ScriptedTransactions.perform(store, round == 1 ? .full : .relaxed) }
      #expect(try script.check(version) == 5)
      if circumstances != .withMemory { try store.close() }
    }
    version.release()
    let newest = try viewer.hold()
    #expect(try script.check(newest) == 405)
    newest.release()
  }

  @Test func spaceThatAViewedVersionHadIsUsedAgain() throws {
    let path = folder.path("again.pages")
    var store = try PageStore(path: path, options: options)
    for _ in 0..<200 { try ScriptedTransactions.perform(store, .full) }
    let viewer = try viewer(path)
    let version = try viewer.hold()
    for _ in 0..<20 { try ScriptedTransactions.perform(store, .full) }
    // What the version has is not known to who opens the file now.
    try store.close()
    store = try PageStore(path: path, options: options)
    try PageTransaction(store).abort()
    let free = store.used.freeRanges(before: Int(store.memory[.end]))
    #expect(free.count <= 1)
    version.release()
    try PageTransaction(store).abort()
    #expect(store.used.freeRanges(before: Int(store.memory[.end])).count > 1)
    let end = store.memory[.end]
    for _ in 0..<20 { try ScriptedTransactions.perform(store, .full) }
    #expect(store.memory[.end] == end)
    try store.close()
  }

  /// The viewer goes on all the time, so that there is never a moment at which it holds nothing.
  @Test(arguments: [false, true]) func aViewerThatMovesOnKeepsNoSpace(reopens: Bool) throws {
    let path = folder.path("moves-\(reopens).pages")
    var store = try PageStore(path: path, options: options)
    for _ in 0..<50 { try ScriptedTransactions.perform(store, .full) }
    let viewer = try viewer(path)
    var version = try viewer.hold()
    for _ in 0..<20 { try ScriptedTransactions.perform(store, .full) }
    if reopens {
      try store.close()
      store = try PageStore(path: path, options: options)
    }
    var script = ScriptedTransactions()
    var ends: [UInt64] = []
    for _ in 0..<40 {
      let next = try viewer.hold()
      try ScriptedTransactions.perform(store, .full)
      try script.check(version)
      version.release()
      version = next
      for _ in 0..<9 { try ScriptedTransactions.perform(store, .full) }
      ends.append(store.memory[.end])
    }
    #expect(ends.last! < 2 * ends[3])
  }

  @Test func memoryOfALockFileThatNobodyUsesIsNotBelieved() throws {
    let path = folder.path("over.pages")
    var store = try PageStore(path: path, options: options)
    for _ in 0..<5 { try ScriptedTransactions.perform(store, .full) }
    try store.close()
    let backup = Array(try Data(contentsOf: URL(filePath: path)))
    store = try PageStore(path: path, options: options)
    for _ in 0..<50 { try ScriptedTransactions.perform(store, .full) }
    let viewer = try viewer(path)
    try store.close()
    let descriptor = open(path, O_WRONLY | O_TRUNC)
    #expect(write(descriptor, backup, backup.count) == backup.count)
    close(descriptor)
    var script = ScriptedTransactions()
    for viewer in [viewer, try self.viewer(path)] {
      let version = try viewer.hold()
      #expect(try script.check(version) == 5)
      version.release()
    }
  }

  @Test func aViewerFindsTheLockFileThatOthersUse() throws {
    let path = folder.path("other.pages")
    var store = try PageStore(path: path, options: options)
    for _ in 0..<50 { try ScriptedTransactions.perform(store, .full) }
    let viewer = try viewer(path)
    var script = ScriptedTransactions()
    for round in 1..<4 {
      let version = try viewer.hold()
      #expect(try script.check(version) == 50 * round)
      try store.close()
      unlink(path + "-lock")
      store = try PageStore(path: path, options: options)
      for _ in 0..<50 { try ScriptedTransactions.perform(store, .full) }
      #expect(try script.check(version) == 50 * round)
      version.release()
    }
    unlink(path + "-lock")
    let viewerOfRemoved = try self.viewer(path)
    #expect(throws: PageError.lockFileUnreadable) { try viewerOfRemoved.hold() }
  }

  /// Looks at the file while a commit waits for the disk, which fails.
  private final class Look: StoreWatcher {
    var body: (() -> Void)?
    func willWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) {}
    func willSynchronise() throws(PageError) {
      guard let body else { return }
      body()
      throw .system(EIO)
    }
    func didSynchronise() {}
    func willStore() {}
  }

  @Test func aCommitThatThrowsIsSeenByNoViewer() throws {
    let path = folder.path("throws.pages")
    try PageStore(path: path, options: options).close()
    unlink(path + "-lock")
    let viewer = try viewer(path)
    let look = Look()
    let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28, chainLimit: 3, watcher: look))
    try ScriptedTransactions.perform(store, .full)
    var seen: [Int] = []
    look.body = {
      do {
        let version = try viewer.hold()
        seen.append(try ScriptedTransactions.count(version))
        version.release()
      } catch { Issue.record(error) }
    }
    #expect(throws: PageError.system(EIO)) { try ScriptedTransactions.perform(store, .full) }
    #expect(seen == [1])
  }

  @Test func aCopyIsWholeOrSaysThatItIsTorn() throws {
    let path = folder.path("original.pages")
    let worker = BuiltProducts.file("PagesTestWorker").path
    let writers = try (0..<2).map {
      try ChildProgram([worker, "write", path, folder.path("notes"), "\($0)", "\($0 + 7)"])
    }
    while access(path, F_OK) != 0 { usleep(1000) }
    var script = ScriptedTransactions()
    var (whole, torn) = (0, 0)
    for round in 0..<TestLength.count(60, long: 1000) {
      let copy = folder.path("copy-\(round).pages")
      defer { for name in [copy, copy + "-lock"] { unlink(name) } }
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      do {
        let store = try PageStore(path: copy, options: options)
        try PageVersion.with(store) { _ = try script.check($0) }
        try ScriptedTransactions.perform(store, .full)
        try PageVersion.with(store) { _ = try script.check($0) }
        try store.close()
        whole += 1
      } catch is PageError { torn += 1 }
    }
    print("copies: \(whole) whole, \(torn) torn")
    #expect(whole > 0)
    for writer in writers {
      writer.send(SIGKILL)
      writer.wait()
    }
  }
}
