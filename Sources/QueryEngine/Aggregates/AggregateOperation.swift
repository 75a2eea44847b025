import Storage

/// The aggregates of a collection.
package enum AggregateOperation: Sendable, Hashable {
  case minimum, maximum, sum, average

  /// The type that the aggregate of a column of some type has.
  func resultType(for type: ValueType) -> ValueType {
    switch self {
    case .minimum, .maximum: type
    case .sum:
      switch type {
      case .float: .double
      case .mixed: .decimal128
      default: type
      }
    case .average: type == .decimal128 || type == .mixed ? .decimal128 : .double
    }
  }
}
