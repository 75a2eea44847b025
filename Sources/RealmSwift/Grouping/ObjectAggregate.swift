import QueryEngine
import Storage

/// A number that is computed from one property of the objects of a group.
///
///     let ages = dogs.grouped(by: \.breed).aggregated(.average(\.age), .max(\.age))
public struct ObjectAggregate<Element: ObjectBase, Value> {
  private let operation: _Aggregate
  private let name: String
  let makeResult: (StoredValue) -> Value

  private init(_ operation: _Aggregate, _ name: String, _ makeResult: @escaping (StoredValue) -> Value) {
    self.operation = operation
    self.name = name
    self.makeResult = makeResult
  }

  /// The sum of a property. Integers wrap around; nil counts as 0.
  public static func sum(_ keyPath: KeyPath<Element, Value>) -> Self
  where Value: _HasPersistedType, Value.PersistedType: AddableType {
    Self(.sum, _name(for: keyPath)) { AggregateResult.convertSum($0) }
  }

  /// The average of a property; nil when no object has a value.
  public static func average<T: _HasPersistedType>(_ keyPath: KeyPath<Element, T>) -> Self
  where T.PersistedType: AddableType, Value == Double? {
    Self(.average, _name(for: keyPath)) { AggregateResult.convert($0) }
  }

  /// The average of a property of decimals; nil when no object has a value.
  public static func average(_ keyPath: KeyPath<Element, Decimal128>) -> Self where Value == Decimal128? {
    Self(.average, _name(for: keyPath)) { AggregateResult.convert($0) }
  }

  /// The smallest value of a property; nil when no object has one.
  public static func min<T: _HasPersistedType>(_ keyPath: KeyPath<Element, T>) -> Self
  where T.PersistedType: MinMaxType, Value == T? {
    Self(.minimum, _name(for: keyPath)) { AggregateResult.convert($0) }
  }

  /// The largest value of a property; nil when no object has one.
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
