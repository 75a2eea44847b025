/// What is wrong with a predicate.
package struct PredicateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error, as the official SDK names its exception: "Invalid predicate", "Invalid value"…
  package var name: String
  package var message: String
  /// Where in the format string, in characters from its start; nil when the predicate did not come from text
  /// or the error does not lie in its syntax.
  package var position: Int?
  /// The property that the predicate names and its class does not have, for advice; the message names it, too.
  package private(set) var missingProperty: MissingProperty?

  package init(_ name: String, _ message: String, position: Int? = nil) {
    self.name = name
    self.message = message
    self.position = position
  }

  package var description: String { message }

  /// Returns the error as that of a property that a class does not have.
  func missing(_ name: String, of className: String) -> PredicateError {
    var error = self
    error.missingProperty = MissingProperty(className: className, name: name)
    return error
  }

  static func invalidPredicate(_ message: String) -> PredicateError {
    PredicateError("Invalid predicate", message)
  }
  static func invalidValue(_ message: String) -> PredicateError {
    PredicateError("Invalid value", message)
  }
  static func unsupported(_ message: String) -> PredicateError {
    PredicateError("Unsupported predicate", message)
  }
  static func operatorNotSupported(_ text: String, type: String) -> PredicateError {
    PredicateError("Invalid operator type", "Operator '\(text)' not supported for type '\(type)'")
  }
}

/// A property that a predicate or an order names and its class does not have.
package struct MissingProperty: Sendable, Hashable {
  package let className: String
  package let name: String
}
