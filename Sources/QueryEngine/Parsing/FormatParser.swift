import Storage

extension PredicateExpression {
  /// Reads a predicate's format string.
  ///
  /// - Parameter arguments: What takes the place of `%@`, `%K` and numeric placeholders, in order; surplus ones are
  ///   ignored.
  /// - Throws: `PredicateError`, with the position when the text is malformed.
  public init(format: String, arguments: [Argument] = []) throws {
    var parser = try FormatParser(format, arguments)
    self = try parser.parse()
  }
}

/// A recursive-descent parser of the format grammar.
struct FormatParser {
  let text: String
  private let tokens: [Token]
  private let arguments: [Argument]
  private var position = 0
  private var nextArgument = 0
  /// The variables of the subqueries around.
  private var variables: [String] = []
  private var depth = 0
  /// Deeper nesting is refused, so that no text can exhaust the stack.
  private static let depthLimit = 200

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

  private var next: Token { tokens[position] }
  private var following: Token { tokens[min(position + 1, tokens.count - 1)] }

  private mutating func advance() { position = min(position + 1, tokens.count - 1) }

  private func error(_ reason: String) -> PredicateError {
    .syntax(reason, text: text, position: next.position)
  }

  private func describe(_ token: Token) -> String {
    switch token.kind {
    case .name(let name, _): "'\(name)'"
    case .operation(let name): "'@\(name)'"
    case .variable(let name): "'$\(name)'"
    case .integer(let number): "'\(number)'"
    case .real(let number): "'\(number)'"
    case .string(let string): "'\(string)'"
    case .placeholder(let name): "'%\(name)'"
    case .symbol(let symbol): "'\(symbol)'"
    case .end: "end"
    }
  }

  private mutating func take(symbol: String) -> Bool {
    guard next.isSymbol(symbol) else { return false }
    advance()
    return true
  }

  private mutating func take(keywords: String...) -> Bool {
    guard let keyword = next.keyword, keywords.contains(keyword) else { return false }
    advance()
    return true
  }

  private mutating func expect(_ symbol: String) throws {
    if !take(symbol: symbol) { throw error("expected '\(symbol)' instead of \(describe(next))") }
  }

  private mutating func nested<Result>(_ body: (inout FormatParser) throws -> Result) throws -> Result {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.depthLimit { throw error("the predicate is nested too deeply") }
    return try body(&self)
  }

  // MARK: Compounds

  /// What a parenthesis can hold, and what a comparison can begin with.
  private enum Term {
    case predicate(PredicateExpression)
    case operand(Operand)
  }

  private mutating func disjunction() throws -> PredicateExpression {
    try nested { try $0.disjunction(first: $0.negation()) }
  }

  private mutating func disjunction(first: PredicateExpression) throws -> PredicateExpression {
    var operands = [try conjunction(first: first)]
    while take(symbol: "||") || take(keywords: "OR") {
      operands.append(try conjunction(first: negation()))
    }
    return operands.count == 1 ? operands[0] : .or(operands)
  }

  private mutating func conjunction(first: PredicateExpression) throws -> PredicateExpression {
    var operands = [first]
    while take(symbol: "&&") || take(keywords: "AND") { operands.append(try negation()) }
    return operands.count == 1 ? operands[0] : .and(operands)
  }

  private mutating func negation() throws -> PredicateExpression {
    switch try term() {
    case .predicate(let predicate): return predicate
    case .operand: throw missingOperator
    }
  }

  /// A comparison or what may stand for one, or an operand that a closing parenthesis follows.
  private mutating func term() throws -> Term {
    if take(symbol: "!") || take(keywords: "NOT") {
      return .predicate(.not(try nested { try $0.negation() }))
    }
    if take(keywords: "TRUEPREDICATE") { return .predicate(.constant(true)) }
    if take(keywords: "FALSEPREDICATE") { return .predicate(.constant(false)) }
    guard next.isSymbol("(") else { return try comparison() }
    advance()
    let inner: Term = try nested { parser in
      switch try parser.term() {
      case .predicate(let first): .predicate(try parser.disjunction(first: first))
      case .operand(let operand): .operand(operand)
      }
    }
    try expect(")")
    guard case .operand(let left) = inner else {
      if comparisonOperator(next) != nil { throw error("unexpected \(describe(next))") }
      return inner
    }
    return try comparison(left, modifier: nil)
  }

  // MARK: Comparisons

  private func comparisonOperator(_ token: Token) -> ComparisonOperator? {
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
      let keyword = ComparisonOperator(rawValue: name.uppercased())
      return keyword.flatMap { $0.isSubstring || $0 == .isIn || $0 == .between ? $0 : nil }
    default: return nil
    }
  }

  private mutating func comparison() throws -> Term {
    let modifier = elementModifier()
    return try comparison(operand(), modifier: modifier)
  }

  private mutating func comparison(_ left: Operand, modifier: ElementModifier?) throws -> Term {
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

  private var missingOperator: PredicateError {
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

  // MARK: Operands

  private mutating func operand() throws -> Operand {
    switch next.kind {
    case .integer(let number):
      advance()
      return .value(.int(number))
    case .real(let number):
      advance()
      return .value(.double(number))
    case .string(let string):
      advance()
      return .value(.string(string))
    case .placeholder(let placeholder): return try argument(placeholder)
    case .symbol("{"): return try nested { try $0.list() }
    case .symbol("("):
      advance()
      let inner = try nested { try $0.operand() }
      try expect(")")
      return inner
    case .variable, .operation: return .keyPath(try keyPath())
    case .name(let name, let isEscaped):
      if !isEscaped, let constant = try keywordOperand(name) { return constant }
      return .keyPath(try keyPath())
    case .symbol, .end: throw error("expected a value or key path instead of \(describe(next))")
    }
  }

  private mutating func keywordOperand(_ name: String) throws -> Operand? {
    if following.isSymbol("(") {
      if name.uppercased() == "SUBQUERY" { return try nested { try $0.subquery() } }
      throw PredicateError(
        "Invalid predicate", "The '\(name)' function is not supported.", position: next.position)
    }
    let constant: Value
    switch name.uppercased() {
    case "TRUE", "YES": constant = .bool(true)
    case "FALSE", "NO": constant = .bool(false)
    case "NULL", "NIL": constant = .null
    default: return nil
    }
    advance()
    return .value(constant)
  }

  private mutating func list() throws -> Operand {
    try expect("{")
    var elements: [Operand] = []
    if !take(symbol: "}") {
      repeat { elements.append(try operand()) } while take(symbol: ",")
      try expect("}")
    }
    return .list(elements)
  }

  private mutating func takeArgument() throws -> Argument {
    guard nextArgument < arguments.count else { throw error("no argument is left for \(describe(next))") }
    defer { nextArgument += 1 }
    return arguments[nextArgument]
  }

  private mutating func argument(_ placeholder: String) throws -> Operand {
    switch placeholder {
    case "K": return .keyPath(try keyPath())
    case "@":
      let argument = try takeArgument()
      advance()
      return argument.operand
    default:
      let argument = try takeArgument()
      guard case .value(let value) = argument, let number = Self.number(value, placeholder) else {
        throw error("the argument for '%\(placeholder)' is not a number")
      }
      advance()
      return .value(number)
    }
  }

  /// An argument as the number that its placeholder names.
  private static func number(_ value: Value, _ placeholder: String) -> Value? {
    let isReal = ["f", "lf", "g", "e"].contains(placeholder)
    switch value {
    case .int(let number): return isReal ? .double(Double(number)) : value
    case .bool(let flag): return isReal ? nil : .int(flag ? 1 : 0)
    case .float, .double: return isReal ? value : nil
    default: return nil
    }
  }

  // MARK: Key paths

  private mutating func keyPath() throws -> PropertyPath {
    var components: [PropertyPath.Component] = []
    var unknownOperation: String?
    var isFirst = true
    repeat {
      switch next.kind {
      case .name(let name, let isEscaped):
        let isSelf = isFirst && !isEscaped && name.uppercased() == "SELF"
        if !isSelf { components.append(.property(name)) }
      case .operation(let name):
        if let operation = CollectionOperation(rawValue: "@" + name) {
          components.append(.operation(operation))
        } else {
          unknownOperation = "@" + name
          components.append(.property("@" + name))
        }
      case .placeholder("K"):
        guard let path = Self.pathText(try takeArgument()) else {
          throw error("the argument for '%K' is not a key path")
        }
        components += try PropertyPath(parsing: path).components
      case .variable(let name) where isFirst:
        guard name == variables.last else {
          throw error(
            variables.contains(name)
              ? "the variable of an outer SUBQUERY can not be used here" : "unknown variable '$\(name)'")
        }
      case .end where !isFirst, .symbol where !isFirst: throw error("no key name after last '.'")
      default: throw error("expected a key path instead of \(describe(next))")
      }
      advance()
      isFirst = false
      while take(symbol: "[") {
        components.append(try subscriptComponent())
        try expect("]")
      }
    } while take(symbol: ".")
    let path = PropertyPath(components)
    if let unknownOperation {
      throw PredicateError.invalidPredicate(
        "Invalid keypath '\(path)': Unsupported collection operation '\(unknownOperation)'")
    }
    return path
  }

  private static func pathText(_ argument: Argument) -> String? {
    switch argument {
    case .keyPath(let path), .value(.string(let path)): path
    default: nil
    }
  }

  private mutating func subscriptComponent() throws -> PropertyPath.Component {
    switch next.kind {
    case .string(let key):
      advance()
      return .key(key)
    case .integer(let index):
      advance()
      return .index(Int(index))
    case .name("any", true):
      advance()
      return .anyElement
    case .placeholder("K"):
      guard Self.pathText(try takeArgument()) == "#any" else {
        throw error("only '#any' can be a subscript's key path")
      }
      advance()
      return .anyElement
    case .placeholder("@"):
      let argument = try takeArgument()
      switch argument {
      case .value(.string(let key)):
        advance()
        return .key(key)
      case .value(.int(let index)):
        advance()
        return .index(Int(index))
      default: throw error("a subscript must be a string or a number")
      }
    default:
      if let keyword = next.keyword, ["FIRST", "LAST", "SIZE"].contains(keyword) {
        throw error("the subscript [\(keyword)] is not supported")
      }
      throw error("a subscript must be a string or a number")
    }
  }

  private mutating func subquery() throws -> Operand {
    advance()
    try expect("(")
    let collection = try keyPath()
    try expect(",")
    guard case .variable(let variable) = next.kind else { throw error("expected a variable") }
    advance()
    try expect(",")
    variables.append(variable)
    defer { variables.removeLast() }
    let inner = try disjunction()
    try expect(")")
    guard take(symbol: "."), case .operation(let operation) = next.kind else {
      throw PredicateError(
        "Invalid predicate",
        "SUBQUERY is only supported when immediately followed by .@count that is compared with a constant number.",
        position: next.position)
    }
    guard operation == "count" else {
      throw PredicateError(
        "Invalid predicate", "SUBQUERY is only supported when immediately followed by .@count.",
        position: next.position)
    }
    advance()
    return .subqueryCount(collection: collection, predicate: inner)
  }
}
