import Foundation
import TestSupport

/// A block of code in the documentation.
struct Sample {
  /// Where it begins.
  let page: String
  let line: Int
  /// The lines without the margin that they have in common.
  let lines: [String]

  init(page: String, line: Int, lines: some Sequence<String>) {
    self.page = page
    self.line = line
    self.lines = Self.withoutMargin(Array(lines))
  }

  /// The lines without the spaces that all of them begin with; empty ones do not count.
  static func withoutMargin(_ lines: [String]) -> [String] {
    let margin = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(margin)) }
  }

  /// The blocks in the given languages between lines of three backticks.
  static func fenced(in text: String, page: String, languages: Set<String>) -> [Sample] {
    var samples: [Sample] = []
    var open: (line: Int, language: String, lines: [String])?
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      guard trimmed.hasPrefix("```") else {
        open?.lines.append(line)
        continue
      }
      guard let block = open else {
        open = (index + 1, String(trimmed.dropFirst(3)), [])
        continue
      }
      if languages.contains(block.language) {
        samples.append(Sample(page: page, line: block.line, lines: block.lines))
      }
      open = nil
    }
    return samples
  }

  /// The fenced blocks of Swift in the documentation comments of a source file. The first line of other text ends a block.
  static func fenced(inCommentsOf text: String, page: String) -> [Sample] {
    let comments = text.components(separatedBy: "\n").map { DocumentationComment.content(of: $0) ?? "```" }
    // A line of code closes whatever is open; no block begins there, since it names no language.
    var samples: [Sample] = []
    var open: (line: Int, lines: [String])?
    for (index, line) in comments.enumerated() {
      let isFence = line.hasPrefix("```")
      if isFence, let block = open {
        samples.append(Sample(page: page, line: block.line, lines: block.lines))
        open = nil
      } else if isFence {
        open = line == "```swift" ? (index + 1, []) : nil
      } else {
        open?.lines.append(line)
      }
    }
    return samples
  }

  /// The numbers of the lines in documentation comments that are Markdown's other form of code: indented by four spaces
  /// after an empty line. DocC does not highlight it.
  static func indentedLines(inCommentsOf text: String) -> [Int] {
    var isOpen = false
    var wasEmpty = false
    var found: [Int] = []
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      guard let content = DocumentationComment.content(of: line) else {
        (isOpen, wasEmpty) = (false, false)
        continue
      }
      if content.hasPrefix("```") { isOpen.toggle() }
      if !isOpen, wasEmpty, content.hasPrefix("    ") { found.append(index + 1) }
      wasEmpty = content.isEmpty
    }
    return found
  }
}

/// What the samples have to be found in: sources that are compiled, and run.
struct CompiledSources {
  private let files: [[String]]

  init(_ texts: [String]) { files = texts.map { $0.components(separatedBy: "\n") } }

  /// The tests of the documentation, that of synchronisation included, and the programs of a client.
  static let all: CompiledSources = {
    let folders = ["Tests/DocumentationTests", "Tests/SyncTests/Documentation", "Examples/Clients"].map {
      Repository.folder.appending(path: $0).resolvingSymlinksInPath()
    }
    let files = folders.flatMap { folder in
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
        ?? []
    }
    let sources = files.filter { $0.pathExtension == "swift" || $0.lastPathComponent == "Dockerfile" }
    return CompiledSources(sources.compactMap { try? String(contentsOf: $0, encoding: .utf8) })
  }()

  /// Whether some file has these lines one after the other, all of them further right by the same number of spaces.
  func contains(_ sample: Sample) -> Bool {
    guard let first = sample.lines.first(where: { !$0.isEmpty }) else { return false }
    return files.contains { lines in
      lines.indices.contains { start in
        guard lines[start].hasSuffix(first), lines.count - start >= sample.lines.count else { return false }
        let part = Array(lines[start..<start + sample.lines.count])
        return Sample.withoutMargin(part) == sample.lines
      }
    }
  }
}
