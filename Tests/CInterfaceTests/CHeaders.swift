import Foundation
import TestSupport

/// The headers of the C interface.
enum CHeaders {
  /// Where they are.
  static let folder = Repository.folder.appending(path: "Sources/COpenRealm/include")

  /// The names of the functions that the headers declare and do not define themselves.
  static func functions() throws -> [String] {
    let headers = try FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: "openrealm").path)
    return try headers.filter { $0.hasSuffix(".h") }.sorted().flatMap { header in
      let url = folder.appending(path: "openrealm/\(header)")
      return functions(in: try String(contentsOf: url, encoding: .utf8))
    }
  }

  /// The names of the functions that a header declares.
  static func functions(in text: String) -> [String] {
    let code = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in line.range(of: "//").map { line[..<$0.lowerBound] } ?? line }
      .filter { !$0.hasPrefix("#") }
    // A declaration begins at the start of a line; bodies of inline functions and members of structures are indented.
    return code.compactMap { line in
      guard let first = line.first, first.isLetter, !line.hasPrefix("static ") else { return nil }
      return line.firstMatch(of: /\b(openrealm_\w+)\(/).map { String($0.output.1) }
    }
  }
}
