import Foundation
import Testing

@testable import RealmSwift

/// Every operator on every type that has it: on properties, optionals, through a link and a list, and on collections.
/// What is expected is computed by plain Swift.
struct OperatorTableTests {
  static func equality<Value>(_ table: QueryTable, _ column: QueryColumn<Value>) {
    let scalar = column.scalar
    for value in column.pool {
      table.check({ $0[dynamicMember: scalar] == value }, { $0[keyPath: scalar] == value })
      table.check({ $0[dynamicMember: scalar] != value }, { $0[keyPath: scalar] != value })
      table.check({ $0.link[dynamicMember: scalar] == value }, { $0.link?[keyPath: scalar] == value })
      table.check({ $0.link[dynamicMember: scalar] != value }, { $0.link?[keyPath: scalar] != value })
      table.check(
        { $0.list[dynamicMember: scalar] == value },
        {
          $0.list.contains { $0[keyPath: scalar] == value }
        })
      table.check(
        { $0.list[dynamicMember: scalar] != value },
        {
          $0.list.contains { $0[keyPath: scalar] != value }
        })
      table.check(
        { $0.set[dynamicMember: scalar] == value },
        {
          $0.set.contains { $0[keyPath: scalar] == value }
        })
      table.check(
        { ($0.list[dynamicMember: scalar] == value).count > 1 },
        {
          $0.list.filter { $0[keyPath: scalar] == value }.count > 1
        })
      optional(table, column, value)
      collections(table, column, value)
    }
    let some = Array(column.pool.prefix(2))
    table.check({ $0[dynamicMember: scalar].in(some) }, { some.contains($0[keyPath: scalar]) })
    table.check(
      { $0.list[dynamicMember: scalar].in(some) },
      {
        $0.list.contains { some.contains($0[keyPath: scalar]) }
      })
    table.check({ $0[dynamicMember: scalar].in([]) }, { _ in false })
    table.check({ $0[dynamicMember: scalar] == $0[dynamicMember: scalar] }, { _ in true })
    table.check(
      { $0[dynamicMember: scalar] == $0.link[dynamicMember: scalar] },
      {
        $0[keyPath: scalar] == $0.link?[keyPath: scalar]
      })
  }

  private static func optional<Value>(_ table: QueryTable, _ column: QueryColumn<Value>, _ value: Value) {
    guard let optional = column.optional else { return }
    table.check({ $0[dynamicMember: optional] == value }, { $0[keyPath: optional] == value })
    table.check({ $0[dynamicMember: optional] != value }, { $0[keyPath: optional] != value })
    table.check({ $0[dynamicMember: optional] == nil }, { $0[keyPath: optional] == nil })
    table.check({ $0[dynamicMember: optional] != nil }, { $0[keyPath: optional] != nil })
    table.check({ $0.link[dynamicMember: optional] == nil }, { $0.link?[keyPath: optional] == nil })
    table.check(
      { $0.list[dynamicMember: optional] == nil },
      {
        $0.list.contains { $0[keyPath: optional] == nil }
      })
    table.check(
      { $0[dynamicMember: optional].in([nil, value]) },
      {
        $0[keyPath: optional] == nil || $0[keyPath: optional] == value
      })
  }

  private static func collections<Value>(_ table: QueryTable, _ column: QueryColumn<Value>, _ value: Value) {
    if let list = column.list {
      table.check({ $0[dynamicMember: list] == value }, { $0[keyPath: list].contains { $0 == value } })
      table.check({ $0[dynamicMember: list] != value }, { $0[keyPath: list].contains { $0 != value } })
      table.check({ $0[dynamicMember: list].contains(value) }, { Array($0[keyPath: list]).contains(value) })
      table.check(
        { $0[dynamicMember: list].containsAny(in: [value]) },
        {
          Array($0[keyPath: list]).contains(value)
        })
      table.check({ $0[dynamicMember: list].containsAny(in: []) }, { _ in false })
      table.check({ $0[dynamicMember: list].count > 1 }, { $0[keyPath: list].count > 1 })
      table.check(
        { $0.link[dynamicMember: list].contains(value) },
        {
          $0.link.map { Array($0[keyPath: list]).contains(value) } ?? false
        })
      table.check(
        { $0.list[dynamicMember: list] == value },
        {
          $0.list.contains { Array($0[keyPath: list]).contains(value) }
        })
    }
    if let set = column.set {
      table.check({ $0[dynamicMember: set] == value }, { $0[keyPath: set].contains(value) })
      table.check({ $0[dynamicMember: set] != value }, { $0[keyPath: set].contains { $0 != value } })
      table.check({ $0[dynamicMember: set].contains(value) }, { $0[keyPath: set].contains(value) })
      table.check({ $0[dynamicMember: set].count == 0 }, { $0[keyPath: set].isEmpty })
    }
    if let map = column.map {
      table.check({ $0[dynamicMember: map].contains(value) }, { $0[keyPath: map].values.contains(value) })
      table.check({ $0[dynamicMember: map].values == value }, { $0[keyPath: map].values.contains(value) })
      table.check(
        { $0[dynamicMember: map].containsAny(in: [value]) },
        {
          $0[keyPath: map].values.contains(value)
        })
      table.check({ $0[dynamicMember: map]["a"] == value }, { $0[keyPath: map]["a"] == value })
      table.check({ $0[dynamicMember: map]["b"] != value }, { $0[keyPath: map]["b"] != value })
      table.check({ $0[dynamicMember: map].keys == "a" }, { $0[keyPath: map].keys.contains("a") })
      table.check({ $0[dynamicMember: map].keys != "a" }, { $0[keyPath: map].keys.contains { $0 != "a" } })
      table.check({ $0[dynamicMember: map].count == 2 }, { $0[keyPath: map].count == 2 })
    }
  }

  static func ordering<Value: Comparable>(
    _ table: QueryTable, _ column: QueryColumn<Value>, isNumeric: Bool = true
  ) where Value.PersistedType: _QueryOrdered {
    let scalar = column.scalar
    for value in column.pool {
      table.check({ $0[dynamicMember: scalar] < value }, { $0[keyPath: scalar] < value })
      table.check({ $0[dynamicMember: scalar] <= value }, { $0[keyPath: scalar] <= value })
      table.check({ $0[dynamicMember: scalar] > value }, { $0[keyPath: scalar] > value })
      table.check({ $0[dynamicMember: scalar] >= value }, { $0[keyPath: scalar] >= value })
      table.check(
        { $0.link[dynamicMember: scalar] > value },
        {
          $0.link.map { $0[keyPath: scalar] > value } ?? false
        })
      table.check(
        { $0.list[dynamicMember: scalar] <= value },
        {
          $0.list.contains { $0[keyPath: scalar] <= value }
        })
      if let optional = column.optional {
        table.check(
          { $0[dynamicMember: optional] < value },
          {
            $0[keyPath: optional].map { $0 < value } ?? false
          })
        table.check(
          { $0[dynamicMember: optional] >= value },
          {
            $0[keyPath: optional].map { $0 >= value } ?? false
          })
        table.check({ $0[dynamicMember: optional] > nil }, { _ in false })
        table.check({ $0[dynamicMember: optional] <= nil }, { $0[keyPath: optional] == nil })
      }
      if let list = column.list {
        table.check({ $0[dynamicMember: list] < value }, { $0[keyPath: list].contains { $0 < value } })
        table.check({ $0[dynamicMember: list] >= value }, { $0[keyPath: list].contains { $0 >= value } })
      }
      if let map = column.map {
        table.check(
          { $0[dynamicMember: map].values > value },
          {
            $0[keyPath: map].values.contains { $0 > value }
          })
        table.check(
          { $0[dynamicMember: map]["a"] <= value },
          {
            $0[keyPath: map]["a"].map { $0 <= value } ?? false
          })
      }
      for other in column.pool where value <= other {
        ranges(table, column, value, other, isNumeric)
      }
    }
  }

  private static func ranges<Value: Comparable>(
    _ table: QueryTable, _ column: QueryColumn<Value>, _ lower: Value, _ upper: Value, _ isNumeric: Bool
  ) where Value.PersistedType: _QueryOrdered {
    let scalar = column.scalar
    table.check(
      { $0[dynamicMember: scalar].contains(lower..<upper) },
      {
        (lower..<upper).contains($0[keyPath: scalar])
      })
    if let optional = column.optional {
      table.check(
        { $0[dynamicMember: optional].contains(lower..<upper) },
        {
          $0[keyPath: optional].map((lower..<upper).contains) ?? false
        })
    }
    // Only numbers and dates have BETWEEN and aggregates.
    guard isNumeric else { return }
    table.check(
      { $0[dynamicMember: scalar].contains(lower...upper) },
      {
        (lower...upper).contains($0[keyPath: scalar])
      })
    table.check(
      { $0.list[dynamicMember: scalar].contains(lower...upper) },
      {
        $0.list.contains { (lower...upper).contains($0[keyPath: scalar]) }
      })
    if let optional = column.optional {
      table.check(
        { $0[dynamicMember: optional].contains(lower...upper) },
        {
          $0[keyPath: optional].map((lower...upper).contains) ?? false
        })
    }
    table.check(
      { $0.list[dynamicMember: scalar].min >= lower },
      {
        $0.list.map { $0[keyPath: scalar] }.min().map { $0 >= lower } ?? false
      })
    table.check(
      { $0.list[dynamicMember: scalar].max == upper },
      {
        $0.list.map { $0[keyPath: scalar] }.max() == upper
      })
    rangesOfCollections(table, column, lower, upper)
  }

  private static func rangesOfCollections<Value: Comparable>(
    _ table: QueryTable, _ column: QueryColumn<Value>, _ lower: Value, _ upper: Value
  ) where Value.PersistedType: _QueryOrdered {
    if let list = column.list {
      table.check(
        { $0[dynamicMember: list].contains(lower...upper) },
        {
          !$0[keyPath: list].isEmpty && $0[keyPath: list].allSatisfy((lower...upper).contains)
        })
      table.check({ $0[dynamicMember: list].min == lower }, { Array($0[keyPath: list]).min() == lower })
      table.check(
        { $0[dynamicMember: list].max < upper },
        {
          Array($0[keyPath: list]).max().map { $0 < upper } ?? false
        })
    }
    if let map = column.map {
      table.check(
        { $0[dynamicMember: map].contains(lower..<upper) },
        {
          !$0[keyPath: map].values.isEmpty && $0[keyPath: map].values.allSatisfy((lower..<upper).contains)
        })
      table.check(
        { $0[dynamicMember: map].max >= upper },
        {
          $0[keyPath: map].values.max().map { $0 >= upper } ?? false
        })
    }
  }

  @Test func bools() throws {
    let table = try QueryTable()
    Self.equality(table, QueryTable.bools)
    table.check({ $0.bool }, { $0.bool })
    table.check({ !$0.bool }, { !$0.bool })
    table.check({ $0.link.bool }, { $0.link?.bool == true })
    table.check({ $0.list.bool }, { $0.list.contains(where: \.bool) })
    // Behind a null link it is neither true nor false.
    table.check({ !$0.link.bool }, { $0.link?.bool == false })
    table.check({ !$0.list.bool }, { !$0.list.contains(where: \.bool) })
    table.check(
      { $0.bool && !$0.link.bool || $0.int == 2 },
      {
        $0.bool && $0.link?.bool == false || $0.int == 2
      })
  }

  @Test func integers() throws {
    let table = try QueryTable()
    Self.equality(table, QueryTable.ints)
    Self.ordering(table, QueryTable.ints)
    Self.equality(table, QueryTable.indexedInts)
    Self.ordering(table, QueryTable.indexedInts)
  }

  @Test func sizedIntegers() throws {
    let table = try QueryTable()
    Self.equality(table, QueryTable.int8s)
    Self.ordering(table, QueryTable.int8s)
    Self.equality(table, QueryTable.int16s)
    Self.ordering(table, QueryTable.int16s)
    Self.equality(table, QueryTable.int32s)
    Self.ordering(table, QueryTable.int32s)
    Self.equality(table, QueryTable.int64s)
    Self.ordering(table, QueryTable.int64s)
  }

  @Test func realNumbers() throws {
    let table = try QueryTable()
    Self.equality(table, QueryTable.floats)
    Self.ordering(table, QueryTable.floats)
    Self.equality(table, QueryTable.doubles)
    Self.ordering(table, QueryTable.doubles)
  }

  @Test func decimals() throws {
    let table = try QueryTable()
    Self.equality(table, QueryTable.decimals)
    Self.ordering(table, QueryTable.decimals)
  }

  @Test func dates() throws {
    let table = try QueryTable()
    Self.equality(table, QueryTable.dates)
    Self.ordering(table, QueryTable.dates)
  }

  @Test func identifiers() throws {
    let table = try QueryTable()
    Self.equality(table, QueryTable.objectIds)
    Self.equality(table, QueryTable.uuids)
  }

  @Test func enumerations() throws {
    let table = try QueryTable()
    Self.equality(table, QueryTable.ranks)
    Self.ordering(table, QueryTable.ranks)
    Self.equality(table, QueryTable.moods)
    Self.ordering(table, QueryTable.moods, isNumeric: false)
    table.check({ $0.mood.rawValue.contains("a") }, { $0.mood.rawValue.contains("a") })
    table.check({ $0.rank.rawValue > 1 }, { $0.rank.rawValue > 1 })
    table.check({ $0.optRank.rawValue == nil }, { $0.optRank == nil })
    table.check({ $0.ranks.rawValue > 2 }, { $0.ranks.contains { $0.rawValue > 2 } })
    table.check({ $0.rankMap.rawValue["a"] == 2 }, { $0.rankMap["a"]?.rawValue == 2 })
  }

  @Test func customTypes() throws {
    let table = try QueryTable()
    Self.equality(table, QueryTable.lengths)
    Self.ordering(table, QueryTable.lengths)
    Self.equality(table, QueryTable.codes)
    Self.ordering(table, QueryTable.codes, isNumeric: false)
    table.check({ $0.length.persistableValue > 0 }, { $0.length.metres > 0 })
    table.check(
      { $0.optCode.persistableValue.starts(with: "L") },
      {
        $0.optCode?.letters.hasPrefix("L") == true
      })
    table.check({ $0.lengths.persistableValue > 0 }, { $0.lengths.contains { $0.metres > 0 } })
  }

  @Test func sumsAndAverages() throws {
    let table = try QueryTable()
    for bound in [-3, 0, 2, 140_000] {
      table.check({ $0.ints.sum > bound }, { $0.ints.reduce(0, +) > bound })
      table.check({ $0.list.int.sum <= bound }, { $0.list.map(\.int).reduce(0, +) <= bound })
      table.check(
        { $0.link.list.int.sum == bound },
        { thing in
          thing.link.map { $0.list.map(\.int).reduce(0, +) == bound } ?? false
        })
      table.check(
        { $0.ints.avg >= bound },
        {
          !$0.ints.isEmpty && Double($0.ints.reduce(0, +)) / Double($0.ints.count) >= Double(bound)
        })
      table.check({ $0.intMap.sum < bound }, { $0.intMap.values.reduce(0, +) < bound })
      table.check({ $0.ints.count > $0.int }, { $0.ints.count > $0.int })
    }
    table.check(
      { $0.doubleMap.avg > 1 },
      {
        !$0.doubleMap.values.isEmpty && $0.doubleMap.values.reduce(0, +) / Double($0.doubleMap.count) > 1
      })
  }
}
