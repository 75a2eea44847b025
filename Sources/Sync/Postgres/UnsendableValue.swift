/// A value that PostgreSQL would refuse, found before anything is sent.
///
/// COPY fails as a whole for one such value, before any merge runs: the server could not name the object.
package struct UnsendableValue: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with the value.
  package enum Reason: Sendable, Hashable {
    /// A text contains the character U+0000.
    case nullCharacter
    /// A date is not a number, or lies before 4714-11-24 BC or after the year 294276.
    case dateOutOfRange
    /// A text, data, or a row has more bytes than PostgreSQL holds in a field.
    case tooLong
    /// A mixed value has more bytes than are sent of one.
    case mixedTooLong
    /// A mixed value links to an object of a class that is not synchronised.
    case localLink
    /// A set of mixed values holds a decimal.
    case decimalInSet
    /// The column has another type.
    case wrongType
  }

  package var reason: Reason

  package init(_ reason: Reason) { self.reason = reason }

  package var description: String {
    switch reason {
    case .nullCharacter:
      "The text contains the character U+0000, which PostgreSQL cannot hold. Remove it, or use Data."
    case .dateOutOfRange: "The date lies outside of what PostgreSQL can hold: 4714-11-24 BC to 294276 AD."
    case .tooLong: "The value is too long: PostgreSQL holds at most 1 GB in a field and in a row."
    case .mixedTooLong:
      "The value of any type is too long: \(ServerMixed.longest / 1_000_000) MB of JSON are sent at most. Use a property of its own."
    case .localLink:
      "The value links to an object of a class that is not synchronised. Synchronise the class, too, or remove the link."
    case .decimalInSet:
      "A set of values of any type cannot hold a Decimal128 when it is synchronised. Use a Double or an Int, or a list."
    case .wrongType: "The value is of another type than its column on the server."
    }
  }
}
