extension PredicateExpression {
  /// Whether something in memory satisfies the expression.
  ///
  /// Numbers compare across types; constants that do not fit a property's type are unequal to it rather than errors.
  /// Otherwise the rules are those of predicates on a database. An unmanaged object equals no other.
  ///
  /// - Throws: `PredicateError` for unknown properties and what no evaluation supports.
  package func matches(_ subject: PredicateSubject) throws -> Bool {
    switch self {
    case .constant(let answer): return answer
    case .and(let operands): return try operands.allSatisfy { try $0.matches(subject) }
    case .or(let operands): return try operands.contains { try $0.matches(subject) }
    case .not(let operand): return try !operand.matches(subject)
    case .comparison(let comparison): return try InMemoryComparison(comparison, subject).evaluate()
    }
  }
}
