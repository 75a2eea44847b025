import Foundation
import LibC
import StudioPage

/// The files of the page: those in the program, or those of a folder while the page is being developed.
struct StudioPageFiles: Sendable {
  struct File: Sendable {
    let bytes: [UInt8]
    let type: String
    /// Names the content in caches.
    let tag: String

    init(_ bytes: [UInt8], name: String) {
      self.bytes = bytes
      let suffix = name.split(separator: ".").last.map(String.init) ?? ""
      type = StudioPageFiles.types[suffix] ?? "application/octet-stream"
      tag = "\"\(ContentHash.text(of: bytes))\""
    }
  }

  fileprivate static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
  ]

  /// The page that the browser is sent to first: it goes on to the page of Studio with what follows the `#`.
  static let opening = File(
    Array(
      "<!doctype html><meta charset=\"utf-8\"><title>Studio</title><script src=\"/\(openingScriptName)\"></script>\n"
        .utf8), name: "opening.html")
  private static let openingScriptName = "opening-script.js"
  private static let openingScript = File(
    Array("location.replace(\"/\" + location.hash);\n".utf8), name: openingScriptName)

  private let files: [String: File]
  private let folder: String?

  /// The files in the program.
  init() {
    var files: [String: File] = [:]
    for entry in UnsafeBufferPointer(start: studio_page_first_file(), count: studio_page_file_count) {
      let name = String(cString: entry.path)
      files[name] = File(Array(UnsafeBufferPointer(start: entry.bytes, count: entry.count)), name: name)
    }
    self.files = files
    folder = nil
  }

  /// The files of a folder, read again for each request.
  init(folder: String) throws {
    guard let path = realpath(folder, nil) else { throw ToolError("There is no folder at '\(folder)'.") }
    defer { free(path) }
    self.folder = String(cString: path)
    guard InputFile.isFolder(folder) else { throw ToolError("'\(folder)' is no folder.") }
    files = [:]
  }

  /// Returns the file for the path of a request, which is not decoded; nil when there is none.
  func file(_ path: some StringProtocol) -> File? {
    guard path.first == "/" else { return nil }
    let name = path == "/" ? "index.html" : String(path.dropFirst())
    if name == Self.openingScriptName { return Self.openingScript }
    guard let folder else { return files[name] }
    return Self.isPlain(name) ? Self.read(name, in: folder) : nil
  }

  /// Whether each part of a name has letters, digits, dots, dashes and underscores only and begins with no dot.
  private static func isPlain(_ name: String) -> Bool {
    name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && !part.hasPrefix(".")
        && part.utf8.allSatisfy { byte in
          UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            || "._-".utf8.contains(byte)
        }
    }
  }

  /// Reads a file that is in a folder, and not one outside that a symbolic link leads to.
  private static func read(_ name: String, in folder: String) -> File? {
    guard let resolved = realpath("\(folder)/\(name)", nil) else { return nil }
    defer { free(resolved) }
    let path = String(cString: resolved)
    guard path.hasPrefix(folder + "/"), !InputFile.isFolder(path),
      let bytes = try? InputFile(path: path).readAll()
    else { return nil }
    return File(bytes, name: name)
  }
}
