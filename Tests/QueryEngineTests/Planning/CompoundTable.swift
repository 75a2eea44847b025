import TestSupport
import Testing

@testable import QueryEngine
@testable import Storage

/// A table with random indexes over several columns, and random questions that these can answer.
struct CompoundTable {
  var values: RandomValues
  let description: TableDescription

  private static let types: [ValueType] = [.int, .bool, .string, .date, .objectId, .uuid, .int, .string]

  init(seed: UInt64) {
    var values = RandomValues(random: SeededGenerator(seed: seed))
    var description = TableDescription(
      name: "Thing",
      columns: Self.types.enumerated().map { number, type in
        Column(name: "\(type)\(number)", type: type, isNullable: number < 6, isIndexed: values.chance(5))
      } + [Column(name: "plain", type: .int)])
    description.indexes = (0..<4).map { number in
      let columns = Self.types.indices.shuffled(using: &values.random).prefix(2 + values.below(3))
      return CompoundIndex(number: number * 3, kind: .plain, columns: Array(columns))
    }
    self.values = values
    self.description = description
  }

  /// Few different ones, with those that are special to a key.
  private mutating func value(_ column: Int) -> Value {
    let type = Self.types[column]
    if column < 6 && values.chance(6) { return .null }
    switch type {
    case .int: return .int([.min, .max, -1, 0, 1, 256, -257, Int64(values.below(6)) - 3][values.below(8)])
    case .string:
      return .string(["", "a", "a\0", "a\0b", "ab", "\0", "é", "\u{10FFFF}", "b"][values.below(9)])
    case .date: return .date([-0.0, 0, 1.5, -1.5, .infinity, -86_400, 1e9][values.below(7)])
    default: return values.value(type)
    }
  }

  mutating func insert(_ database: TestDatabase) {
    var content: [String: Value] = ["plain": .int(Int64(values.below(5)))]
    for column in Self.types.indices { content[description.columns[column].name] = value(column) }
    database.insert(0, content)
  }

  /// Changes, removes and adds some rows.
  mutating func change(_ database: TestDatabase) {
    let table = database.snapshot.table(0)
    for _ in 0..<120 {
      let row = values.below(table.rowLimit)
      guard table.isAlive(row) else { continue }
      if values.chance(4) {
        table.deleteRow(row)
      } else {
        let column = values.below(Self.types.count)
        table.setValue(column, row, value(column))
      }
    }
    for _ in 0..<40 { insert(database) }
  }

  /// Asks about a table in each state that it can be in, the more often the more there is to go wrong. Returns the sum of the
  /// answers.
  static func inAllStates(
    seed: UInt64, cases: Int, rounds: Int = 1,
    _ ask: (Snapshot, inout CompoundTable, _ cases: Int, _ state: String) throws -> Int
  ) throws -> Int {
    print("seed \(seed)")
    var things = CompoundTable(seed: seed)
    let database = try TestDatabase([things.description])
    let snapshot = database.snapshot
    for _ in 0..<900 { things.insert(database) }
    var sum = try ask(snapshot, &things, cases, "new")
    try database.commit()
    sum += try ask(snapshot, &things, cases * 2, "stored")
    for _ in 0..<rounds {
      let old = try #require(snapshot.pin())
      try Writer(snapshot).begin()
      things.change(database)
      sum += try ask(snapshot, &things, cases, "changed")
      Writer(snapshot).cancel()
      sum += try ask(snapshot, &things, cases / 2, "cancelled")
      try Writer(snapshot).begin()
      things.change(database)
      try database.commit()
      sum += try ask(snapshot, &things, cases, "stored again")
      sum += try ask(old.snapshot(), &things, cases / 2, "pinned")
    }
    return sum
  }

  // MARK: Questions

  private mutating func condition(_ column: Int) -> Predicate {
    let type = Self.types[column]
    let source = ScalarSource.column(column, type)
    let isOrdered = type == .int || type == .date || type == .string
    switch values.below(isOrdered ? 9 : 5) {
    case 0: return .value(source, .isIn(ConstantSet((0..<values.below(5)).map { _ in value(column) })))
    case 1...4: return .value(source, .compare(.equal, value(column)))
    case 5 where type == .string:
      guard case .string(let text) = value(column) else { return condition(column) }
      let operation: TextOperator = [.beginsWith, .equal, .like][values.below(3)]
      return .value(
        source, .text(TextCondition(operation, Array(text.utf8) + (operation == .like ? [42] : []))))
    case 6 where type != .string:
      let (lower, upper) = (value(column), value(column))
      if lower == .null || upper == .null { return condition(column) }
      return .value(source, .between(lower, upper))
    default:
      let comparisons: [RelationalOperator] = [.less, .lessOrEqual, .greater, .greaterOrEqual]
      return .value(source, .compare(comparisons[values.below(4)], value(column)))
    }
  }

  /// Mostly about the first columns of an index.
  mutating func predicate() -> Predicate {
    let index = description.indexes[values.below(description.indexes.count)]
    var parts = index.columns.prefix(1 + values.below(index.columns.count)).map { condition($0) }
    if values.chance(3) { parts.append(condition(parts.count < 3 ? index.columns[0] : index.columns[1])) }
    if values.chance(4) { parts.append(condition(values.below(Self.types.count))) }
    if values.chance(3) {
      parts.append(.value(.column(Self.types.count, .int), .compare(.less, .int(Int64(values.below(5))))))
    }
    if values.chance(6) { parts.append(.or([condition(index.columns[0]), predicate()])) }
    return parts.count == 1 ? parts[0] : .and(parts.shuffled(using: &values.random))
  }

  /// Mostly in the order of an index, or of its later columns.
  mutating func keys() -> [SortKey] {
    let index = description.indexes[values.below(description.indexes.count)]
    let start = values.below(index.columns.count)
    var columns = Array(index.columns[start...].prefix(1 + values.below(3)))
    if values.chance(4) { columns.append(values.below(Self.types.count)) }
    let direction = values.chance(2)
    return columns.map { column in
      SortKey(
        PropertySource(links: [], source: .column(column, Self.types[column])),
        isAscending: values.chance(8) ? !direction : direction)
    }
  }

  /// A predicate and keys about the same index.
  mutating func sortedQuestion() -> (Predicate, [SortKey]) {
    if values.chance(3) { return (predicate(), keys()) }
    let index = description.indexes[values.below(description.indexes.count)]
    let prefix = values.below(index.columns.count)
    var parts = index.columns[..<prefix].map { column -> Predicate in
      let source = ScalarSource.column(column, Self.types[column])
      return .value(
        source, values.chance(4) ? .isIn([value(column), value(column)]) : .compare(.equal, value(column)))
    }
    if values.chance(2) { parts.append(condition(index.columns[prefix])) }
    if values.chance(3) {
      parts.append(.value(.column(Self.types.count, .int), .compare(.less, .int(Int64(values.below(5))))))
    }
    let direction = values.chance(2)
    let keys = index.columns[prefix...].prefix(1 + values.below(3)).map {
      SortKey(PropertySource(links: [], source: .column($0, Self.types[$0])), isAscending: direction)
    }
    return (parts.count == 1 ? parts[0] : .and(parts), keys)
  }
}
