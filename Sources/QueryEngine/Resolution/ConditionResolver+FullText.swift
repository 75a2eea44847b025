import Storage

// Conditions on the words of a text.
extension ConditionResolver {
  /// The search of a marked property for what a constant says.
  func fullText(_ operand: Operand) throws -> ValueCondition {
    guard path.type == .string else {
      throw PredicateError.operatorNotSupported(comparison.rawValue, type: path.type.name)
    }
    guard path.isFullText else {
      throw PredicateError.notFullText("\(path.className).\(path.propertyName)")
    }
    return .text(try Self.fullText(operand, options: options))
  }

  static func fullText(_ operand: Operand, options: StringOptions) throws -> TextCondition {
    if !options.isEmpty {
      throw PredicateError(
        "Invalid operator type",
        "Operator 'TEXT' not supported with modifiers: it always ignores case and diacritics.")
    }
    guard case .value(.string(let search)) = operand else { throw PredicateError.searchNotConstant }
    return TextCondition(.fullText, Array(search.utf8))
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
