/// The words with a meaning of their own in predicate syntax, in capitals. A property of such a name is written with `#`
/// in front.
enum Keyword {
  /// The operators that are words.
  static let operators = Set(ComparisonOperator.allCases.map(\.rawValue).filter { $0.first!.isLetter })

  /// The words behind which an operand begins, so that a minus sign there belongs to a number.
  static let precedingOperands = operators.union(["AND", "OR", "NOT", "ANY", "SOME", "NONE", "ALL"])

  /// All words.
  static let all = precedingOperands.union([
    "TRUE", "FALSE", "YES", "NO", "NULL", "NIL", "SELF", "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY",
  ])
}
