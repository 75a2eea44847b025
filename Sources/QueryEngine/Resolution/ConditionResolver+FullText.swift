import Storage

// Conditions on the words of a text.
extension ConditionResolver {
  /// The search of a marked property for what a constant says.
  func fullText(_ operand: Operand) throws -> ValueCondition {
    try path.checkFullText()
    if !options.isEmpty { throw PredicateError.searchWithModifiers }
    guard case .value(.string(let search)) = operand else { throw PredicateError.searchNotConstant }
    return .text(TextCondition(.fullText, Array(search.utf8)))
  }
}

extension PredicateError {
  static let searchWithModifiers = PredicateError(
    "Invalid operator type",
    "Operator 'TEXT' not supported with modifiers: it always ignores case and diacritics.")
  static let searchNotConstant = PredicateError.invalidValue(
    "Operator 'TEXT' requires a string of search terms on the right side.")

  static func notFullText(_ property: String) -> PredicateError {
    .invalidPredicate(
      "Property '\(property)' has no full-text index, which a search for words needs: declare it with '@Persisted(fullText: true)'."
    )
  }
}
