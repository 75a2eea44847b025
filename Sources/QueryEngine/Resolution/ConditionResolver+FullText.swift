import Storage

// Conditions on the words of a text.
extension ConditionResolver {
  /// The search of a marked property for what a constant says.
  func fullText(_ operand: Operand) throws -> ValueCondition {
    try path.checkFullText()
    return .text(try Self.fullText(operand, options: options))
  }

  static func fullText(_ operand: Operand, options: StringOptions) throws -> TextCondition {
    TextCondition(.fullText, Array(try search(operand, options: options).utf8))
  }

  /// The search that a constant has.
  static func search(_ operand: Operand, options: StringOptions) throws -> String {
    if !options.isEmpty {
      throw PredicateError(
        "Invalid operator type",
        "Operator 'TEXT' not supported with modifiers: it always ignores case and diacritics.")
    }
    guard case .value(.string(let search)) = operand else { throw PredicateError.searchNotConstant }
    return search
  }
}

extension PredicateError {
  static let searchNotConstant = PredicateError.invalidValue(
    "Operator 'TEXT' requires a string of search terms on the right side.")

  static func notFullText(_ property: String) -> PredicateError {
    .invalidPredicate(
      "Property '\(property)' has no full-text index, which a search for words needs: declare it with '@Persisted(fullText: true)'."
    )
  }
}
