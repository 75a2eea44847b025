import QueryEngine
import Storage

/// Objects grouped by the values of properties, for counting and aggregation: the `GROUP BY` of SQL.
///
/// ```swift
/// for group in huts.grouped(by: \.kind).aggregated(.average(\.beds), .max(\.altitude)) {
///   let (beds, altitude) = group.values
///   print(group.key, group.count, beds ?? 0, altitude ?? 0)
/// }
/// ```
///
/// Groups are computed when they are read, each time from the current objects. They are computed from
/// columns, without instantiating objects.
public struct GroupedObjects<Element: ObjectBase, Key> {
  let query: ResultsCore
  let keys: [QueryEngine.GroupKey]
  let makeKey: ([StoredValue]) -> Key

  /// Returns the groups with aggregates of their objects, in ascending order of their keys, nil first.
  ///
  /// One pass over the rows computes all aggregates. Stops the program if a property does not support the
  /// aggregate.
  ///
  /// - Parameter aggregate: Any number of sums, averages, minima and maxima; with none, objects are only
  ///   counted.
  public func aggregated<each Value>(
    _ aggregate: repeat ObjectAggregate<Element, each Value>
  ) -> [ObjectGroup<Key, repeat each Value>] {
    let table = query.classTable
    var aggregates: [GroupAggregate] = []
    for aggregate in repeat each aggregate { aggregates.append(aggregate.resolve(table)) }
    return groups(aggregates).map { group in
      var number = 0
      func next<Result>(_ aggregate: ObjectAggregate<Element, Result>) -> Result {
        defer { number += 1 }
        return aggregate.makeResult(group.aggregates[number])
      }
      return ObjectGroup(
        key: makeKey(group.keys), count: group.count, values: (repeat next(each aggregate)))
    }
  }

  private func groups(_ aggregates: [GroupAggregate]) -> [RowGroup] {
    let selection = query.selection
    return query.realm.snapshot.groups(
      by: keys, aggregates: aggregates, table: query.classTable.table.number, over: selection)
  }
}

extension GroupedObjects where Key: Hashable {
  /// The number of objects of each key.
  ///
  /// ```swift
  /// let counts = huts.grouped(by: \.kind).counts
  /// print(counts[.bivouac, default: 0])
  /// ```
  ///
  /// Strings that differ in the file but are equal in Swift, because they are canonically equivalent in
  /// Unicode, are counted together.
  public var counts: [Key: Int] {
    Dictionary(groups([]).map { (makeKey($0.keys), $0.count) }, uniquingKeysWith: +)
  }
}

/// A group of objects with the same key, with their count and aggregates.
public struct ObjectGroup<Key, each Value> {
  /// The common value; a tuple of values if the objects are grouped by several properties.
  public let key: Key
  /// The number of objects, at least 1.
  public let count: Int
  /// The aggregates, in the order in which they were requested.
  public let values: (repeat each Value)
}

extension ObjectGroup: Sendable where Key: Sendable, repeat each Value: Sendable {}
