import Foundation

/// Where realms lie that are opened without a path.
///
/// The folder is named after the program, in the user's data folder as the XDG Base Directory Specification has
/// it: `$XDG_DATA_HOME/<program>/default.realm`, or `$HOME/.local/share/<program>/default.realm`. It is made when
/// the first realm in it is opened.
enum DefaultPath {
  static let folder: String = {
    let base =
      absolutePath("XDG_DATA_HOME") ?? (absolutePath("HOME") ?? NSHomeDirectory()) + "/.local/share"
    return base + "/" + ProcessInfo.processInfo.processName
  }()

  /// An environment variable that holds an absolute path. Relative ones are to be ignored, says the specification.
  private static func absolutePath(_ variable: String) -> String? {
    ProcessInfo.processInfo.environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  static func file(named name: String) -> String { folder + "/" + name }

  /// Makes the default folder if the path is in it; other folders are up to the program.
  static func makeFolder(of path: String) throws {
    // A folder that is there needs no look at the environment.
    let parent = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    guard access(String(parent), F_OK) != 0, path.hasPrefix(folder + "/") else { return }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      let (code, reason) = cause(error)
      throw Realm.Error(
        code,
        "Failed to create the folder '\(folder)' of the default realm: \(reason). Set the environment variable XDG_DATA_HOME to the absolute path of a folder that this user may write to, or set `fileURL` in the configuration.",
        path: path)
    }
  }

  /// Returns the code of an error of Foundation, and the system's own words where there are some.
  private static func cause(_ error: any Error) -> (code: Realm.Error.Code, reason: String) {
    let error = error as NSError
    guard let system = (error.userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code.rawValue else {
      return (
        error.code == CocoaError.fileWriteOutOfSpace.rawValue ? .outOfDiskSpace : .fileAccess,
        error.localizedDescription
      )
    }
    let code: Realm.Error.Code =
      switch system {
      case EACCES, EPERM, EROFS: .filePermissionDenied
      case ENOENT, ENOTDIR: .fileNotFound
      case ENOSPC, EDQUOT: .outOfDiskSpace
      default: .fileAccess
      }
    return (code, String(cString: strerror(system)))
  }
}
