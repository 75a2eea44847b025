import Foundation
import ProcessTestModels
import RealmSwift
import TestSupport
import Testing

/// Processes that may read a file and may not write its lock file, while another process writes to it.
@Suite(.enabled(if: getuid() == 0, "only root can become another user and mount folders"))
struct ReaderWithoutPermissionTests {
  private let folder = ScratchFolder()
  private static let openings = 15

  /// Lets a worker open the file while another one makes small commits all the time.
  private func sample(_ path: String, user: String, prefix: [String] = []) throws {
    let writer = try WorkerProcess("write", path, "writer", "1000000")
    for _ in 0..<5 { _ = writer.nextNumber() }
    let reader = try WorkerProcess("sample", path, user, "\(Self.openings)", prefix: prefix)
    var numbers: [Int] = []
    while let number = reader.nextNumber() { numbers.append(number) }
    #expect(reader.finish())
    writer.kill()
    #expect(numbers.count == Self.openings)
    #expect(numbers.allSatisfy { $0 >= 5 } && numbers == numbers.sorted(), "\(numbers)")
    let ledger = try Ledger(path: path)
    #expect(ledger.fault == nil && ledger.number >= numbers.last ?? 0)
  }

  @Test(arguments: ["ledger.realm", "encrypted.realm"]) func anotherUserReadsWholeVersions(
    _ name: String
  ) throws {
    try sample(folder.path(name), user: "65534")
  }

  @Test func aReadOnlyMountShowsWholeVersions() throws {
    let script = "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\" && shift && exec \"$@\""
    try sample(
      folder.path("ledger.realm"), user: "-",
      prefix: [
        "/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", "-c", script, "sh",
        folder.url.path,
      ])
  }

  /// It would keep the owner out.
  @Test func aUserWhoMayNotWriteMakesNoLockFile() throws {
    let path = folder.path("ledger.realm")
    try autoreleasepool { _ = try Ledger(path: path).append() }
    #expect(unlink(path + "-lock") == 0 && chmod(folder.url.path, 0o1777) == 0)
    let reader = try WorkerProcess("sample", path, "65534", "1")
    #expect(reader.nextNumber() == 1)
    #expect(reader.finish())
    #expect(access(path + "-lock", F_OK) != 0)
    #expect(try Ledger(path: path).append() == 2)
  }

  /// Whoever of the group comes first makes the lock file.
  @Test func theUsersOfAGroupWriteOneFile() throws {
    let path = folder.path("ledger.realm")
    let group: gid_t = 65_533
    try autoreleasepool { _ = try Ledger(path: path).append() }
    #expect(unlink(path + "-lock") == 0)
    #expect(chown(folder.url.path, 0, group) == 0 && chmod(folder.url.path, 0o770) == 0)
    #expect(chown(path, 0, group) == 0 && chmod(path, 0o660) == 0)
    for (user, number) in [(65_531, 2), (65_532, 3)] {
      let writer = try WorkerProcess(
        "write", path, "\(user)", "1",
        prefix: ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(group)", "--clear-groups"])
      #expect(writer.nextNumber() == number)
      #expect(writer.finish())
    }
    let ledger = try Ledger(path: path)
    #expect(try ledger.append() == 4 && ledger.fault == nil)
  }

  /// What is read is the version of the moment of opening, and the writer is not disturbed by it.
  @Test func theLockFileNeedNotBeReadable() throws {
    let path = folder.path("ledger.realm")
    let ledger = try Ledger(path: path)
    for _ in 0..<3 { try ledger.append() }
    #expect(chmod(path + "-lock", 0o600) == 0)
    let reader = try WorkerProcess("sample", path, "65534", "1")
    #expect(reader.nextNumber() == 3)
    #expect(reader.finish())
    #expect(try ledger.append() == 4)
  }
}
