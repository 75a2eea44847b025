/// The attributes and modifiers before a declaration.
struct MemberStart: Sendable {
  struct Attribute: Sendable {
    let name: String
    /// The tokens from the sign `@` to the end of the arguments.
    let tokens: Range<Int>
    /// The bracket that opens the arguments, nil without arguments.
    let arguments: Int?
  }

  /// The position of the first token.
  let position: Int
  private(set) var attributes: [Attribute] = []
  /// The positions of modifiers by their names.
  private(set) var modifiers: [String: Int] = [:]
  /// The position of the word that says what is declared.
  private(set) var keyword: Int

  static let keywords: Set = [
    "var", "let", "func", "class", "struct", "enum", "actor", "protocol", "extension", "init", "deinit",
    "subscript",
    "typealias",
  ]
  static let modifiers: Set = [
    "public", "private", "fileprivate", "internal", "open", "package", "override", "static", "final",
    "dynamic",
    "lazy", "weak", "unowned", "required", "convenience", "nonisolated", "mutating", "optional",
  ]

  /// Returns nil where no declaration begins.
  init?(at position: Int, in source: SwiftSource, end: Int) {
    self.position = position
    var next = position
    while next < end {
      if source.isToken(next, "@") {
        guard let attribute = Self.attribute(at: next, in: source, end: end) else { return nil }
        attributes.append(attribute)
        next = attribute.tokens.upperBound
      } else if source.tokens[next].kind == .word {
        let word = source.text(next)
        let following = source.significant(from: next + 1, to: end)
        let isClassMember =
          word == "class" && following < end && Self.isModifierOrKeyword(source.text(following))
        if Self.keywords.contains(word) && !isClassMember {
          keyword = next
          return
        }
        guard isClassMember || Self.modifiers.contains(word) else { return nil }
        modifiers[word] = next
        next += 1
        if source.isToken(next, "(") { next = source.skipping(next) }
      } else {
        return nil
      }
      next = source.significant(from: next, to: end)
    }
    return nil
  }

  private static func isModifierOrKeyword(_ word: String) -> Bool {
    keywords.contains(word) || modifiers.contains(word)
  }

  private static func attribute(at sign: Int, in source: SwiftSource, end: Int) -> Attribute? {
    guard sign + 1 < end, source.tokens[sign + 1].kind == .word else { return nil }
    let hasArguments = source.isToken(sign + 2, "(")
    return Attribute(
      name: source.text(sign + 1), tokens: sign..<(hasArguments ? source.skipping(sign + 2) : sign + 2),
      arguments: hasArguments ? sign + 2 : nil)
  }

  func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }
}
