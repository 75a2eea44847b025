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

  private mutating func disjunction() throws -> PredicateExpression {
    try nested { parser in
      var operands = [try parser.conjunction()]
      while parser.take(symbol: "||") || parser.take(keywords: "OR") {
        operands.append(try parser.conjunction())
      }
      return operands.count == 1 ? operands[0] : .or(operands)
    }
  }

  private mutating func conjunction() throws -> PredicateExpression {
    var operands = [try negation()]
    while take(symbol: "&&") || take(keywords: "AND") { operands.append(try negation()) }
    return operands.count == 1 ? operands[0] : .and(operands)
  }

  private mutating func negation() throws -> PredicateExpression {
    guard take(symbol: "!") || take(keywords: "NOT") else { return try primary() }
    return try nested { .not(try $0.negation()) }
  }

  private mutating func primary() throws -> PredicateExpression {
    if take(keywords: "TRUEPREDICATE") { return .constant(true) }
    if take(keywords: "FALSEPREDICATE") { return .constant(false) }
    guard next.isSymbol("(") else { return try comparison() }
    // A parenthesis holds a predicate or, rarely, an operand; how it ends tells which.
    let (start, firstArgument) = (position, nextArgument)
    do {
      advance()
      let inner = try disjunction()
      try expect(")")
      if comparisonOperator(next) == nil { return inner }
      throw error("unexpected \(describe(next))")
    } catch let first {
      let reached = position
      position = start
      nextArgument = firstArgument
      do { return try comparison() } catch { throw position > reached ? error : first }
    }
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

  private mutating func comparison() throws -> PredicateExpression {
    let modifier = elementModifier()
    let left = try operand()
    guard let comparison = comparisonOperator(next) else {
      if case .symbol(let symbol) = next.kind, ["+", "-", "*", "/"].contains(symbol) {
        throw error("arithmetic is not supported")
      }
      throw error("expected an operator instead of \(describe(next))")
    }
    advance()
    let options = try stringOptions()
    let right = try operand()
    if case .symbol(let symbol) = next.kind, ["+", "-", "*", "/"].contains(symbol) {
      throw error("arithmetic is not supported")
    }
    return .comparison(
      ComparisonExpression(left, comparison, right, options: options, modifier: modifier))
  }

  /// ANY and its like, which may also be names of properties: then an operator, a dot or a bracket follows.
  private mutating func elementModifier() -> ElementModifier? {
    guard let keyword = next.keyword, comparisonOperator(following) == nil else { return nil }
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
    var isFirst = true
    repeat {
      switch next.kind {
      case .name(let name, let isEscaped):
        let isSelf = !isEscaped && name.uppercased() == "SELF"
        if !isSelf { components.append(.property(name)) }
      case .operation(let name):
        components.append(try PropertyPath.Component(named: Substring("@" + name), in: text))
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
    return PropertyPath(components)
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
