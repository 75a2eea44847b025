import Foundation
import QueryEngine
public import Storage

extension RealmCollection {
  /// The smallest value of a property; nil when no element has one.
  public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    AggregateResult.convert(_rlmAggregate(.minimum, property))
  }
  /// The largest value of a property; nil when no element has one.
  public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    AggregateResult.convert(_rlmAggregate(.maximum, property))
  }
  /// The sum of a property; 0 when there is no element.
  public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
    AggregateResult.convertSum(_rlmAggregate(.sum, property))
  }
  /// The average of a property; nil when no element has a value.
  public func average<T: _HasPersistedType>(
    ofProperty property: String
  ) -> T? where T.PersistedType: AddableType {
    AggregateResult.convert(_rlmAggregate(.average, property))
  }

  /// For the collection's protocol: an aggregate of a property of the elements; null when there is none.
  public func _rlmAggregate(_ operation: _Aggregate, _ property: String) -> StoredValue {
    if case .stored(let stored) = _rlmOrigin.kind, Element._rlmIsObject, let target = stored.source.classTable
    {
      stored.checkAccess()
      Aggregation.check(operation, property, target.schema)
      if let index = target.schema.index(of: property), target.columns[index] >= 0 {
        return stored.snapshot.aggregate(
          AggregateOperation(operation), table: target.table.number, column: target.columns[index],
          over: .rows(Array(stored.rows)))
      }
    }
    return Aggregation.compute(
      operation, property, over: self, orStored: _rlmElementsOrStored, name: Self._rlmName)
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The smallest value of a property among the elements, or nil when no element has one.
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType {
    min(ofProperty: _name(for: keyPath))
  }
  /// The largest value of a property among the elements, or nil when no element has one.
  ///
  ///     let oldest = dogs.max(of: \.age)
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType {
    max(ofProperty: _name(for: keyPath))
  }
  /// The sum of a property over the elements; 0 when there are none.
  ///
  ///     let years = dogs.sum(of: \.age)
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T
  where T.PersistedType: AddableType {
    sum(ofProperty: _name(for: keyPath))
  }
  /// The average of a property over the elements that have a value, or nil when none has. An integer is rounded towards
  /// zero.
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }
  /// The same as a number of another type.
  ///
  ///     let average: Double? = dogs.average(of: \.age)
  @_disfavoredOverload
  public func average<T: _HasPersistedType, Result: _HasPersistedType>(
    of keyPath: KeyPath<Element, T>
  ) -> Result? where T.PersistedType: AddableType, Result.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }
}

extension RealmCollection where Element.PersistedType: MinMaxType {
  /// The smallest element, or nil when there is none but null.
  public func min() -> Element? { AggregateResult.convert(_rlmAggregate(.minimum, "self")) }
  /// The largest element, or nil when there is none but null.
  public func max() -> Element? { AggregateResult.convert(_rlmAggregate(.maximum, "self")) }
}

extension RealmCollection where Element.PersistedType: AddableType {
  /// The sum of the elements; 0 when there are none.
  public func sum() -> Element { AggregateResult.convertSum(_rlmAggregate(.sum, "self")) }
  /// The average of the elements that are not null, or nil when there are none.
  public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
    AggregateResult.convert(_rlmAggregate(.average, "self"))
  }
}
