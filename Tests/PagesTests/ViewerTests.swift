import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Readers who may write neither to the file nor to its lock file, and copies.
@Suite struct ViewerTests {
  private let folder = ScratchFolder()
  private let options = PageStore.Options(mapLimit: 1 << 28, chainLimit: 3, smallSize: 0)

  private func viewer(_ path: String) throws -> PageViewer { try PageViewer(path: path, mapLimit: 1 << 28) }

  /// Whether it finds the lock file, and whether others have the file open meanwhile.
  enum Circumstances: CaseIterable {
    case withMemory, withoutMemory, lockFileDeleted, memoryUnreadable

    var staysOpen: Bool { self == .withMemory || self == .memoryUnreadable }
  }

  @Test(arguments: Circumstances.allCases) func aVersionThatIsViewedStays(
    _ circumstances: Circumstances
  ) throws {
    let path = folder.path("\(circumstances).pages")
    var store = try PageStore(path: path, options: options)
    for _ in 0..<5 { try ScriptedTransactions.perform(store, .relaxed) }
    if !circumstances.staysOpen { try store.close() }
    if ![.withMemory, .withoutMemory].contains(circumstances) { unlink(path + "-lock") }
    let viewer = try viewer(path)
    let version = try viewer.hold()
    var script = ScriptedTransactions()
    #expect(try script.check(version) == 5)
    for round in 0..<4 {
      if !circumstances.staysOpen { store = try PageStore(path: path, options: options) }
      for _ in 0..<100 { try ScriptedTransactions.perform(store, round == 1 ? .full : .relaxed) }
      #expect(try script.check(version) == 5)
      if !circumstances.staysOpen { try store.close() }
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
    try store.close()
    // What the version has is not known to who opens the file now.
    try eraseRecords(of: version.version, path)
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

  private func eraseRecords(of version: UInt64, _ path: String) throws {
    let file = try DiskFile(path: path, O_RDWR, watcher: nil)
    let number = try #require(try Recovery(file, mapLimit: 1 << 28).fileNumber)
    var units: [UInt64] = []
    try file.forEachUnit {
      VersionRecord.isHead($0, fileNumber: number, version: version)
    } _: {
      units.append($1)
    }
    #expect(!units.isEmpty)
    for unit in units { try file.eraseRecord(atUnit: unit) }
  }

  /// Each process that opens the file finds what the version has.
  @Test(arguments: ["kept.pages", "kept-sealed.pages"])
  func aViewedVersionKeepsOnlyItsOwnSpace(_ name: String) throws {
    let path = folder.path(name)
    let options = PageStore.Options(mapLimit: 1 << 28, chainLimit: 3, smallSize: 0, key: encryptionKey(path))
    var store = try PageStore(path: path, options: options)
    for _ in 0..<200 { try ScriptedTransactions.perform(store, .full) }
    let viewer = try PageViewer(path: path, mapLimit: 1 << 28, key: options.key)
    // Of one that is held when the file is closed, and of one that no process has open.
    let first = try viewer.hold()
    for _ in 0..<20 { try ScriptedTransactions.perform(store, .full) }
    try store.close()
    let second = try viewer.hold()
    var script = ScriptedTransactions()
    var ends: [UInt64] = []
    for _ in 0..<20 {
      store = try PageStore(path: path, options: options)
      for _ in 0..<97 { try ScriptedTransactions.perform(store, .full) }
      ends.append(store.memory[.end])
      try store.close()
      #expect(try script.check(first) == 200)
      #expect(try script.check(second) == 220)
    }
    print("\(name): \(ends)")
    #expect(ends.last! <= ends[1] * 5 / 4)
    first.release()
    second.release()
  }

  /// The viewer goes on all the time, so that there is never a moment at which it holds nothing.
  @Test(arguments: [false, true], [false, true]) func aViewerThatMovesOnKeepsNoSpace(
    reopens: Bool, readsRecords: Bool
  ) throws {
    let path = folder.path("moves-\(reopens)-\(readsRecords).pages")
    var store = try PageStore(path: path, options: options)
    for _ in 0..<50 { try ScriptedTransactions.perform(store, .full) }
    let viewer = try viewer(path)
    var version = try viewer.hold()
    for _ in 0..<20 { try ScriptedTransactions.perform(store, .full) }
    if reopens {
      try store.close()
      store = try PageStore(path: path, options: options)
    }
    if readsRecords { unlink(path + "-lock") }
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
    let version = try self.viewer(path).hold()
    #expect(try script.check(version) == 200)
    version.release()
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

  /// Of a viewer that cannot read the shared memory, the records do not say which of them was published.
  @Test(arguments: [false, true]) func aCommitThatThrowsIsSeenByNoViewer(readsRecords: Bool) throws {
    let path = folder.path("throws-\(readsRecords).pages")
    try PageStore(path: path, options: options).close()
    unlink(path + "-lock")
    let viewer = try viewer(path)
    let look = Look()
    let store = try PageStore(
      path: path, options: .init(mapLimit: 1 << 28, chainLimit: 3, smallSize: 0, watcher: look))
    if readsRecords { unlink(path + "-lock") }
    for _ in 0..<5 { try ScriptedTransactions.perform(store, .full) }
    var seen: [Int] = []
    func view() {
      do {
        let newest = viewer.newestVersion
        let version = try viewer.hold()
        #expect(version.version == newest)
        seen.append(try ScriptedTransactions.count(version))
        version.release()
      } catch { Issue.record(error) }
    }
    look.body = view
    #expect(throws: PageError.system(EIO)) { try ScriptedTransactions.perform(store, .full) }
    look.body = nil
    view()
    #expect(seen == [5, 5])
  }

  /// The viewer begins again and again, and what it holds is newer each time.
  @Test(arguments: ["unreadable.pages", "unreadable-sealed.pages"])
  func aUserWhoMayNotReadTheLockFileSeesWholeVersions(_ name: String) throws {
    if getuid() != 0 { try Test.cancel("only root can become another user") }
    let seed = UInt64.random(in: 0..<1 << 32)
    print("seed: \(seed)")
    let path = folder.path(name)
    let notes = try Notes(path: folder.path("notes"))
    let worker = BuiltProducts.file("PagesTestWorker").path
    let writers = try (0..<2).map {
      try ChildProgram([worker, "write", path, folder.path("notes"), "\($0)", "\(seed + UInt64($0))"])
    }
    while notes[0] < 5 { usleep(1000) }
    #expect(chmod(path + "-lock", 0o600) == 0)
    let viewer = try ChildProgram([worker, "view", path, "65534", "\(TestLength.count(200, long: 10_000))"])
    #expect(viewer.wait() == .exit(0))
    let acknowledged = max(notes[0], notes[1])
    for writer in writers {
      writer.send(SIGKILL)
      writer.wait()
    }
    let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28, key: encryptionKey(path)))
    var script = ScriptedTransactions()
    let count = try PageVersion.with(store) { try script.check($0) }
    #expect(count >= acknowledged)
    try store.close()
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
