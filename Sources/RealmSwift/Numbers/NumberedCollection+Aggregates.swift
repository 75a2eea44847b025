import QueryEngine
import Storage

/// An aggregate over the elements of a collection. The raw values are those of the C interface and never change.
package enum NumberedAggregate: Int32, Sendable {
  case minimum = 1
  case maximum = 2
  case sum = 3
  case average = 4
  /// The number of values that are not null.
  case count = 5

  /// The aggregate of the library; nil for the count.
  fileprivate var operation: _Aggregate? {
    switch self {
    case .minimum: .minimum
    case .maximum: .maximum
    case .sum: .sum
    case .average: .average
    case .count: nil
    }
  }
}

/// A group of objects with the same value of a property.
package struct NumberedGroup {
  package let key: StoredValue
  package let value: StoredValue
}

extension NumberedCollection {
  /// An aggregate over a property of objects, or over values, which are "self". Null for the minimum, maximum and average of
  /// nothing.
  package func aggregate(_ kind: NumberedAggregate, _ property: String) throws(Refusal) -> StoredValue {
    try check()
    let result =
      isOfObjects ? try objectAggregate(kind, property) : try valueAggregate(kind, property)
    try realm.checkDamage()
    return result
  }

  private func objectAggregate(
    _ kind: NumberedAggregate, _ property: String
  ) throws(Refusal) -> StoredValue {
    let column = try column(kind, property)
    let query = query
    guard let operation = kind.operation else {
      return .int(Int64(rowsWithValue(column, among: query).count))
    }
    return query.realm.snapshot.aggregate(
      AggregateOperation(operation), table: classNumber, column: column, over: query.selection)
  }

  /// The column of a property that has an aggregate.
  private func column(_ kind: NumberedAggregate, _ property: String) throws(Refusal) -> Int {
    let classTable = realm.core.dynamicClassTable(classNumber)
    if let operation = kind.operation {
      do throws(ProgrammerError) {
        _ = try Aggregation.checked(operation, property, classTable.schema)
      } catch {
        throw Refusal(error)
      }
    }
    guard let column = classTable.column(named: property), column >= 0 else {
      throw Refusal(ProgrammerError.unknownProperty(property, className: classTable.className))
    }
    if realm.tables.pointee.classes[classNumber].columns[column].collection != .none {
      throw realm.wrongType(classNumber, column, asked: "single value")
    }
    return column
  }

  private func rowsWithValue(_ column: Int, among query: ResultsCore) -> [Int] {
    let table = realm.core.snapshot.table(classNumber)
    return query.allRows.filter { !table.isNull(column, $0) }
  }

  private func valueAggregate(
    _ kind: NumberedAggregate, _ property: String
  ) throws(Refusal) -> StoredValue {
    guard let operation = kind.operation else {
      if property != "self" {
        throw Refusal(.wrongType, "Values can only be counted on \"self\", and not on \"\(property)\".")
      }
      return .int(Int64(values.count { !$0.isNull }))
    }
    do throws(ProgrammerError) {
      try Aggregation.checkValues(
        operation, property, _PropertyKind(type: PropertyType(type)), name: swiftName)
    } catch {
      throw Refusal(error)
    }
    var aggregate = ValueAggregate(AggregateOperation(operation), type)
    for value in values { aggregate.add(value.isCollection ? .null : value) }
    return aggregate.reported
  }

  /// The values of a collection that holds no objects.
  private var values: [StoredValue] {
    switch content {
    case .backing(let backing): backing.values
    case .results(let query): query.values
    case .snapshot: []
    }
  }

  /// The collection's type in messages.
  private var swiftName: String {
    switch kind {
    case .list: "List"
    case .set: "MutableSet"
    case .map: "Map"
    case .results: "Results"
    }
  }

  // MARK: Groups

  /// Groups the objects by the values of a property, which can belong to a linked object, and computes an aggregate of each
  /// group. Groups are in ascending order of their keys, null first.
  ///
  /// - Parameter property: May be nil for counts, which are then those of the objects.
  package func groups(
    by keyPath: String, _ kind: NumberedAggregate, _ property: String?
  ) throws(Refusal) -> [NumberedGroup] {
    try check()
    if !isOfObjects { throw needsObjects }
    let key = try groupKey(keyPath)
    let groups = try groups(by: key, kind, property)
    try realm.checkDamage()
    return groups
  }

  private func groups(
    by key: GroupKey, _ kind: NumberedAggregate, _ property: String?
  ) throws(Refusal) -> [NumberedGroup] {
    let query = query
    let snapshot = realm.core.snapshot
    guard let property else {
      if kind != .count { throw Refusal(.badArgument, "The aggregate needs the name of a property.") }
      return snapshot.groups(by: [key], aggregates: [], table: classNumber, over: query.selection).map {
        NumberedGroup(key: $0.keys[0], value: .int(Int64($0.count)))
      }
    }
    let column = try column(kind, property)
    if let operation = kind.operation {
      let aggregate = GroupAggregate(AggregateOperation(operation), column: column)
      return snapshot.groups(by: [key], aggregates: [aggregate], table: classNumber, over: query.selection)
        .map { NumberedGroup(key: $0.keys[0], value: $0.aggregates[0]) }
    }
    let all = snapshot.groups(by: [key], aggregates: [], table: classNumber, over: query.selection)
    let counted = snapshot.groups(
      by: [key], aggregates: [], table: classNumber, over: .rows(rowsWithValue(column, among: query)))
    var counts: [ValueIdentity: Int] = [:]
    for group in counted { counts[ValueIdentity(group.keys[0])] = group.count }
    return all.map { group in
      NumberedGroup(
        key: group.keys[0], value: .int(Int64(counts[ValueIdentity(group.keys[0])] ?? 0)))
    }
  }

  private func groupKey(_ keyPath: String) throws(Refusal) -> GroupKey {
    do {
      return try GroupKey(
        keyPath: keyPath, part: nil, table: classNumber, catalogue: realm.core.snapshot.catalogue,
        lookup: realm.core.propertyLookup)
    } catch {
      throw Refusal(
        .invalidQuery,
        "Cannot group '\(realm.className(classNumber))' by '\(keyPath)': only single values have groups.")
    }
  }
}
