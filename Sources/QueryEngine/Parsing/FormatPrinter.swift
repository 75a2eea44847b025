import Storage

extension PredicateExpression {
  /// The expression as a format string with arguments, which reads as an expression that means the same.
  ///
  /// Numbers, strings, truth values and null are written out, everything else is an argument.
  package var format: (text: String, arguments: [Argument]) {
    var printer = FormatPrinter()
    printer.append(self)
    return (printer.text, printer.arguments)
  }
}

extension PredicateExpression: CustomStringConvertible {
  /// The expression in predicate syntax, with values that have no literal only described.
  package var description: String {
    var printer = FormatPrinter()
    printer.describesArguments = true
    printer.append(self)
    return printer.text
  }
}

/// Writes expressions in predicate syntax.
struct FormatPrinter {
  private(set) var text = ""
  private(set) var arguments: [Argument] = []
  /// Whether arguments are written into the text instead of being collected.
  var describesArguments = false
  /// How many subqueries are around; their variables are numbered.
  private var depth = 0

  // MARK: Predicates

  mutating func append(_ expression: PredicateExpression) {
    switch expression {
    case .constant(let answer): text += answer ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let operands): append(operands, separator: " AND ", whenEmpty: "TRUEPREDICATE")
    case .or(let operands): append(operands, separator: " OR ", whenEmpty: "FALSEPREDICATE")
    case .not(let operand):
      text += "NOT "
      appendOperand(operand)
    case .comparison(let comparison):
      if let modifier = comparison.modifier { text += modifier.rawValue + " " }
      append(comparison.left)
      text += " \(comparison.comparison.rawValue)\(comparison.options.text) "
      append(comparison.right)
    }
  }

  private mutating func append(_ operands: [PredicateExpression], separator: String, whenEmpty: String) {
    if operands.isEmpty { text += whenEmpty }
    for (position, operand) in operands.enumerated() {
      if position > 0 { text += separator }
      appendOperand(operand)
    }
  }

  private mutating func appendOperand(_ expression: PredicateExpression) {
    switch expression {
    case .constant, .comparison: append(expression)
    case .and, .or, .not:
      text += "("
      append(expression)
      text += ")"
    }
  }

  // MARK: Operands

  private mutating func append(_ operand: Operand) {
    switch operand {
    case .keyPath(let path): append(path)
    case .value(let value): append(value)
    case .number(let literal): text += literal.text
    case .list(let elements):
      text += "{"
      for (position, element) in elements.enumerated() {
        if position > 0 { text += ", " }
        append(element)
      }
      text += "}"
    case .subqueryCount(let collection, let predicate):
      text += "SUBQUERY("
      append(collection)
      depth += 1
      text += ", $x\(depth), "
      append(predicate)
      depth -= 1
      text += ").@count"
    case .detachedObject: append(argument: .detachedObject, description: "<object>")
    case .members(let names, let values):
      append(
        argument: .members(names: names, values: values.compactMap(Argument.init)), description: "<object>")
    case .region(let region): append(argument: .region(region), description: "\(region)")
    case .unsupported(let description, let type):
      append(argument: .unsupported(description: description, type: type), description: description)
    }
  }

  private mutating func append(argument: Argument, description: String) {
    if describesArguments {
      text += description
    } else {
      text += "%@"
      arguments.append(argument)
    }
  }

  private mutating func append(_ value: Value) {
    switch value {
    case .null: text += "NULL"
    case .int(let number): text += "\(number)"
    case .bool(let flag): text += flag ? "true" : "false"
    case .double(let number) where number.isFinite: text += "\(number)"
    case .string(let string): append(quoted: string)
    case .link(let table, let row):
      append(argument: .object(table: table, row: row), description: "<object>")
    default: append(argument: .value(value), description: ConstantConversion.describe(value).text)
    }
  }

  private mutating func append(quoted string: String) {
    text += "'"
    for scalar in string.unicodeScalars {
      switch scalar {
      case "'", "\\":
        text += "\\"
        text.unicodeScalars.append(scalar)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "'"
  }

  // MARK: Key paths

  private mutating func append(_ path: PropertyPath) {
    // Inside a subquery paths begin at its element.
    var isFirst = true
    if depth > 0 {
      text += "$x\(depth)"
      isFirst = false
    } else if path.components.first.map(Self.isProperty) != true {
      text += "SELF"
      isFirst = false
    }
    for component in path.components {
      switch component {
      case .property(let name):
        if !isFirst { text += "." }
        append(name: name)
      case .operation(let operation):
        if !isFirst { text += "." }
        text += operation.rawValue
      case .key(let key):
        text += "["
        append(quoted: key)
        text += "]"
      case .index(let index): text += "[\(index)]"
      case .anyElement: text += "[#any]"
      }
      isFirst = false
    }
  }

  private static func isProperty(_ component: PropertyPath.Component) -> Bool {
    if case .property = component { true } else { false }
  }

  private mutating func append(name: String) {
    let tokens = try? Lexer.tokens(of: name)
    if let tokens, tokens.count == 2, tokens[0].kind == .name(name, isEscaped: false) {
      text += Keyword.all.contains(name.uppercased()) ? "#" + name : name
    } else if describesArguments {
      text += name
    } else {
      text += "%K"
      arguments.append(.keyPath(name))
    }
  }
}

extension Argument {
  /// A constant of an expression as an argument; nil for what is no constant.
  init?(_ operand: Operand) {
    switch operand {
    case .value(.link(let table, let row)): self = .object(table: table, row: row)
    case .value(let value): self = .value(value)
    case .number(let literal): self = .number(literal)
    case .list(let elements): self = .list(elements.compactMap(Argument.init))
    case .detachedObject: self = .detachedObject
    case .members(let names, let values):
      self = .members(names: names, values: values.compactMap(Argument.init))
    case .region(let region): self = .region(region)
    case .unsupported(let description, let type): self = .unsupported(description: description, type: type)
    case .keyPath, .subqueryCount: return nil
    }
  }
}
