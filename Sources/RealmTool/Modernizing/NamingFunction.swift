/// A class function of the old style that names properties, such as `primaryKey()`.
struct NamingFunction: Sendable {
  enum Role: String, CaseIterable, Sendable {
    case primaryKey, indexedProperties, ignoredProperties
  }

  let role: Role
  /// All tokens of the function.
  let tokens: Range<Int>
  /// The names that it returns; nil where they are not literals.
  let names: [String]?

  /// Returns nil for any other function.
  init?(_ start: MemberStart, in source: SwiftSource, limit: Int) {
    let nameAt = source.significant(from: start.keyword + 1, to: limit)
    guard source.isToken(start.keyword, "func"), nameAt < limit,
      let role = Role(rawValue: source.text(nameAt)),
      start.modifiers["static"] != nil || start.modifiers["class"] != nil
    else { return nil }
    var brace = nameAt
    while brace < limit, !source.isToken(brace, "{") { brace = source.skipping(brace) }
    guard let closing = source.closings[brace] else { return nil }
    self.role = role
    tokens = start.position..<closing + 1
    names = Self.names(in: source, brace + 1..<closing)
  }

  private static func names(in source: SwiftSource, _ body: Range<Int>) -> [String]? {
    var names: [String] = []
    var position = source.significant(from: body.lowerBound, to: body.upperBound)
    while position < body.upperBound {
      if source.tokens[position].kind == .literal {
        guard let text = plainString(source.text(position)) else { return nil }
        names.append(text)
      } else if source.isToken(position, "#"), source.isToken(position + 1, "keyPath"),
        let closing = source.closings[position + 2], let last = source.significant(before: closing)
      {
        names.append(source.text(last))
        position = closing
      } else if !["return", "nil", "[", "]", ",", ";"].contains(where: { source.isToken(position, $0) }) {
        return nil
      }
      position = source.significant(from: position + 1, to: body.upperBound)
    }
    return names
  }

  /// The content of a literal without escapes and interpolations, nil for any other.
  static func plainString(_ literal: String) -> String? {
    guard literal.count >= 2, literal.first == "\"", literal.last == "\"" else { return nil }
    let content = literal.dropFirst().dropLast()
    return content.contains("\"") || content.contains("\\") ? nil : String(content)
  }
}
