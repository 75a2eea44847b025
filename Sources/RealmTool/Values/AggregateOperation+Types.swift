import QueryEngine
import Storage

extension AggregateOperation {
  /// Whether it is the minimum or maximum, whose type is that of the property.
  var isExtreme: Bool { self == .minimum || self == .maximum }

  /// The types of properties that it is computed of.
  var propertyTypes: [ValueType] {
    let numbers: [ValueType] = [.int, .float, .double, .decimal128, .mixed]
    return isExtreme ? numbers + [.date] : numbers
  }
}
