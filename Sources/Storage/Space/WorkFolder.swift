import LibC
import Pages
import Synchronization

/// The folder beside a file in which what is to become that file is written: `<file>.new`. It belongs to this user alone, so
/// that no other user can plant or exchange files in it. Another user may be able to exchange the folder itself: so its files are
/// reached by the folder's descriptor, not by its name.
///
/// Its user holds a lock on it, which the kernel releases when the process dies. So a process that finds it unlocked may take
/// it over, and an opener of the file removes it. It is there from before something is renamed to the file until the
/// file's folder was synchronised: an empty one says that this may still have to be done.
final class WorkFolder {
  private let path: String
  /// The path of the folder that leads to it whatever its name leads to.
  private let content: String
  private let target: String
  private let folder: OwnedDescriptor
  private var isEnded = false
  /// The work folders that this process holds, by their paths.
  private static let held = Mutex<[String: (content: String, target: String)]>([:])

  /// What is written.
  var file: String { Self.file(in: content) }

  /// What is written of a file that is to be replaced and kept.
  var keptFile: String { Self.keptFile(in: content) }

  private static func file(in path: String) -> String { path + "/copy" }
  private static func keptFile(in path: String) -> String { path + "/kept" }

  /// The lock file, where it is opened there.
  private var lockFile: String { file + "-lock" }

  /// Waits until no other process uses the folder, and takes it.
  ///
  /// - Parameter target: Where the file lies or will lie, without symbolic links.
  /// - Throws: `notFound`, `permissionDenied`, `outOfSpace`; `access` when something else is at its place.
  static func take(beside target: String) throws(StorageError) -> WorkFolder {
    let path = path(beside: target)
    while true {
      if mkdir(path, 0o700) != 0 && errno != EEXIST { throw .writing(errno, path: target) }
      guard let opened = try open(path, target) else { continue }
      if let folder = WorkFolder(path, target, opened, waits: true) {
        // What was left there must not become a part of the copy.
        for file in [folder.file, folder.keptFile] where unlink(file) != 0 && errno != ENOENT {
          throw .writing(errno, path: target)
        }
        unlink(folder.lockFile)
        return folder
      }
    }
  }

  /// Removes the folder that a dead process has left, and completes that process's work. Must be called before the file is
  /// used for writing.
  static func clean(beside target: String) throws(StorageError) {
    let path = path(beside: target)
    var information = stat()
    // Usually there is none. Other files, and folders of other users, are left alone.
    guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFDIR,
      information.st_uid == geteuid()
    else { return }
    guard let opened = try open(path, target), let folder = WorkFolder(path, target, opened, waits: false)
    else { return }
    try folder.synchroniseParent()
    folder.end()
  }

  private static func path(beside target: String) -> String { target + ".new" }

  /// Nil when it is not there any more.
  private static func open(_ path: String, _ target: String) throws(StorageError) -> OwnedDescriptor? {
    let folder = OwnedDescriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    if folder == nil && errno == ENOENT { return nil }
    var information = stat()
    // Something else than a folder is there, or a folder that only another user can read.
    let isForeign = folder == nil && [ENOTDIR, ELOOP, EACCES, EPERM].contains(errno)
    if !isForeign && (folder == nil || fstat(folder!.number, &information) != 0) {
      throw .writing(errno, path: target)
    }
    guard !isForeign, information.st_uid == geteuid(), information.st_mode & 0o022 == 0 else {
      throw StorageError(
        .access, path: target,
        message: "Failed to write file at path '\(target)': '\(path)' is in the way.")
    }
    return folder
  }

  /// Nil if another process has the folder, or has removed it.
  private init?(_ path: String, _ target: String, _ folder: OwnedDescriptor, waits: Bool) {
    self.path = path
    let held = "/proc/self/fd/\(folder.number)"
    content = access(held, F_OK) == 0 ? held : path
    self.target = target
    self.folder = folder
    var code: Int32
    repeat {
      code = flock(folder.number, waits ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 ? 0 : errno
    } while code == EINTR
    // A file system without locks has no second process either that would do the same.
    let isHeld = code == 0 || code != EWOULDBLOCK
    guard isHeld, FileIdentity(path: path) == FileIdentity(descriptor: folder.number) else {
      isEnded = true
      return nil
    }
    Self.held.withLock { $0[path] = (content, target) }
  }

  deinit { end() }

  /// Removes the folder and what is in it.
  func end() {
    if isEnded || !folder.isOwn { return }
    isEnded = true
    Self.held.withLock { _ = $0.removeValue(forKey: path) }
    Self.remove(path, content)
  }

  /// Leaves the folder to who next opens the file.
  func leave() {
    isEnded = true
    Self.held.withLock { _ = $0.removeValue(forKey: path) }
  }

  /// Removes all folders that this process has: for a process that a signal is about to end.
  static func endAll() {
    let folders = held.withLock { folders in
      defer { folders = [:] }
      return folders
    }
    for (path, folder) in folders {
      // What was renamed already keeps its name.
      _ = try? FileLocation.synchroniseFolder(of: folder.target)
      remove(path, folder.content)
    }
  }

  private static func remove(_ path: String, _ content: String) {
    unlink(file(in: content))
    unlink(file(in: content) + "-lock")
    unlink(keptFile(in: content))
    rmdir(path)
  }

  /// Brings to the disk which names the files beside the folder have.
  func synchroniseParent() throws(StorageError) { try FileLocation.synchroniseFolder(of: target) }
}
