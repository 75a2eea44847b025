import Foundation

/// Where realms lie that are opened without a path.
///
/// The folder is named after the program, in the user's data folder as the XDG Base Directory Specification has
/// it: `$XDG_DATA_HOME/<program>/default.realm`, or `~/.local/share/<program>/default.realm`. It is made when
/// the first realm in it is opened.
enum DefaultPath {
  static let folder: String = {
    let configured = ProcessInfo.processInfo.environment["XDG_DATA_HOME"] ?? ""
    // Relative paths are to be ignored, says the specification.
    let base = configured.hasPrefix("/") ? configured : NSHomeDirectory() + "/.local/share"
    return base + "/" + ProcessInfo.processInfo.processName
  }()

  static func file(named name: String) -> String { folder + "/" + name }

  /// Makes the default folder if the path is in it; other folders are up to the program.
  static func makeFolder(of path: String) throws {
    guard path.hasPrefix(folder + "/"), !FileManager.default.fileExists(atPath: folder) else { return }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw Realm.Error(
        .filePermissionDenied,
        "Failed to make the folder '\(folder)': \(error.localizedDescription)", path: path)
    }
  }
}
