package import Storage

/// What the server reported of one object that a push did not leave as it was sent.
package struct Outcome: Sendable, Hashable {
  package var className: String
  package var key: Value
  package var reason: Reason
  /// The collection whose elements are meant; nil for the object itself.
  package var property: String?

  /// The reason why an object came out otherwise.
  package enum Reason: Sendable, Hashable {
    /// The server has something newer.
    case lost
    /// There is no such object, or none that the role may see.
    case gone
    /// A policy lets the role read the object, but not write it.
    case denied
    /// A constraint, a trigger or a type has refused the values.
    case rejected(sqlState: String, message: String)
  }
}

extension Outcome.Reason {
  /// Reads the text that the server notes.
  package init(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    switch words[0] {
    case "gone": self = .gone
    case "denied": self = .denied
    case "rejected":
      self = .rejected(
        sqlState: words.count > 1 ? String(words[1]) : "", message: words.count > 2 ? String(words[2]) : "")
    default: self = .lost
    }
  }

  /// Whether the program is notified that its change was refused.
  var isRefusal: Bool {
    switch self {
    case .lost, .gone: false
    case .denied, .rejected: true
    }
  }
}

/// An object whose change, or a change of whose elements, the server has refused.
package struct RejectedObject: Sendable {
  package var className: String
  package var key: Value
  package var reason: Outcome.Reason
  /// The values that the object has in the file, by the names of the properties. Empty if the object is not there any more, and if only elements
  /// were refused.
  package var values: [String: Value]
  /// The elements that were refused, by the names of their collections.
  package var elements: [String: RejectedElements] = [:]
}

/// The elements of one collection that were inserted or written, and refused together.
package struct RejectedElements: Sendable, Hashable {
  /// The elements of a list or a set, or the values of a map: of links, the keys of their targets.
  package var values: [ExactValue] = []
  /// The keys of a map, one for each value; nil for a list or a set.
  package var keys: [String]?
}
