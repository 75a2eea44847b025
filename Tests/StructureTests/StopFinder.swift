import Foundation

/// The calls in a source file that end the process, by the function that they are in.
struct StopFinder {
  /// What ends the process, and what does for a mistake that its body throws.
  private static let callees = [
    "trap", "stopDamaged", "endProcess", "stopping", "stoppingMistakes", "trapping",
  ]

  /// The numbers of calls, by the names of the members of types, or of the global functions, that they are in.
  private(set) var counts: [String: Int] = [:]
  private let lines: [Substring]

  init(_ source: String) {
    lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      let count = Self.callees.reduce(0) { $0 + Self.calls(of: $1, in: line) }
      if count > 0 { counts[function(around: number), default: 0] += count }
    }
  }

  private static func calls(of name: String, in line: Substring) -> Int {
    if line.drop(while: { $0 == " " }).hasPrefix("//") { return 0 }
    var count = 0
    var rest = line
    while let range = rest.range(of: name) {
      let before = line[..<range.lowerBound]
      let after = rest[range.upperBound...]
      let isWhole = !(before.last.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." } ?? false)
      if isWhole && !before.hasSuffix("func ") && (after.hasPrefix("(") || after.hasPrefix(" {")) {
        count += 1
      }
      rest = after
    }
    return count
  }

  /// In the layout that `swift format` gives a file, what a line is within begins further left. Functions in functions count
  /// as the outer one.
  private func function(around number: Int) -> String {
    var found = "?"
    var column = Int.max
    for line in lines[...number].reversed() {
      let content = line.drop { $0 == " " }
      let start = line.count - content.count
      if content.isEmpty || start >= column || Self.isContinuation(content) { continue }
      if let name = Self.declaredName(content) { found = name }
      column = start
      if column == 0 { break }
    }
    return found
  }

  /// Whether a line goes on with a declaration that began above it.
  private static func isContinuation(_ content: Substring) -> Bool {
    [")", "}", "]", "{", "where ", "->", "//", "#"].contains { content.hasPrefix($0) }
  }

  /// The name of what a line declares: a function, an initializer, a subscript or a property.
  private static func declaredName(_ content: Substring) -> String? {
    var words = content.split(separator: " ")
    while let word = words.first, word.hasPrefix("@") || modifiers.contains(String(word)) {
      words.removeFirst()
    }
    guard let keyword = words.first else { return nil }
    if ["func", "var", "let"].contains(keyword) {
      return words.dropFirst().first.map { String($0.prefix { !"(<:".contains($0) }) }
    }
    let name = String(keyword.prefix { $0.isLetter })
    return ["init", "subscript", "deinit"].contains(name) ? name : nil
  }

  private static let modifiers: Set<String> = [
    "public", "package", "internal", "fileprivate", "private", "private(set)", "static", "class", "final",
    "override", "convenience", "required", "mutating", "nonmutating", "consuming", "borrowing", "lazy",
    "weak", "unowned", "unowned(unsafe)", "nonisolated", "nonisolated(unsafe)", "isolated", "indirect",
  ]
}
