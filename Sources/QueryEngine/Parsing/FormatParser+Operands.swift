import Storage

// Values, arguments, lists and subqueries; all else is a key path.
extension FormatParser {
  mutating func operand() throws -> Operand {
    switch next.kind {
    case .integer(let number):
      advance()
      return .value(.int(number))
    case .real(let number):
      advance()
      return .value(.double(number))
    case .number(let literal):
      advance()
      return .number(literal)
    case .string(let string):
      advance()
      return .value(.string(string))
    case .placeholder(let placeholder): return try argument(placeholder)
    case .symbol("{"): return try nested { try $0.list() }
    case .symbol("("):
      var parentheses = 0
      while take(symbol: "(") { parentheses += 1 }
      let inner = try operand()
      for _ in 0..<parentheses { try expect(")") }
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

  private mutating func argument(_ placeholder: String) throws -> Operand {
    switch placeholder {
    case "K": return .keyPath(try keyPath())
    case "@":
      let argument = try takeArgument()
      advance()
      return argument.operand
    default:
      let argument = try takeArgument()
      if case .number = argument {
        advance()
        return argument.operand
      }
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
