public import Foundation

/// A folder of a test's own, which is removed soon after it; at the end of the process when a file in it is still open,
/// which must not lose its name.
public final class ScratchFolder: Sendable {
  /// Where it is.
  public let url: URL

  /// Makes a folder.
  public init() {
    url = ScratchRoot.url.appending(path: UUID().uuidString)
    // Nothing can be tested without it.
    try! FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { ReleasedFolders.add(url) }

  /// The place of a file in it.
  public func file(_ name: String) -> URL { url.appending(path: name) }
  /// The same as a path.
  public func path(_ name: String) -> String { file(name).path }

  /// The path of a file in a folder that stays until the end of the process.
  public static func lastingPath(_ name: String = "\(UUID().uuidString).realm") -> String {
    ScratchRoot.url.appending(path: name).path
  }
}

/// Scratch folders that nobody has any more and that are still there.
///
/// They are removed several at a time: the descriptors of the process, which are many, are asked once for all of them.
private enum ReleasedFolders {
  private static let urls = Mutex<[URL]>([])

  static func add(_ url: URL) {
    let full = urls.withLock { urls -> [URL] in
      urls.append(url)
      if urls.count < 16 { return [] }
      defer { urls = [] }
      return urls
    }
    if !full.isEmpty { remove(full) }
  }

  private static func remove(_ urls: [URL]) {
    let open = OpenFiles.identities()
    for url in urls where open.isDisjoint(with: files(in: url)) {
      try? FileManager.default.removeItem(at: url)
    }
  }

  private static func files(in url: URL) -> [FileIdentity] {
    let names = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
    return names.compactMap { FileIdentity(path: url.appending(path: $0).path) }
  }
}
