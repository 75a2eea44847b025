package import Storage

/// What the server reported of one object that a push did not leave as it was sent.
package struct Outcome: Sendable, Hashable {
  package var className: String
  package var key: Value
  package var reason: Reason

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

/// An object whose change the server has refused.
package struct RejectedObject: Sendable {
  package var className: String
  package var key: Value
  package var reason: Outcome.Reason
  /// The values that were refused, by the names of the properties. Empty if the object is not there any more.
  package var values: [String: Value]
}
