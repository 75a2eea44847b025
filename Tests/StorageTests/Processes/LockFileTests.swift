import CSystemCalls
import Foundation
import TestSupport
import Testing

@testable import Storage

/// Whose lock files are trusted, and for whom they are.
@Suite(.enabled(if: geteuid() == 0, "only root can make files of other users"))
struct LockFileTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("data.realm") }
  private var lockPath: String { path + "-lock" }
  private let owner: uid_t = 61_001
  private let member: uid_t = 61_002
  private let group: gid_t = 61_050

  private func information(_ path: String) -> stat {
    var information = stat()
    stat(path, &information)
    return information
  }

  /// Makes a file of a user and of the group.
  private func make(_ path: String, _ user: uid_t, _ mode: mode_t) throws {
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(chown(path, user, group) == 0 && chmod(path, mode) == 0)
  }

  private func fault() -> String? {
    let data = open(path, O_RDONLY)
    defer { close(data) }
    return LockFileOwner(FileLocation(path: path), data: data).fault(of: information(lockPath))
  }

  @Test func thoseOfTheGroupAreTrustedWhereItMayWriteTheData() throws {
    let foreign = "belongs to another user"
    #expect(chown(folder.url.path, owner, group) == 0 && chmod(folder.url.path, 0o770) == 0)
    try make(path, owner, 0o660)
    try make(lockPath, owner, 0o660)
    #expect(fault() == nil)
    try make(lockPath, member, 0o660)
    #expect(fault() == nil)
    #expect(chmod(path, 0o640) == 0)
    #expect(fault() == foreign)
    #expect(chmod(path, 0o660) == 0 && chmod(folder.url.path, 0o777) == 0)
    #expect(fault() == foreign)
    #expect(chmod(folder.url.path, 0o2770) == 0)
    #expect(fault() == nil)
  }

  /// With a list, the bits of the group say what the users of the list may do at most; and users of a list may make files in a folder
  /// that gives them its group.
  @Test(arguments: [false, true]) func anAccessListTellsOfOtherUsersThanTheGroup(isOfFolder: Bool) throws {
    #expect(chown(folder.url.path, owner, group) == 0 && chmod(folder.url.path, 0o2770) == 0)
    try make(path, owner, 0o660)
    try make(lockPath, member, 0o660)
    let target = open(isOfFolder ? folder.url.path : path, O_RDONLY)
    defer { close(target) }
    let list = FilePermissionsTests.accessList
    if openrealm_set_access_list(target, list, list.count) != 0 {
      print("This file system has no access control lists.")
      return
    }
    #expect(fault() == "belongs to another user")
    #expect(chown(lockPath, owner, group) == 0)
    #expect(fault() == nil)
  }

  /// Who may not read the data any more could write its versions.
  @Test(arguments: [0o600, 0o660, 0o644, 0o640] as [mode_t]) func itFollowsThePermissionsOfTheData(
    _ mode: mode_t
  ) throws {
    func use() throws { try CommitSignalTests.commit(DatabaseFile.open(path: path)) }
    try use()
    #expect(chown(path, owner, group) == 0 && chmod(path, mode) == 0)
    try use()
    #expect(information(lockPath).st_mode & 0o777 == mode)
    #expect(information(lockPath).st_uid == owner && information(lockPath).st_gid == group)
    #expect(chmod(path, 0o600) == 0)
    try use()
    #expect(information(lockPath).st_mode & 0o777 == 0o600)
  }

  /// An opener that another lock file keeps out has made one, which must not keep the owner out later.
  @Test func whatARefusedOpenerMakesIsForTheUsersOfTheData() throws {
    try CommitSignalTests.commit(DatabaseFile.open(path: path))
    #expect(chown(path, owner, group) == 0 && chmod(path, 0o640) == 0 && unlink(lockPath) == 0)
    // As a process does that has it open with another one.
    let data = open(path, O_RDONLY)
    defer { close(data) }
    try OpenFileLock.share(data, byte: 3 << 61)
    #expect(throws: StorageError.self) { try DatabaseFile.open(path: path) }
    let lock = information(lockPath)
    #expect(lock.st_uid == owner && lock.st_gid == group && lock.st_mode & 0o777 == 0o640)
  }

  @Test func theMessageNamesALockFileThatCannotBeOpened() throws {
    try CommitSignalTests.commit(DatabaseFile.open(path: path))
    #expect(unlink(lockPath) == 0 && mkdir(lockPath, 0o755) == 0)
    let error = #expect(throws: StorageError.self) { try DatabaseFile.open(path: path) }
    #expect(error?.message.contains("its lock file '\(lockPath)' is not an ordinary file") == true)
  }
}
