package import Storage

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
