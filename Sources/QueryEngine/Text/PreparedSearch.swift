import Storage

/// A full-text search that is parsed once, and then applied to one object in memory after another.
final class PreparedSearch: Sendable {
  let text: String
  /// The search as a condition on a single text.
  let condition: TextCondition
  /// The parts of the search, for an object with several texts.
  let parts: (required: [TextCondition], excluded: [TextCondition])

  /// Parses a constant; nil when it is no string.
  init?(_ operand: Operand) {
    guard case .value(.string(let text)) = operand else { return nil }
    self.text = text
    condition = TextCondition(.fullText, Array(text.utf8))
    parts = FullTextSearch.parts(of: text)
  }

  /// Returns whether all required parts are true of some text, and no excluded part of any.
  func finds(_ texts: [Value]) -> Bool {
    func isFound(_ part: TextCondition) -> Bool { texts.contains { part.matches($0) } }
    return parts.required.allSatisfy(isFound) && !parts.excluded.contains(where: isFound)
  }
}

// Everything follows from the text.
extension PreparedSearch: Hashable {
  static func == (first: PreparedSearch, second: PreparedSearch) -> Bool { first.text == second.text }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
