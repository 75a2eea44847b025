import Foundation
import Testing

@testable import Storage

/// Children of fork(), which have their parent's memory.
@Suite struct ForkTests {
  /// Runs a child until it exits, and returns its status.
  private static func inChild(_ body: () throws -> Bool) -> Int32 {
    typealias Fork = @convention(c) () -> Int32
    let fork = unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)
    let child = fork()
    if child == 0 {
      alarm(20)
      _exit((try? body()) == true ? 0 : 1)
    }
    var status: Int32 = -1
    waitpid(child, &status, 0)
    return status
  }

  private static func fill(_ path: String) throws -> Snapshot {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try snapshot.beginWrite()
    snapshot.setCatalogue(
      Catalogue(tables: [TableDescription(name: "Thing", columns: [Column(name: "a", type: .int)])]))
    _ = snapshot.table(0).insertRow()
    try snapshot.commitWrite(durability: .relaxed)
    return snapshot
  }

  /// What a child inherits cannot be written, and its end does not end what its parent has.
  @Test func whatAChildInherits() async {
    await #expect(processExitsWith: .success) {
      let path = TemporaryFile.path()
      defer { TemporaryFile.delete(path) }
      nonisolated(unsafe) var snapshot: Snapshot? = try ForkTests.fill(path)
      let file = snapshot!.file
      snapshot!.confinedThread = UInt(pthread_self())
      let readers = ForkTests.readers(file)
      var status = ForkTests.inChild {
        guard file.isInherited, snapshot!.table(0).thread == 0,
          (try? snapshot!.beginWrite()) == nil, !snapshot!.isWriting, !file.tryTakeWriting(),
          (try? Snapshot(file: file)) == nil
        else { return false }
        snapshot = nil
        return true
      }
      try #require(status == 0)
      // The parent's reader is where it was.
      try #require(ForkTests.readers(file) == readers)
      try #require(snapshot!.table(0).thread == UInt(pthread_self()))

      // A write transaction is left alone, too.
      try snapshot!.beginWrite()
      snapshot!.table(0).setInteger(0, 0, 7)
      status = ForkTests.inChild {
        snapshot!.cancelWrite()
        snapshot = nil
        let other = open(path, O_RDWR)
        return flock(other, LOCK_EX | LOCK_NB) != 0
      }
      try #require(status == 0)
      try snapshot!.commitWrite(durability: .relaxed)
      let next = try Snapshot(file: file)
      try #require(next.table(0).integer(0, 0) == 7)
    }
  }

  /// A parent that dies while it writes gives the right back, although a child lives on.
  @Test func aChildDoesNotKeepTheLock() async throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let snapshot = try ForkTests.fill(path)
      try snapshot.beginWrite()
      typealias Fork = @convention(c) () -> Int32
      let fork = unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)
      if fork() == 0 {
        // All but those of the file, because the test waits for the end of its output.
        let file = FileIdentity(path: path)
        for descriptor in 0..<1024 as Range<Int32> where FileIdentity(descriptor: descriptor) != file {
          close(descriptor)
        }
        sleep(5)
        _exit(0)
      }
      kill(getpid(), SIGKILL)
    }
    // The child still lives, and has nothing of the file.
    let descriptor = open(path, O_RDWR)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    close(descriptor)
    let file = try DatabaseFile.open(path: path)
    #expect(file.tryTakeWriting())
    file.returnWriting()
  }

  @Test func aChildOpensTheFileForItself() async {
    await #expect(processExitsWith: .success) {
      let path = TemporaryFile.path()
      defer { TemporaryFile.delete(path) }
      let snapshot = try ForkTests.fill(path)
      let readers = ForkTests.readers(snapshot.file)
      let status = ForkTests.inChild {
        let file = try DatabaseFile.open(path: path)
        let own = try Snapshot(file: file)
        guard file !== snapshot.file, own.liveCount(table: 0) == 1 else { return false }
        // Its reader slot stays behind.
        return withExtendedLifetime(own) { _exit(0) }
      }
      try #require(status == 0)
      try #require(ForkTests.readers(snapshot.file) == readers + 1)
      for number in 0..<64 {
        try snapshot.beginWrite()
        snapshot.table(0).setInteger(0, 0, Int64(number))
        try snapshot.commitWrite(durability: .relaxed)
      }
      try #require(ForkTests.readers(snapshot.file) == readers)
    }
  }

  static func readers(_ file: DatabaseFile) -> Int {
    file.environment.readers.count
  }
}
