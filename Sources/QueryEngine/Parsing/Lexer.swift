/// Cuts a format string into tokens.
struct Lexer {
  private let text: String
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var tokens: [Token] = []

  static func tokens(of text: String) throws -> [Token] {
    var lexer = Lexer(text)
    return try lexer.run()
  }

  private init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  private static let symbols = [
    "&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>", "=", "<", ">", "!", "(", ")", "{", "}", "[", "]",
    ",", ".",
    "+", "-", "*", "/", ":",
  ].map { Array($0.unicodeScalars) }

  private func error(_ reason: String, at place: Int) -> PredicateError {
    .syntax(reason, text: text, position: place)
  }

  private mutating func run() throws -> [Token] {
    while let next = peek() {
      if next.properties.isWhitespace {
        position += 1
        continue
      }
      let start = position
      tokens.append(Token(kind: try token(next), position: start))
    }
    tokens.append(Token(kind: .end, position: position))
    return tokens
  }

  private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  private mutating func token(_ next: Unicode.Scalar) throws -> Token.Kind {
    let start = position
    switch next {
    case "'", "\"": return .string(try quoted(next))
    case "`":
      let name = try quoted(next)
      if name.isEmpty { throw error("a name is missing between two backticks", at: start) }
      return .name(name, isEscaped: true)
    case "%": return .placeholder(try placeholder())
    case "#", "@", "$":
      position += 1
      let name = takeName()
      if name.isEmpty { throw error("a name is missing after '\(next)'", at: start) }
      switch next {
      case "#": return .name(name, isEscaped: true)
      case "@": return .operation(name)
      default: return .variable(name)
      }
    case _ where Self.isDigit(next): return try number(isNegative: false)
    case "." where peek(1).map(Self.isDigit) == true && !followsName: return try number(isNegative: false)
    case "-" where peek(1).map { Self.isDigit($0) || $0 == "." } == true && !followsOperand:
      position += 1
      return try number(isNegative: true)
    default:
      let name = takeName()
      if !name.isEmpty { return .name(name, isEscaped: false) }
      for symbol in Self.symbols where scalars[position...].starts(with: symbol) {
        position += symbol.count
        return .symbol(String(String.UnicodeScalarView(symbol)))
      }
      throw error("unexpected character '\(next)'", at: start)
    }
  }

  /// Whether the last token can end a path, so that a dot goes on with it.
  private var followsName: Bool {
    switch tokens.last?.kind {
    case .name, .variable, .operation, .placeholder, .symbol("]"), .symbol(")"): true
    default: false
    }
  }

  private var followsOperand: Bool {
    switch tokens.last?.kind {
    case .integer, .real, .number, .string: return true
    // After a keyword such as AND or IN a number may begin.
    case .name(_, let isEscaped):
      return isEscaped || !Keyword.precedingOperands.contains(tokens.last?.keyword ?? "")
    case .symbol("]"): return !followsOptions
    default: return followsName
    }
  }

  /// Whether the last tokens are the options of an operator, as in `name ==[c] 'x'`.
  private var followsOptions: Bool {
    guard tokens.count > 3, case .symbol("[") = tokens[tokens.count - 3].kind else { return false }
    switch tokens[tokens.count - 4].kind {
    case .symbol("]"), .symbol(")"): return false
    case .symbol: return true
    default: return Keyword.operators.contains(tokens[tokens.count - 4].keyword ?? "")
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar >= "0" && scalar <= "9" }

  private mutating func takeName() -> String {
    var name = String.UnicodeScalarView()
    while let next = peek() {
      let isLetter =
        next == "_" || next.properties.isAlphabetic || next.properties.generalCategory == .nonspacingMark
      let isFurther = Self.isDigit(next) || next.properties.numericType != nil || next.properties.isEmoji
      guard isLetter || (!next.isASCII && isFurther) || (!name.isEmpty && isFurther) else { break }
      // Digits and some symbols count as emoji.
      if next.isASCII && !isLetter && !Self.isDigit(next) { break }
      name.append(next)
      position += 1
    }
    return String(name)
  }

  private mutating func takeDigits() -> String {
    var digits = ""
    while let next = peek(), Self.isDigit(next) {
      digits.unicodeScalars.append(next)
      position += 1
    }
    return digits
  }

  private mutating func number(isNegative: Bool) throws -> Token.Kind {
    let start = position
    var digits = (isNegative ? "-" : "") + takeDigits()
    var isReal = false
    if peek() == ".", peek(1).map(Self.isDigit) ?? true {
      isReal = true
      position += 1
      digits += (digits.isEmpty || digits == "-" ? "0." : ".") + takeDigits()
      if digits.last == "." { digits += "0" }
    }
    if let exponent = peek(), exponent == "e" || exponent == "E" {
      let hasSign = peek(1) == "+" || peek(1) == "-"
      if let digit = peek(hasSign ? 2 : 1), Self.isDigit(digit) {
        isReal = true
        digits += "e"
        position += 1
        if hasSign {
          digits.unicodeScalars.append(scalars[position])
          position += 1
        }
        digits += takeDigits()
      }
    }
    if !isReal, let integer = Int64(digits) { return .integer(integer) }
    guard let literal = NumberLiteral(digits) else { throw error("'\(digits)' is not a number", at: start) }
    return literal.exactDouble.map { .real($0) } ?? .number(literal)
  }

  private mutating func quoted(_ quote: Unicode.Scalar) throws -> String {
    let start = position
    var content = String.UnicodeScalarView()
    position += 1
    while let next = peek() {
      position += 1
      if next == quote { return String(content) }
      content.append(next == "\\" ? try escaped(start) : next)
    }
    throw error(quote == "`" ? "the name has no end" : "the string has no end", at: start)
  }

  private mutating func escaped(_ start: Int) throws -> Unicode.Scalar {
    guard let next = peek() else { throw error("the string has no end", at: start) }
    position += 1
    switch next {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "0": return "\0"
    case "u":
      let digits = scalars[position...].prefix(4)
      guard digits.count == 4, let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16),
        let scalar = Unicode.Scalar(value)
      else {
        throw error("'\\u' must be followed by four hexadecimal digits of a character", at: position - 2)
      }
      position += 4
      return scalar
    default: return next
    }
  }

  private mutating func placeholder() throws -> String {
    let start = position
    position += 1
    let candidates = ["@", "K", "lld", "llu", "lli", "ld", "lu", "li", "lf", "d", "i", "u", "f", "g", "e"]
    for candidate in candidates where scalars[position...].starts(with: candidate.unicodeScalars) {
      position += candidate.unicodeScalars.count
      return candidate
    }
    throw error("unknown placeholder", at: start)
  }
}

extension PredicateError {
  static func syntax(_ reason: String, text: String, position: Int) -> PredicateError {
    PredicateError(
      "Invalid predicate format",
      "Unable to parse the format string \"\(text)\": \(reason) at position \(position).", position: position)
  }
}
