/// The part of a query line before the position of the user, which need not be correct.
struct QueryLineBeginning {
  /// What is expected at the position.
  enum Place: Equatable {
    /// A property, or a word before one.
    case operand
    case property
    case connective
    /// An operator after the property of a path.
    case operation([String])
    /// A value that is compared with the property of a path.
    case value([String])
  }

  private enum Token: Equatable {
    case name(String)
    case value
    case sign(String)
  }

  /// What the user has begun to write at the position, without quotes.
  private(set) var partial = ""
  /// Number of units of UTF-16 that it takes.
  private(set) var partialLength = 0
  /// The names before it, with dots between.
  private(set) var path: [String] = []
  private(set) var place = Place.operand

  init(_ text: String) {
    var tokens = readTokens(Array(text.unicodeScalars))
    path = Self.takePath(&tokens)
    place = Self.place(after: tokens)
  }

  /// Returns the tokens before the partial one, which it takes note of.
  private mutating func readTokens(_ scalars: [Unicode.Scalar]) -> [Token] {
    var (tokens, position): ([Token], Int) = ([], 0)
    while position < scalars.count {
      let start = position
      let scalar = scalars[position]
      var content = String.UnicodeScalarView()
      position += 1
      if "'\"`".unicodeScalars.contains(scalar) {
        while position < scalars.count && scalars[position] != scalar {
          if scalars[position] == "\\" { position += 1 }
          if position < scalars.count { content.append(scalars[position]) }
          position += 1
        }
        if position >= scalars.count {
          setPartial(String(content), scalars[start...])
        } else {
          tokens.append(scalar == "`" ? .name(String(content)) : .value)
          position += 1
        }
      } else if scalar.isPartOfWord {
        while position < scalars.count && scalars[position].isPartOfWord { position += 1 }
        let word = String(String.UnicodeScalarView(scalars[start..<position]))
        if position == scalars.count {
          setPartial(word, scalars[start...])
        } else {
          tokens.append(scalar.properties.numericType != nil ? .value : .name(word))
        }
      } else if !scalar.properties.isWhitespace {
        tokens.append(.sign(String(scalar)))
      }
    }
    return tokens
  }

  private mutating func setPartial(_ text: String, _ scalars: ArraySlice<Unicode.Scalar>) {
    partial = text
    partialLength = scalars.reduce(0) { $0 + UTF16.width($1) }
  }

  /// Takes the names with a dot behind from the end.
  private static func takePath(_ tokens: inout [Token]) -> [String] {
    var path: [String] = []
    while tokens.last == .sign("."), case .name(let name)? = tokens.dropLast().last {
      path.insert(name, at: 0)
      tokens.removeLast(2)
    }
    return path
  }

  private static let comparisons: Set<String> = [
    "BEGINSWITH", "BETWEEN", "CONTAINS", "ENDSWITH", "IN", "LIKE", "MATCHES", "TEXT",
  ]
  private static let constants: Set<String> = [
    "FALSE", "FALSEPREDICATE", "NIL", "NO", "NULL", "SELF", "TRUE", "TRUEPREDICATE", "YES",
  ]

  private static func place(after tokens: [Token]) -> Place {
    switch tokens.last {
    case nil: return .operand
    case .value: return .connective
    case .sign(let sign):
      switch sign {
      case ")", "}": return .connective
      case "=", "<", ">": return .value(comparedPath(tokens))
      case "]" where isOption(tokens): return .value(comparedPath(tokens))
      default: return .operand
      }
    case .name(let name):
      let word = name.uppercased()
      if comparisons.contains(word) { return .value(comparedPath(tokens)) }
      if constants.contains(word) { return .connective }
      if ["ANY", "ALL", "NONE", "SOME"].contains(word) { return .property }
      if ["AND", "OR", "NOT"].contains(word) { return .operand }
      // The second of two compared properties ends a comparison.
      var rest = tokens
      let path = takeWholePath(&rest)
      switch rest.last {
      case .sign("="), .sign("<"), .sign(">"): return .connective
      default: return .operation(path)
      }
    }
  }

  /// Whether the last tokens are the options of an operator, as in `==[c]`.
  private static func isOption(_ tokens: [Token]) -> Bool {
    tokens.count > 3 && tokens[tokens.count - 3] == .sign("[")
  }

  private static func takeWholePath(_ tokens: inout [Token]) -> [String] {
    guard case .name(let last)? = tokens.last else { return [] }
    tokens.removeLast()
    return takePath(&tokens) + [last]
  }

  /// The path on the left of the operator at the end.
  private static func comparedPath(_ tokens: [Token]) -> [String] {
    var rest = tokens
    if isOption(rest) && rest.last == .sign("]") { rest.removeLast(3) }
    if case .name? = rest.last { rest.removeLast() }
    while case .sign(let sign)? = rest.last, "=<>!".contains(sign) { rest.removeLast() }
    return takeWholePath(&rest)
  }
}
