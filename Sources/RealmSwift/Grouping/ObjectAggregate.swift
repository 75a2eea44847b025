import QueryEngine
import Storage

/// An aggregate of one property over the objects of a group.
///
/// ```swift
/// let beds = huts.grouped(by: \.kind).aggregated(.sum(\.beds), .max(\.altitude))
/// ```
public struct ObjectAggregate<Element: ObjectBase, Value> {
  private let operation: _Aggregate
  private let name: String
  let makeResult: (StoredValue) -> Value

  private init(_ operation: _Aggregate, _ name: String, _ makeResult: @escaping (StoredValue) -> Value) {
    self.operation = operation
    self.name = name
    self.makeResult = makeResult
  }

  /// Returns the sum of a property. Integers wrap around on overflow; nil counts as 0.
  public static func sum(_ keyPath: KeyPath<Element, Value>) -> Self
  where Value: _HasPersistedType, Value.PersistedType: AddableType {
    Self(.sum, _name(for: keyPath)) { AggregateResult.convertSum($0) }
  }

  /// Returns the average of a property; nil if no object has a value.
  public static func average<T: _HasPersistedType>(_ keyPath: KeyPath<Element, T>) -> Self
  where T.PersistedType: AddableType, Value == Double? {
    Self(.average, _name(for: keyPath)) { AggregateResult.convert($0) }
  }

  /// Returns the average of a decimal property; nil if no object has a value.
  public static func average(_ keyPath: KeyPath<Element, Decimal128>) -> Self where Value == Decimal128? {
    Self(.average, _name(for: keyPath)) { AggregateResult.convert($0) }
  }

  /// Returns the smallest value of a property; nil if no object has a value.
  public static func min<T: _HasPersistedType>(_ keyPath: KeyPath<Element, T>) -> Self
  where T.PersistedType: MinMaxType, Value == T? {
    Self(.minimum, _name(for: keyPath)) { AggregateResult.convert($0) }
  }

  /// Returns the largest value of a property; nil if no object has a value.
  public static func max<T: _HasPersistedType>(_ keyPath: KeyPath<Element, T>) -> Self
  where T.PersistedType: MinMaxType, Value == T? {
    Self(.maximum, _name(for: keyPath)) { AggregateResult.convert($0) }
  }

  /// Finds the property in the class.
  func resolve(_ table: ClassTable) -> GroupAggregate {
    Aggregation.check(operation, name, table.schema)
    // What is checked is stored.
    return GroupAggregate(AggregateOperation(operation), column: table.column(named: name)!)
  }
}
