import Foundation
import QueryEngine
public import Storage

extension RealmCollection {
  /// Returns the smallest value of a property, or nil if no element has a value.
  public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    AggregateResult.convert(_rlmAggregate(.minimum, property))
  }
  /// Returns the largest value of a property, or nil if no element has a value.
  public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    AggregateResult.convert(_rlmAggregate(.maximum, property))
  }
  /// Returns the sum of a property, or 0 if there are no elements.
  public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
    AggregateResult.convertSum(_rlmAggregate(.sum, property))
  }
  /// Returns the average of a property, or nil if no element has a value.
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
  /// Returns the smallest value of a property among the elements, or nil if no element has a value.
  ///
  /// ```swift
  /// let lowest = huts.min(of: \.altitude)
  /// ```
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType {
    min(ofProperty: _name(for: keyPath))
  }
  /// Returns the largest value of a property among the elements, or nil if no element has a value.
  ///
  /// ```swift
  /// let highest = huts.max(of: \.altitude)
  /// ```
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType {
    max(ofProperty: _name(for: keyPath))
  }
  /// Returns the sum of a property over the elements, or 0 if there are none.
  ///
  /// ```swift
  /// let beds = huts.sum(of: \.beds)
  /// ```
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T
  where T.PersistedType: AddableType {
    sum(ofProperty: _name(for: keyPath))
  }
  /// Returns the average of a property over the elements that have a value, or nil if none has. The average
  /// of integers is rounded towards zero.
  ///
  /// ```swift
  /// let wholeBeds = huts.average(of: \.beds)
  /// ```
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }
  /// Returns the average of a property as a number of another type, or nil if no element has a value.
  ///
  /// ```swift
  /// let average: Double? = huts.average(of: \.beds)
  /// ```
  @_disfavoredOverload
  public func average<T: _HasPersistedType, Result: _HasPersistedType>(
    of keyPath: KeyPath<Element, T>
  ) -> Result? where T.PersistedType: AddableType, Result.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }
}

extension RealmCollection where Element.PersistedType: MinMaxType {
  /// Returns the smallest element, or nil if there is none other than null.
  public func min() -> Element? { AggregateResult.convert(_rlmAggregate(.minimum, "self")) }
  /// Returns the largest element, or nil if there is none other than null.
  public func max() -> Element? { AggregateResult.convert(_rlmAggregate(.maximum, "self")) }
}

extension RealmCollection where Element.PersistedType: AddableType {
  /// Returns the sum of the elements, or 0 if there are none.
  public func sum() -> Element { AggregateResult.convertSum(_rlmAggregate(.sum, "self")) }
  /// Returns the average of the elements that are not null, or nil if there are none.
  public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
    AggregateResult.convert(_rlmAggregate(.average, "self"))
  }
}
