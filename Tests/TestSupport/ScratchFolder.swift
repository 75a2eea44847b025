public import Foundation

/// A folder of a test's own, which is removed with it; at the end of the process when a file in it is still open, which
/// must not lose its name.
public final class ScratchFolder: Sendable {
  /// Where it is.
  public let url: URL

  /// Makes a folder.
  public init() {
    url = ScratchRoot.url.appending(path: UUID().uuidString)
    // Nothing can be tested without it.
    try! FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    if !hasOpenFiles { try? FileManager.default.removeItem(at: url) }
  }

  /// The place of a file in it.
  public func file(_ name: String) -> URL { url.appending(path: name) }
  /// The same as a path.
  public func path(_ name: String) -> String { file(name).path }

  /// The path of a file in a folder that stays until the end of the process.
  public static func lastingPath(_ name: String = "\(UUID().uuidString).realm") -> String {
    ScratchRoot.url.appending(path: name).path
  }

  /// Whether this process has a file in it open.
  private var hasOpenFiles: Bool {
    let names = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
    return OpenFiles.contain(Set(names.compactMap { FileIdentity(path: path($0)) }))
  }
}
