public import Foundation

/// What was built from the sources of this program: it lies beside the tests, which are an image of this process.
public enum BuiltProducts {
  private static let folders: [URL] = {
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    var images = maps.split(separator: "\n").filter { $0.hasSuffix(".xctest") }
      .map { String($0[$0.firstIndex(of: "/")!...]) }
    // The tests are mostly the program itself.
    if let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      images.insert(program, at: 0)
    }
    return images.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
  }()

  /// Nil when it was not built.
  public static func find(_ name: String) -> URL? {
    folders.lazy.map { $0.appending(path: name) }.first { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// What all tests are built with.
  public static func file(_ name: String) -> URL {
    guard let file = find(name) else { fatalError("\(name) is not built") }
    return file
  }
}
