import Storage

/// Makes the condition of a comparison between a property and constants.
struct ConditionResolver {
  let path: ResolvedPath
  let comparison: ComparisonOperator
  let options: StringOptions
  let paths: PathResolver
  let texts: TextConstants

  func condition(_ operand: Operand) throws -> ValueCondition {
    switch comparison {
    case .isIn: return try isIn(operand)
    case .between: return try between(operand)
    case .fullText: return try fullText(operand)
    default:
      try checkOperator(type: path.type)
      return try single(value(operand))
    }
  }

  /// A comparison with one constant that fits the type.
  private func single(_ value: Value) throws -> ValueCondition {
    if path.type.isText, let operation = TextOperator(comparison) {
      let isEquality = operation == .equal || operation == .notEqual
      if !isEquality || (!options.isEmpty && (value.isNull || value.textBytes != nil)) {
        if !isEquality, !value.isNull, value.textBytes == nil { throw misfit(value) }
        return .text(TextCondition(operation, value.textBytes, options: options))
      }
    }
    guard let operation = RelationalOperator(comparison) else {
      throw PredicateError.operatorNotSupported(comparison.rawValue, type: path.type.name)
    }
    return .compare(operation, value)
  }

  // MARK: Lists of constants

  private func isIn(_ operand: Operand) throws -> ValueCondition {
    if path.operation?.isAggregate == true || path.operation == .count {
      throw PredicateError.operatorNotSupported("IN", type: path.type.name)
    }
    guard let elements = elements(operand) else {
      throw PredicateError.invalidValue("IN clause requires an array of items")
    }
    let values = try elements.map(value)
    if !options.isEmpty && path.type.isText {
      // Folded equality with any of them; what is not text is compared as it is.
      return .isInFolded(ConstantSet(values, options: options))
    }
    return .isIn(ConstantSet(values))
  }

  private func between(_ operand: Operand) throws -> ValueCondition {
    guard path.type.isOrdered else {
      throw PredicateError.operatorNotSupported("BETWEEN", type: path.type.name)
    }
    guard let elements = elements(operand) else {
      throw PredicateError.invalidValue("object must be of type NSArray for BETWEEN operations")
    }
    guard elements.count == 2 else {
      throw PredicateError.invalidValue(
        "NSArray object must contain exactly two objects for BETWEEN operations")
    }
    let bounds = try elements.map { element -> Value in
      guard let bound = try? value(element), !bound.isNull || path.type == .mixed else {
        throw PredicateError.invalidValue(
          "NSArray objects must be of type \(path.type.name) for BETWEEN operations" + advice(element))
      }
      return bound
    }
    return .between(bounds[0], bounds[1])
  }

  private func elements(_ operand: Operand) -> [Operand]? {
    switch operand {
    case .list(let elements): elements
    case .value(.list(let values)): values.map(Operand.value)
    default: nil
    }
  }

  // MARK: Single constants

  /// The constant as a value that the path's values can be compared with.
  private func value(_ operand: Operand) throws -> Value {
    switch operand {
    case .value(let value): return try fitted(value)
    case .number(let literal): return try fitted(literal)
    case .detachedObject:
      guard path.type == .link || path.type == .mixed else {
        throw PredicateError.invalidValue(
          "Cannot compare value of type 'Object' to property '\(path.propertyName)' of type '\(path.type.name)'"
        )
      }
      return .link(table: path.target, row: -1)
    case .list where path.type == .mixed: return try list(operand)
    case .list(let elements):
      throw PredicateError.invalidValue(
        "Cannot compare value '(\(elements.count) elements)' of type 'Array' to property '\(path.propertyName)' of type '\(path.type.name)'"
      )
    case .region(let region):
      throw PredicateError.invalidValue(
        "Cannot compare value '\(region)' to property '\(path.propertyName)' of type '\(path.type.name)'")
    case .unsupported(let description, let type):
      throw PredicateError.invalidValue(
        "Cannot compare value '\(description)' of type '\(type)' to property '\(path.propertyName)' of type '\(path.type.name)'"
      )
    case .members:
      throw PredicateError.invalidValue(
        "Only == and != compare property '\(path.propertyName)' with a custom value.")
    case .keyPath, .subqueryCount:
      throw PredicateError.invalidValue("Expressions within predicate aggregates must be constant values")
    }
  }

  /// A list of constants, in which there may be others however deep.
  private func list(_ operand: Operand) throws -> Value {
    enum Task {
      case visit(Operand)
      case join(from: Int)
    }
    var done: [Value] = []
    var tasks = [Task.visit(operand)]
    while let task = tasks.popLast() {
      switch task {
      case .join(let start): done.replaceSubrange(start..., with: [.list(Array(done[start...]))])
      case .visit(.list(let elements)):
        tasks.append(.join(from: done.count))
        tasks += elements.reversed().map(Task.visit)
      case .visit(let single): done.append(try value(single))
      }
    }
    return done[0]
  }

  /// A number as a value of the type that it is compared with.
  private func fitted(_ literal: NumberLiteral) throws -> Value {
    let value = literal.value(comparedWith: path.comparedType)
    // No integer equals a number beyond the largest ones, while every integer is less or greater.
    if path.type == .int, case .decimal128 = value { return value }
    return try fitted(value)
  }

  private func fitted(_ value: Value) throws -> Value {
    let value = texts.value(value, comparedWith: path.comparedType) ?? value
    if let operation = path.operation { return try fitted(value, operation) }
    if path.type == .link, case .link(let linked, _) = value, linked != path.target { throw misfit(value) }
    guard let converted = ConstantConversion.convert(value, to: path.type) else { throw misfit(value) }
    return converted
  }

  private func fitted(_ value: Value, _ operation: CollectionOperation) throws -> Value {
    switch operation {
    case .count:
      guard value.isNumber else {
        throw PredicateError("Invalid operand", "@count can only be compared with a numeric value.")
      }
      return value
    case .allKeys:
      guard case .string = value else {
        throw PredicateError("Invalid operand", "@allKeys can only be compared with a string value.")
      }
      return value
    case .allValues: return value
    case .minimum, .maximum, .average, .sum:
      let fits =
        value.isNumber && path.type.isNumeric || value.isNull && operation != .sum || path.type == .mixed
        || path.type == .date && ConstantConversion.convert(value, to: .date) != nil
      if !fits {
        throw PredicateError(
          "Invalid operand",
          "\(operation.rawValue) on a property of type \(path.type.name) cannot be compared with '\(ConstantConversion.describe(value).text)'"
            + advice(.value(value)))
      }
      return value
    }
  }

  private func misfit(_ value: Value) -> PredicateError {
    let description = ConstantConversion.describe(value)
    return .invalidValue(
      "Cannot compare value '\(description.text)' of type '\(description.type)' to property '\(path.propertyName)' of type '\(path.type.name)'"
        + advice(.value(value)))
  }

  /// What to write instead of a string that does not fit.
  private func advice(_ operand: Operand) -> String {
    guard case .value(.string) = operand, let advice = texts.advice(path.comparedType) else { return "" }
    return ". " + advice
  }

  // MARK: Operators

  /// Whether the type has the operator, with the options.
  func checkOperator(type: ValueType) throws {
    if comparison == .matches { throw PredicateError.operatorNotSupported("MATCHES", type: type.name) }
    if comparison.isSubstring {
      guard type.isText else {
        throw PredicateError.operatorNotSupported(comparison.rawValue, type: type.name)
      }
      if comparison == .like && options.contains(.diacriticInsensitive) {
        throw PredicateError(
          "Invalid operator type", "Operator 'LIKE' not supported with diacritic-insensitive modifier.")
      }
    }
    if comparison.isOrdering {
      guard type.isOrdered || type.isText else {
        throw PredicateError.operatorNotSupported(comparison.rawValue, type: type.name)
      }
      if type.isText && !options.isEmpty {
        throw PredicateError.invalidPredicate("Lexicographical comparisons must be case-sensitive")
      }
    }
  }
}
