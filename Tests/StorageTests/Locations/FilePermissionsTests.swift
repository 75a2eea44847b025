import CSystemCalls
import Foundation
import TestSupport
import Testing

@testable import Storage

/// Files that are made of another one, and files beside one, are for the same users and never for more.
@Suite struct FilePermissionsTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("data.realm") }

  private func mode(_ path: String) -> mode_t? {
    var information = stat()
    return stat(path, &information) == 0 ? information.st_mode & 0o7777 : nil
  }

  private func make(_ mode: mode_t) throws -> DatabaseFile {
    let file = try DatabaseFile.open(path: path)
    try CommitSignalTests.commit(file)
    #expect(chmod(path, mode) == 0)
    return file
  }

  @Test(arguments: [0o600, 0o640, 0o660, 0o604, 0o644, 0o666] as [mode_t])
  func copiesHaveThePermissionsOfTheirSource(bits: mode_t) throws {
    let file = try make(bits)
    try Snapshot(file: file).writeCopy(to: folder.path("copy.realm"))
    try Snapshot(file: file).writeCopy(
      to: folder.path("secret.realm"), encryptionKey: [UInt8](repeating: 7, count: 64))
    for name in ["copy.realm", "secret.realm"] { #expect(mode(folder.path(name)) == bits) }
    _ = try Salvage.run(from: path, to: folder.path("salvaged.realm"))
    #expect(mode(folder.path("salvaged.realm")) == bits)
  }

  @Test func aCopyOfAFileThatMayNotBeWrittenCanBeWritten() throws {
    _ = try make(0o440)
    let file = try DatabaseFile.open(path: path, readOnly: true)
    try Snapshot(file: file).writeCopy(to: folder.path("copy.realm"))
    #expect(mode(folder.path("copy.realm")) == 0o640)
  }

  /// A test that is run by root: the owner and the group can be set.
  @Test(.enabled(if: geteuid() == 0)) func copiesHaveTheOwnerOfTheirSource() throws {
    let file = try make(0o640)
    #expect(chown(path, 1234, 2345) == 0 && chmod(path, 0o640) == 0)
    let copy = folder.path("copy.realm")
    try Snapshot(file: file).writeCopy(to: copy)
    var information = stat()
    #expect(stat(copy, &information) == 0 && information.st_uid == 1234 && information.st_gid == 2345)
    #expect(information.st_mode & 0o7777 == 0o640)
  }

  /// A user who cannot give a copy the group of its source gives no other group what only that one had.
  @Test(
    .enabled(if: geteuid() == 0),
    arguments: [(0o640, 0o600), (0o644, 0o644), (0o664, 0o644), (0o604, 0o600), (0o666, 0o666)])
  func aGroupThatCannotBeKeptGetsNothing(source: Int, copy: Int) async throws {
    let paths = [folder.path("source"), folder.path("copy")]
    for path in paths { try Data().write(to: URL(fileURLWithPath: path)) }
    #expect(chmod(paths[0], mode_t(source)) == 0 && chmod(folder.url.path, 0o755) == 0)
    #expect(chmod(paths[1], 0o600) == 0 && chown(paths[1], 1234, 2345) == 0)
    await #expect(processExitsWith: .success) { [paths = paths as [String]] in
      let permissions = FilePermissions(path: paths[0])!
      let descriptor = open(paths[1], O_WRONLY)
      precondition(setgroups(0, nil) == 0 && setgid(2345) == 0 && setuid(1234) == 0)
      precondition(permissions.pass(toCopy: descriptor))
    }
    #expect(mode(paths[1]) == mode_t(copy))
  }

  /// Version 2: the owner reads and writes, user 1234 reads, the group has nothing, the mask is reading.
  static let accessList: [UInt8] = {
    var list: [UInt8] = [2, 0, 0, 0]
    for (tag, rights, user) in [(1, 6, -1), (2, 4, 1234), (4, 0, -1), (16, 4, -1), (32, 0, -1)] {
      list += withUnsafeBytes(of: UInt16(tag).littleEndian, Array.init)
      list += withUnsafeBytes(of: UInt16(rights).littleEndian, Array.init)
      list += withUnsafeBytes(of: Int32(user).littleEndian, Array.init)
    }
    return list
  }()

  /// A file that is made in a folder with a default list begins with that list.
  @Test func anInheritedAccessListIsTakenAway() throws {
    let (source, copy) = (folder.path("source"), folder.path("copy"))
    for path in [source, copy] { try Data().write(to: URL(fileURLWithPath: path)) }
    #expect(chmod(source, 0o640) == 0)
    let descriptor = open(copy, O_WRONLY)
    defer { close(descriptor) }
    let isSupported =
      openrealm_set_access_list(descriptor, Self.accessList, Self.accessList.count) == 0
    let permissions = try #require(FilePermissions(path: source))
    #expect(permissions.pass(toCopy: descriptor) && mode(copy) == 0o640)
    #expect(openrealm_access_list(-1, copy, nil, 0) <= 0)
    if isSupported {
      #expect(openrealm_set_access_list(descriptor, Self.accessList, Self.accessList.count) == 0)
    }
    #expect(permissions.restore(on: descriptor) && mode(copy) == 0o640)
    #expect(openrealm_access_list(-1, copy, nil, 0) <= 0)
  }

  /// The group bits of a file with an access control list are the list's mask, which the group itself may not have.
  @Test func accessControlListsAreKept() throws {
    let file = try make(0o600)
    let list = Self.accessList
    let isSupported = openrealm_set_access_list(file.writeLock.descriptor, list, list.count) == 0
    try Snapshot(file: file).writeCopy(to: folder.path("copy.realm"))
    guard isSupported else {
      #expect(mode(folder.path("copy.realm")) == 0o600)
      return
    }
    #expect(mode(path) == 0o640)
    var copied = [UInt8](repeating: 0, count: 256)
    let size = openrealm_access_list(-1, folder.path("copy.realm"), &copied, copied.count)
    #expect(size == list.count && copied.starts(with: list))
  }

  @Test(arguments: [0o600, 0o640, 0o666] as [mode_t]) func lockFilesHaveThePermissionsOfTheData(
    bits: mode_t
  ) throws {
    do { _ = try make(bits) }
    #expect(unlink(path + "-lock") == 0)
    for readOnly in [true, false] {
      do { _ = try DatabaseFile.open(path: path, readOnly: readOnly) }
      #expect(mode(path + "-lock") == bits, "\(readOnly)")
      #expect(unlink(path + "-lock") == 0)
    }
    // One whose maker was killed before it had them.
    #expect(
      FileManager.default.createFile(atPath: path + "-lock", contents: nil)
        && chmod(path + "-lock", 0o600) == 0)
    do { _ = try DatabaseFile.open(path: path) }
    #expect(mode(path + "-lock") == bits)
  }

  /// No other user can reach what is being written, whatever its permissions are at that moment.
  @Test func unfinishedFilesAreForTheirOwnerAlone() throws {
    var modes: [mode_t?] = []
    try DatabaseFile.make(at: path) { snapshot in
      try Writer(snapshot).begin()
      modes.append(mode(path + ".new"))
      try Writer(snapshot).commit(durability: .full)
    }
    #expect(modes == [0o700])
  }

  /// Messages name the file that was to be made, and not the place where it is written.
  @Test func messagesNameTheFileThatIsMade() throws {
    let error = try #require(throws: StorageError.self) {
      try DatabaseFile.make(at: path) { snapshot in throw snapshot.file.writingError(EntryError(code: ENOSPC))
      }
    }
    #expect(error.message.contains("'\(path)'") || error.message.contains("\(path)"))
    #expect(!error.message.contains(".new"), "\(error.message)")
  }
}
