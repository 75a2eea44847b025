/// A class that a file declares, at any depth.
struct ClassDeclaration: Sendable {
  let name: String
  /// The name of the first inherited type without its module, nil for none.
  let superclass: String?
  /// The position of the word `class`.
  let keyword: Int
  /// The tokens between the braces.
  let body: Range<Int>

  /// Finds the classes of a file in the order of their beginnings.
  static func all(in source: SwiftSource) -> [ClassDeclaration] {
    source.tokens.indices.compactMap { position in
      source.isToken(position, "class") ? ClassDeclaration(at: position, in: source) : nil
    }
  }

  /// Returns nil for another use of the word, as in `class func` and `: class`.
  private init?(at keyword: Int, in source: SwiftSource) {
    let end = source.tokens.count
    let nameAt = source.significant(from: keyword + 1, to: end)
    guard nameAt < end, source.tokens[nameAt].kind == .word else { return nil }
    let name = source.text(nameAt)
    if MemberStart.keywords.contains(name) || MemberStart.modifiers.contains(name) { return nil }
    var brace = nameAt + 1
    while brace < end, !source.isToken(brace, "{") {
      if source.isToken(brace, "}") || source.isToken(brace, ";") { return nil }
      brace = source.skipping(brace)
    }
    guard let closing = source.closings[brace] else { return nil }
    self.name = name
    self.keyword = keyword
    body = brace + 1..<closing
    superclass = Self.firstInheritedType(in: source, nameAt + 1..<brace)
  }

  private static func firstInheritedType(in source: SwiftSource, _ head: Range<Int>) -> String? {
    guard let colon = head.first(where: { source.isToken($0, ":") && depth(at: $0, in: source, head) == 0 })
    else {
      return nil
    }
    var name: String?
    var position = colon + 1
    while position < head.upperBound {
      let token = source.tokens[position]
      if source.isToken(position, "@") {
        position = source.significant(from: position + 1, to: head.upperBound)
      } else if token.kind == .word {
        if source.isToken(position, "where") { break }
        name = source.text(position)
      } else if token.kind == .punctuation || (token.kind == .symbol && source.text(position) != ".") {
        break
      }
      position += 1
    }
    return name
  }

  /// The angle brackets of generic parameters that are open at a place.
  private static func depth(at position: Int, in source: SwiftSource, _ head: Range<Int>) -> Int {
    (head.lowerBound..<position).reduce(0) { $0 + source.angleBrackets(at: $1) }
  }
}

extension SwiftSource {
  /// Returns the number of angle brackets that a token opens less those that it closes; 0 for arrows and comparisons.
  func angleBrackets(at position: Int) -> Int {
    guard tokens[position].kind == .symbol else { return 0 }
    let text = text(position)
    if ["->", "=>", ">=", "<=", "<<", "<<=", ">>="].contains(text) { return 0 }
    return text.reduce(0) { $0 + ($1 == "<" ? 1 : $1 == ">" ? -1 : 0) }
  }
}
