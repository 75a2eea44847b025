/// Something in a file that is damaged.
package struct FileFault: Error, Hashable, Sendable {
  /// What that costs.
  package enum Loss: Sendable, Hashable {
    /// No value: the damaged part can be rebuilt.
    case nothing
    /// Values of a property, which are zero, empty or null when the file is salvaged.
    case values
    /// Objects.
    case objects
    /// Anything.
    case unknown
  }

  package var className: String?
  package var propertyName: String?
  /// The rows that it concerns.
  package var rows: Range<Int>?
  package var reason: String
  package var loss: Loss

  /// Both as one, when the other is the same fault of the next rows.
  func joined(with other: FileFault) -> FileFault? {
    guard let rows, let next = other.rows, rows.upperBound == next.lowerBound, reason == other.reason,
      propertyName == other.propertyName, className == other.className, loss == other.loss
    else { return nil }
    var joined = self
    joined.rows = rows.lowerBound..<next.upperBound
    return joined
  }
}
