import QueryEngine
import Storage

/// Objects that are grouped by the values of their properties, for counting and adding up: a `GROUP BY` of other
/// databases.
///
///     for group in dogs.grouped(by: \.breed).aggregated(.average(\.age), .max(\.age)) {
///       let (average, oldest) = group.values
///       print(group.key, group.count, average ?? 0, oldest ?? 0)
///     }
///
/// Nothing is computed before it is asked for, and each time anew, with the objects as they are then. It is computed from
/// columns: no object is made.
public struct GroupedObjects<Element: ObjectBase, Key> {
  let query: ResultsCore
  let keys: [QueryEngine.GroupKey]
  let makeKey: ([StoredValue]) -> Key

  /// The groups with aggregates of the objects of each, in the ascending order of their keys, nil first.
  ///
  /// One pass over the rows computes all of them. Stops the program when a property has no such aggregate.
  ///
  /// - Parameter aggregate: Any number of sums, averages, minima and maxima; with none only the objects are counted.
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
  /// How many objects there are of each key.
  ///
  ///     let counts = dogs.grouped(by: \.breed).counts
  ///     print(counts["poodle", default: 0])
  ///
  /// Texts that are different in the file but equal in Swift, as those that Unicode calls equivalent, count together.
  public var counts: [Key: Int] {
    Dictionary(groups([]).map { (makeKey($0.keys), $0.count) }, uniquingKeysWith: +)
  }
}

/// The objects that have the same key, as far as they were counted and added up.
public struct ObjectGroup<Key, each Value> {
  /// The value that they have in common; a tuple of values when they were grouped by several properties.
  public let key: Key
  /// How many objects there are, at least 1.
  public let count: Int
  /// The aggregates, in the order in which they were asked for.
  public let values: (repeat each Value)
}

extension ObjectGroup: Sendable where Key: Sendable, repeat each Value: Sendable {}
