import Storage

extension PredicateExpression {
  /// Reads a predicate's format string.
  ///
  /// - Parameter arguments: What takes the place of `%@`, `%K` and numeric placeholders, in order; surplus ones are
  ///   ignored.
  /// - Throws: `PredicateError`, with the position when the text is malformed.
  package init(format: String, arguments: [Argument] = []) throws {
    var parser = try FormatParser(format, arguments)
    self = try parser.parse()
  }
}

/// A parser of the format grammar: compounds in a loop, comparisons by recursive descent.
struct FormatParser {
  let text: String
  private let tokens: [Token]
  private let arguments: [Argument]
  private var position = 0
  private var nextArgument = 0
  /// The variables of the subqueries around.
  var variables: [String] = []
  private var depth = 0
  /// How deep lists and subqueries can be nested: deeper ones are refused, so that no text can exhaust the stack.
  private static let depthLimit = ExpressionAssembler.subqueryLimit

  init(_ text: String, _ arguments: [Argument]) throws {
    self.text = text
    self.arguments = arguments
    tokens = try Lexer.tokens(of: text)
  }

  mutating func parse() throws -> PredicateExpression {
    let expression = try disjunction()
    if next.kind != .end { throw error("unexpected \(describe(next))") }
    return expression
  }

  // MARK: Tokens

  var next: Token { tokens[position] }
  var following: Token { tokens[min(position + 1, tokens.count - 1)] }

  mutating func advance() { position = min(position + 1, tokens.count - 1) }

  func error(_ reason: String) -> PredicateError {
    .syntax(reason, text: text, position: next.position)
  }

  func describe(_ token: Token) -> String {
    switch token.kind {
    case .name(let name, _): "'\(name)'"
    case .operation(let name): "'@\(name)'"
    case .variable(let name): "'$\(name)'"
    case .integer(let number): "'\(number)'"
    case .real(let number): "'\(number)'"
    case .number(let literal): "'\(literal.text)'"
    case .string(let string): "'\(string)'"
    case .placeholder(let name): "'%\(name)'"
    case .symbol(let symbol): "'\(symbol)'"
    case .end: "end"
    }
  }

  mutating func take(symbol: String) -> Bool {
    guard next.isSymbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func take(keywords: String...) -> Bool {
    guard let keyword = next.keyword, keywords.contains(keyword) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: String) throws {
    if !take(symbol: symbol) { throw error("expected '\(symbol)' instead of \(describe(next))") }
  }

  mutating func takeArgument() throws -> Argument {
    guard nextArgument < arguments.count else { throw error("no argument is left for \(describe(next))") }
    defer { nextArgument += 1 }
    return arguments[nextArgument]
  }

  mutating func nested<Result>(_ body: (inout FormatParser) throws -> Result) throws -> Result {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.depthLimit {
      throw error("lists and subqueries can be nested \(Self.depthLimit) levels deep")
    }
    return try body(&self)
  }

  // MARK: Comparisons

  func comparisonOperator(_ token: Token) -> ComparisonOperator? {
    switch token.kind {
    case .symbol(let symbol):
      switch symbol {
      case "=", "==": return .equal
      case "!=", "<>": return .notEqual
      case "<": return .less
      case "<=", "=<": return .lessOrEqual
      case ">": return .greater
      case ">=", "=>": return .greaterOrEqual
      default: return nil
      }
    case .name(let name, false):
      // The others are symbols, which are no names.
      return ComparisonOperator(rawValue: name.uppercased())
    default: return nil
    }
  }

  mutating func comparison() throws -> Term {
    let modifier = elementModifier()
    return try comparison(operand(), modifier: modifier)
  }

  mutating func comparison(_ left: Operand, modifier: ElementModifier?) throws -> Term {
    guard let comparison = comparisonOperator(next) else {
      if modifier == nil, next.isSymbol(")") { return .operand(left) }
      throw missingOperator
    }
    advance()
    let options = try stringOptions()
    let right = try operand()
    if isArithmetic(next) { throw error("arithmetic is not supported") }
    return .predicate(
      .comparison(ComparisonExpression(left, comparison, right, options: options, modifier: modifier)))
  }

  var missingOperator: PredicateError {
    error(
      isArithmetic(next)
        ? "arithmetic is not supported" : "expected an operator instead of \(describe(next))")
  }

  private func isArithmetic(_ token: Token) -> Bool {
    if case .symbol(let symbol) = token.kind { ["+", "-", "*", "/"].contains(symbol) } else { false }
  }

  /// ANY and its like, which may also be names of properties: then an operator, a dot or a bracket follows.
  private mutating func elementModifier() -> ElementModifier? {
    guard let keyword = next.keyword, !isOperatorFollowing else { return nil }
    if case .symbol(let symbol) = following.kind, symbol != "(" && symbol != "{" { return nil }
    let modifier: ElementModifier
    switch keyword {
    case "ANY", "SOME": modifier = .any
    case "NONE": modifier = .none
    case "ALL": modifier = .all
    default: return nil
    }
    advance()
    return modifier
  }

  private var isOperatorFollowing: Bool {
    guard let comparison = comparisonOperator(following) else { return false }
    if comparison != .fullText { return true }
    // Many properties have the name of this operator, which only stands before a string.
    switch tokens[min(position + 2, tokens.count - 1)].kind {
    case .string, .placeholder("@"): return true
    default: return false
    }
  }

  private mutating func stringOptions() throws -> StringOptions {
    guard next.isSymbol("["), case .name(let letters, false) = following.kind else { return [] }
    var options: StringOptions = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      case "n", "l": break
      default: throw error("unknown modifier '[\(letters)]'")
      }
    }
    advance()
    advance()
    try expect("]")
    return options
  }
}
