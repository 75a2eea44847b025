import TestSupport
import Testing

@testable import QueryEngine
@testable import Storage

/// Groups of rows, compared with a look at each row by itself.
@Suite struct GroupingTests {
  private static let types: [ValueType] = [
    .int, .bool, .string, .data, .date, .float, .double, .objectId, .uuid, .decimal128, .mixed,
  ]

  private static func database() throws -> TestDatabase {
    let things =
      types.map { Column(name: "\($0)", type: $0, isNullable: true) }
      + [
        Column(name: "same", type: .int), Column(name: "byte", type: .int), Column(name: "wide", type: .int),
        Column(name: "color", type: .string, isNullable: true), Column(name: "title", type: .string),
        Column(name: "owner", type: .link, isNullable: true, target: 1),
      ]
    return try TestDatabase([
      TableDescription(name: "Thing", columns: things),
      TableDescription(
        name: "Owner", columns: [Column(name: "name", type: .string), Column(name: "born", type: .date)]),
    ])
  }

  private static func fill(_ database: TestDatabase, _ values: inout RandomValues, count: Int) {
    let owners = (0..<20).map {
      database.insert(1, ["name": .string("owner \($0 % 7)"), "born": .date(Double($0) * 40_000_000)])
    }
    for number in 0..<count {
      var content: [String: Value] = [
        "same": .int(7), "byte": .int(-100 + Int64(values.below(20))),
        "wide": .int(Int64(values.below(30)) << 40), "title": .string("title \(number) \(values.below(3))"),
      ]
      for type in types where !values.chance(5) {
        content["\(type)"] = type == .mixed ? values.mixed(depth: 0) : values.value(type)
      }
      if !values.chance(3) { content["date"] = .date(Double(values.below(2_000_000_000)) - 1e9) }
      if !values.chance(4) {
        content["color"] = .string(["red", "green", "", "é", "e\u{301}"][values.below(5)])
      }
      if !values.chance(3) { content["owner"] = .link(table: 1, row: owners[values.below(20)]) }
      database.insert(0, content)
    }
  }

  @Test(arguments: TestLength.seeds([51, 52], short: 1))
  func agreesWithSingleRows(seed: UInt64) throws {
    print("seed \(seed)")
    var values = RandomValues(random: SeededGenerator(seed: seed))
    let database = try Self.database()
    Self.fill(database, &values, count: 1100)
    try compare(database, &values)
    try database.commit()
    try compare(database, &values)
    try Writer(database.snapshot).begin()
    for _ in 0..<400 {
      let row = values.below(1100)
      if database.snapshot.isAlive(table: 0, row: row) { database.snapshot.table(0).deleteRow(row) }
    }
    try compare(database, &values)
    try database.commit()
    try compare(database, &values)
  }

  private func compare(_ database: TestDatabase, _ values: inout RandomValues) throws {
    let snapshot = database.snapshot
    let columns = snapshot.catalogue.tables[0].columns
    let lookup = snapshot.catalogue
    func key(_ path: String, _ part: DatePart? = nil) throws -> GroupKey {
      if path == "data" {
        return GroupKey(PropertySource(source: .column(lookup.tables[0].column(named: path)!, .data)))
      }
      return GroupKey(try SortKey(keyPath: path, table: 0, catalogue: lookup).source, part: part)
    }
    var keys = try columns.filter { $0.type != .link }.map { [try key($0.name)] }
    for part in [DatePart.day, .month, .year] { keys.append([try key("date", part)]) }
    keys.append([try key("owner.name")])
    keys.append([try key("owner.born", .year), try key("color")])
    keys.append([try key("color"), try key("byte"), try key("bool")])
    let alive = (0..<snapshot.rowLimit(table: 0)).filter { snapshot.isAlive(table: 0, row: $0) }
    let few = try snapshot.evaluate(database.predicate("byte < -95"), table: 0)
    let list = (0..<300).map { _ in values.below(1100) }
    let selections: [(RowSelection, [Int])] = [
      (.all, alive), (.set(few), few.rows), (.set(.empty), []), (.rows([]), []),
      (.rows(list), list.filter { snapshot.isAlive(table: 0, row: $0) }),
    ]
    let aggregates = Self.aggregates(of: columns)
    for keys in keys {
      let values = Dictionary(
        uniqueKeysWithValues: alive.map { ($0, Self.values(snapshot, keys, row: $0)) })
      for (selection, rows) in selections {
        let found = snapshot.groups(by: keys, aggregates: aggregates, table: 0, over: selection)
        check(found, Self.model(snapshot, values, aggregates, rows), "\(keys)")
      }
    }
  }

  private static func aggregates(of columns: [Column]) -> [GroupAggregate] {
    var aggregates: [GroupAggregate] = []
    for (number, column) in columns.enumerated() {
      switch column.type {
      case .int, .float, .double, .decimal128, .mixed:
        for operation in [AggregateOperation.minimum, .maximum, .sum, .average] {
          aggregates.append(GroupAggregate(operation, column: number))
        }
      case .date:
        for operation in [AggregateOperation.minimum, .maximum] {
          aggregates.append(GroupAggregate(operation, column: number))
        }
      default: break
      }
    }
    return aggregates
  }

  /// What a row has for keys.
  private static func values(_ snapshot: Snapshot, _ keys: [GroupKey], row: Int) -> [Value] {
    let table = snapshot.table(0)
    return keys.map { key in
      var value = Value.null
      if let link = key.source.links.first {
        guard case .column(let column, _) = key.source.source else { return value }
        if let target = table.link(link.column, row) {
          value = snapshot.table(link.target).value(column, target)
        }
      } else if case .column(let column, _) = key.source.source {
        value = table.value(column, row)
      }
      if let part = key.part, case .date(let seconds) = value { value = .date(start(of: part, seconds)) }
      return value
    }
  }

  /// The groups by sorting all rows.
  private static func model(
    _ snapshot: Snapshot, _ values: [Int: [Value]], _ aggregates: [GroupAggregate], _ rows: [Int]
  ) -> [RowGroup] {
    var groups: [(keys: [Value], rows: [Int])] = []
    let entries = rows.map { (keys: values[$0]!, row: $0) }
    for entry in entries.sorted(by: { precedes($0.keys, $1.keys) }) {
      if let last = groups.last, areEqual(last.keys, entry.keys) {
        groups[groups.count - 1].rows.append(entry.row)
      } else {
        groups.append((entry.keys, [entry.row]))
      }
    }
    return groups.map { group in
      RowGroup(
        keys: group.keys, count: group.rows.count,
        aggregates: aggregates.map { aggregate in
          snapshot.aggregate(aggregate.operation, table: 0, column: aggregate.column, over: .rows(group.rows))
        })
    }
  }

  /// By walking over the years and months.
  private static func start(of part: DatePart, _ seconds: Double) -> Double {
    let day = (seconds / 86_400).rounded(.down)
    if !day.isFinite || abs(day) > 1e8 { return seconds }
    if part == .day { return day * 86_400 }
    var year = 2001
    var start = 0.0
    func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
    while day < start {
      year -= 1
      start -= isLeap(year) ? 366 : 365
    }
    while day >= start + (isLeap(year) ? 366 : 365) {
      start += isLeap(year) ? 366 : 365
      year += 1
    }
    if part == .year { return start * 86_400 }
    for length in [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
      if day < start + Double(length) { break }
      start += Double(length)
    }
    return start * 86_400
  }

  private static func areEqual(_ first: [Value], _ second: [Value]) -> Bool {
    zip(first, second).allSatisfy { Value.order($0, $1) == 0 }
  }

  private static func precedes(_ first: [Value], _ second: [Value]) -> Bool {
    for (a, b) in zip(first, second) {
      let order = Value.order(a, b)
      if order != 0 { return order < 0 }
    }
    return false
  }

  private func check(_ found: [RowGroup], _ expected: [RowGroup], _ what: String) {
    #expect(found.count == expected.count, "\(what)")
    for (match, group) in zip(found, expected) {
      #expect(Self.areEqual(match.keys, group.keys), "\(what): \(match.keys) \(group.keys)")
      #expect(match.count == group.count, "\(what) \(group.keys)")
      for (value, other) in zip(match.aggregates, group.aggregates) {
        #expect(Self.isClose(value, other), "\(what) \(group.keys): \(value) \(other)")
      }
    }
  }

  /// Sums of floating-point numbers depend on their order.
  private static func isClose(_ a: Value, _ b: Value) -> Bool {
    guard case .double(let a) = a, case .double(let b) = b else { return Value.order(a, b) == 0 }
    if a.isNaN || b.isNaN { return a.isNaN && b.isNaN }
    return a == b || abs(a - b) <= 1e-9 * max(abs(a), abs(b))
  }

  @Test func manyGroups() throws {
    let database = try Self.database()
    for number in 0..<5000 {
      database.insert(0, ["wide": .int(Int64(number) << 33), "title": .string("\(number)"), "int": .int(1)])
    }
    try database.commit()
    let columns = database.snapshot.catalogue.tables[0]
    for name in ["wide", "title"] {
      let source = try SortKey(keyPath: name, table: 0, catalogue: database.snapshot.catalogue).source
      let groups = database.snapshot.groups(
        by: [GroupKey(source)], aggregates: [GroupAggregate(.sum, column: columns.column(named: "int")!)],
        table: 0)
      #expect(groups.count == 5000)
      #expect(groups.allSatisfy { $0.count == 1 && $0.aggregates == [.int(1)] })
    }
  }

  @Test(arguments: [0, -0.5, 86_399.999, 86_400, -31_622_400, 5e9, -5e9, 1e13, -1e13] as [Double])
  func periodsHoldTheirTimes(_ seconds: Double) {
    for part in [DatePart.day, .month, .year] {
      let period = part.period(of: seconds)
      #expect(period.start <= seconds && seconds < period.end)
      #expect(part.period(of: period.start).start == period.start)
      #expect(part.period(of: period.end).start == period.end)
    }
  }

  @Test func timesOfNoCalendar() {
    for seconds in [Double.infinity, -.infinity, 1e300] {
      #expect(DatePart.month.period(of: seconds).start == seconds)
    }
    #expect(DatePart.year.period(of: .nan).start.isNaN)
  }
}
