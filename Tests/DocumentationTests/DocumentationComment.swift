import Foundation

/// A documentation comment, and the declaration below it.
struct DocumentationComment {
  /// The lines without the three slashes and the space after them.
  let lines: [String]
  /// The first line of the declaration, without attributes that have lines of their own.
  let declaration: String

  var hasSample: Bool { lines.contains("```swift") }

  /// What a line of a documentation comment says; nil for other lines.
  static func content(of line: String) -> String? {
    let trimmed = line.trimmingCharacters(in: .whitespaces)
    guard trimmed.hasPrefix("///") else { return nil }
    let content = trimmed.dropFirst(3)
    return String(content.hasPrefix(" ") ? content.dropFirst() : content)
  }

  /// All comments of a source file that have a declaration.
  static func all(in text: String) -> [DocumentationComment] {
    var comments: [DocumentationComment] = []
    var lines: [String] = []
    for line in text.components(separatedBy: "\n") {
      if let content = content(of: line) {
        lines.append(content)
        continue
      }
      let code = line.trimmingCharacters(in: .whitespaces)
      // Attributes stand between a comment and its declaration.
      if !code.isEmpty, code.split(separator: " ").allSatisfy({ $0.hasPrefix("@") }) { continue }
      if !lines.isEmpty, !code.isEmpty {
        comments.append(DocumentationComment(lines: lines, declaration: code))
      }
      lines = []
    }
    return comments
  }
}
