import Foundation
import TestSupport
import Testing

@testable import Storage

/// One file under several names, files that are moved and replaced while they are open, and planted lock files.
@Suite struct FilePlaceTests {
  private let folder = ScratchFolder.lastingPath("\(UUID().uuidString)")
  private var path: String { folder + "/data.realm" }
  private var linkPath: String { folder + "/link.realm" }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder + "/other", withIntermediateDirectories: true)
  }

  private func tearDown() { try? FileManager.default.removeItem(atPath: folder) }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { $0 != "other" }
  }

  private static func count(_ path: String) throws -> Int {
    try Snapshot(file: DatabaseFile.open(path: path)).liveCount(table: 0)
  }

  private func expectRefusal(
    _ text: String, _ path: String? = nil, readOnly: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let path = path ?? self.path
    let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) {
      try DatabaseFile.open(path: path, readOnly: readOnly)
    }
    #expect(error?.kind == .access, sourceLocation: sourceLocation)
    #expect(error?.path == path, sourceLocation: sourceLocation)
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
  }

  // MARK: Names

  @Test func symbolicLinks() throws {
    defer { tearDown() }
    // To a file that is not there yet, by way of another link, relative and absolute.
    symlink("link2.realm", linkPath)
    symlink(folder + "/other/../data.realm", folder + "/link2.realm")
    try CommitSignalTests.commit(DatabaseFile.open(path: linkPath))
    #expect(try names() == ["data.realm", "data.realm-lock", "link.realm", "link2.realm"])
    // By a linked folder.
    symlink(".", folder + "/here")
    try CommitSignalTests.commit(DatabaseFile.open(path: folder + "/here/data.realm"))
    #expect(try Self.count(path) == 2)
    #expect(try names() == ["data.realm", "data.realm-lock", "here", "link.realm", "link2.realm"])
    let first = try DatabaseFile.open(path: path)
    #expect(first === (try DatabaseFile.open(path: linkPath)))
    #expect(DatabaseFile.isOpen(path: folder + "/here/link.realm"))
  }

  @Test func circlesOfLinks() throws {
    defer { tearDown() }
    symlink("link2.realm", linkPath)
    symlink("link.realm", folder + "/link2.realm")
    #expect(throws: StorageError.self) { try DatabaseFile.open(path: linkPath) }
  }

  /// Two processes that write through two names know of each other.
  @Test func twoProcessesAndTwoNames() async throws {
    defer { tearDown() }
    let file = try DatabaseFile.open(path: path)
    try CommitSignalTests.commit(file)
    symlink(path, linkPath)
    let reader = try Snapshot(file: file)
    await #expect(processExitsWith: .success) { [linkPath = linkPath as String] in
      let file = try DatabaseFile.open(path: linkPath)
      for _ in 0..<50 { try CommitSignalTests.commit(file) }
    }
    // Its pages were left alone, and the other versions are seen.
    #expect(reader.liveCount(table: 0) == 1)
    #expect(reader.table(0).isAlive(0))
    #expect(try Self.count(path) == 51)
    #expect(!FileManager.default.fileExists(atPath: linkPath + "-lock"))
  }

  @Test func hardLinksAreRefused() throws {
    defer { tearDown() }
    try CommitSignalTests.commit(DatabaseFile.open(path: path))
    link(path, linkPath)
    for readOnly in [false, true] {
      expectRefusal("it has 2 names (hard links), and may have only one", readOnly: readOnly)
      expectRefusal("it has 2 names (hard links), and may have only one", linkPath, readOnly: readOnly)
    }
    unlink(linkPath)
    #expect(try Self.count(path) == 1)
  }

  // MARK: Places

  enum Loss: CaseIterable { case deleted, moved, replaced, overwritten }

  private func lose(_ loss: Loss) throws {
    switch loss {
    case .deleted: unlink(path)
    case .moved: rename(path, folder + "/moved.realm")
    case .replaced:
      try FileManager.default.copyItem(atPath: path, toPath: folder + "/copy.realm")
      rename(folder + "/copy.realm", path)
    case .overwritten:
      let backup = try #require(FileManager.default.contents(atPath: folder + "/backup.realm"))
      let descriptor = open(path, O_WRONLY)
      _ = backup.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
      close(descriptor)
    }
  }

  @Test(arguments: Loss.allCases, [Durability.full, .deferred, .relaxed])
  func nothingIsWrittenToALostFile(_ loss: Loss, _ durability: Durability) throws {
    defer { tearDown() }
    let file = try DatabaseFile.open(path: path)
    try CommitSignalTests.commit(file)
    try FileManager.default.copyItem(atPath: path, toPath: folder + "/backup.realm")
    for _ in 0..<2 { try CommitSignalTests.commit(file) }
    let snapshot = try Snapshot(file: file)
    try lose(loss)
    // Relaxed commits look every few milliseconds.
    usleep(20_000)
    let error = #expect(throws: StorageError.self) {
      try Writer(snapshot).begin()
      _ = snapshot.table(0).insertRow()
      try Writer(snapshot).commit(durability: durability)
    }
    #expect(error?.kind == .access)
    #expect(
      error?.message
        == "The Realm file at path '\(path)' was deleted, moved or replaced while it was open: close all its Realms and open it again."
    )
    #expect(!snapshot.isWriting)
    if loss != .overwritten { #expect(snapshot.liveCount(table: 0) == 3) }
    // Nobody holds the right to write.
    #expect(file.tryTakeWriting())
    file.returnWriting()
    if loss == .moved {
      rename(folder + "/moved.realm", path)
      usleep(20_000)
      try CommitSignalTests.commit(file)
      #expect(snapshot.file.newestVersion > snapshot.version)
    }
  }

  /// A durable commit looks once more.
  @Test(arguments: [Durability.full, .deferred])
  func aFileThatIsLostWithinATransaction(_ durability: Durability) throws {
    defer { tearDown() }
    let file = try DatabaseFile.open(path: path)
    try CommitSignalTests.commit(file)
    let snapshot = try Snapshot(file: file)
    try Writer(snapshot).begin()
    _ = snapshot.table(0).insertRow()
    unlink(path)
    #expect(throws: StorageError.self) { try Writer(snapshot).commit(durability: durability) }
    #expect(snapshot.liveCount(table: 0) == 1)
  }

  /// The new file must not use the lock file of those who still have the old one open.
  @Test func aReplacedFileWaitsForTheFormerOne() async throws {
    defer { tearDown() }
    do {
      let file = try DatabaseFile.open(path: path)
      try CommitSignalTests.commit(file)
      try lose(.replaced)
      expectRefusal("it was deleted or replaced while it was open, and the former file is still in use")
      await #expect(processExitsWith: .success) { [path = path as String] in
        let error = #expect(throws: StorageError.self) { try DatabaseFile.open(path: path) }
        precondition(error?.message.contains("the former file is still in use") == true)
      }
      withExtendedLifetime(file) {}
    }
    #expect(try Self.count(path) == 1)
  }

  @Test func aLockFileThatWasDeleted() async throws {
    defer { tearDown() }
    let file = try DatabaseFile.open(path: path)
    try CommitSignalTests.commit(file)
    unlink(path + "-lock")
    await #expect(processExitsWith: .success) { [path = path as String] in
      let error = #expect(throws: StorageError.self) { try DatabaseFile.open(path: path) }
      precondition(error?.message.contains("another process has it open with another lock file") == true)
    }
    // Those who share it go on.
    try CommitSignalTests.commit(file)
    #expect(try Self.count(path) == 2)
  }

  /// The same through a name that the file was given while it was open.
  @Test func aFileThatWasMoved() async throws {
    defer { tearDown() }
    let file = try DatabaseFile.open(path: path)
    try CommitSignalTests.commit(file)
    try lose(.moved)
    await #expect(processExitsWith: .success) { [path = (folder + "/moved.realm") as String] in
      let error = #expect(throws: StorageError.self) { try DatabaseFile.open(path: path) }
      precondition(error?.message.contains("another process has it open with another lock file") == true)
    }
    withExtendedLifetime(file) {}
  }

  // MARK: Lock files

  @Test func plantedLockFiles() throws {
    defer { tearDown() }
    try CommitSignalTests.commit(DatabaseFile.open(path: path))
    let lock = path + "-lock"
    let victim = folder + "/victim"
    let text = Data("This is somebody's file.".utf8)
    try text.write(to: URL(fileURLWithPath: victim))
    func expectRefusals(_ reason: String, sourceLocation: SourceLocation = #_sourceLocation) {
      let text = "its lock file '\(lock)' \(reason)"
      expectRefusal(text, sourceLocation: sourceLocation)
      expectRefusal(text, readOnly: true, sourceLocation: sourceLocation)
      unlink(lock)
    }
    unlink(lock)
    symlink(victim, lock)
    expectRefusals("is not an ordinary file.")
    // Nothing is made where the link points to, either.
    symlink(victim + "2", lock)
    expectRefusals("is not an ordinary file.")
    #expect(access(victim + "2", F_OK) != 0)
    link(victim, lock)
    expectRefusals("has several names.")
    mkfifo(lock, 0o644)
    expectRefusals("is not an ordinary file.")
    if getuid() == 0 {
      try Data().write(to: URL(fileURLWithPath: lock))
      chown(lock, 65534, 65534)
      expectRefusals("belongs to another user.")
    }
    #expect(FileManager.default.contents(atPath: victim) == text)
    // A file that got the name is neither overwritten nor given to the users of the data.
    for content in [
      Data([7]), Data(repeating: 0xFF, count: 5000), Data(count: 500) + Data(repeating: 1, count: 200_000),
      // As an image of a file system.
      Data(count: 1024) + Data(repeating: 1, count: 200_000),
    ] {
      try content.write(to: URL(fileURLWithPath: lock))
      chmod(lock, 0o600)
      for readOnly in [false, true] {
        expectRefusal(
          "its lock file '\(lock)' was not made by this library. Move it away, or delete it while no process has the realm open.",
          readOnly: readOnly)
      }
      #expect(FileManager.default.contents(atPath: lock) == content)
      var information = stat()
      #expect(stat(lock, &information) == 0 && information.st_mode & 0o777 == 0o600)
    }
    // What a power failure or an earlier version may have left is used.
    let earlier = Data([0xDE, 0xC0, 0xEF, 0xBE]) + Data(repeating: 9, count: 8188)
    for content in [
      Data(), Data(count: 300_000), Data(count: 4096) + Data(repeating: 3, count: 5000), earlier,
    ] {
      try content.write(to: URL(fileURLWithPath: lock))
      try CommitSignalTests.commit(DatabaseFile.open(path: path))
    }
    #expect(try Self.count(path) == 5)
  }

  /// The table of those who listen was a file of its own once.
  @Test func whatLiesBesideIsLeftAlone() throws {
    defer { tearDown() }
    let note = path + ".note"
    let garbage = Data(repeating: 0xFF, count: 16384)
    try garbage.write(to: URL(fileURLWithPath: note))
    let file = try DatabaseFile.open(path: path)
    let calls = Calls()
    let subscription = file.subscribeToCommits { calls.note() }
    calls.wait(for: 1)
    truncate(note, 0)
    try CommitSignalTests.commit(file)
    #expect(calls.count == 2)
    withExtendedLifetime(subscription) {}
  }

  // MARK: Opening

  /// Opening a file does not wait for another one that a process holds.
  @Test func filesAreOpenedIndependently() throws {
    defer { tearDown() }
    let other = open(path, O_RDWR | O_CREAT, 0o644)
    #expect(flock(other, LOCK_EX) == 0)
    let opened = Calls()
    let thread = Thread { [path] in
      try! CommitSignalTests.commit(DatabaseFile.open(path: path))
      opened.note()
    }
    thread.start()
    // Until it waits.
    try waitUntil { DatabaseFile.isOpen(path: path) }
    for name in ["a", "b"] {
      try CommitSignalTests.commit(DatabaseFile.open(path: folder + "/\(name).realm"))
    }
    #expect(opened.count == 0)
    close(other)
    opened.wait(for: 1)
    #expect(try Self.count(path) == 1)
  }

  @Test func manyThreadsOpenAndClose() throws {
    defer { tearDown() }
    try CommitSignalTests.commit(DatabaseFile.open(path: path))
    symlink(path, linkPath)
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      for step in 0..<50 {
        let name = (number + step) % 2 == 0 ? path : linkPath
        try! CommitSignalTests.commit(DatabaseFile.open(path: name))
      }
    }
    #expect(try Self.count(path) == 401)
  }

  /// A file that is deleted and made anew by many threads while others open it is always a whole one.
  @Test func unnamedFilesLeaveNothing() throws {
    defer { tearDown() }
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<10 {
        let file = try! DatabaseFile.openUnnamed(in: folder)
        try! CommitSignalTests.commit(file)
      }
    }
    #expect(try names().isEmpty)
  }
}
