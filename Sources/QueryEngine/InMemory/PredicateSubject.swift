package import Storage

/// What a predicate is evaluated on without a database: an element of an unmanaged collection, and everything
/// that paths find from there.
package enum PredicateSubject {
  case value(Value)
  case object(any PredicateObject)
  case elements([PredicateSubject])
  /// The content of a map.
  case entries([(key: String, value: PredicateSubject)])
}

/// An object in memory whose properties a predicate can ask for.
package protocol PredicateObject {
  /// The name of its class, for messages.
  var predicateClassName: String { get }
  /// The object as a link when it is a row of a database, to be compared with others.
  var predicateLink: Value? { get }
  /// Whether a property is marked for searches in its words.
  func predicateIsFullText(_ name: String) -> Bool
  /// The value of a property; nil when the class has none of that name.
  func predicateSubject(ofProperty name: String) -> PredicateSubject?
}

extension PredicateObject {
  package func predicateIsFullText(_ name: String) -> Bool { false }
}

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
