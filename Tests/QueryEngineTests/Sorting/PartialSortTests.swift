import TestSupport
import Testing

@testable import QueryEngine
@testable import Storage

/// The first rows of a sort, through an index or without: they must be those of a plain stable sort.
@Suite struct PartialSortTests {
  fileprivate static let types: [ValueType] = [.int, .bool, .string, .date, .double, .objectId, .uuid]

  /// Each type with an index and without, and a property in which many rows are equal.
  fileprivate static let table = TableDescription(
    name: "Thing",
    columns: types.flatMap {
      [
        Column(name: "\($0)", type: $0, isNullable: true),
        Column(name: "\($0)Indexed", type: $0, isNullable: true, isIndexed: true),
      ]
    } + [
      Column(name: "age", type: .int, isIndexed: true),
      Column(name: "link", type: .link, isNullable: true, target: 0),
    ])

  fileprivate static func insert(_ database: TestDatabase, _ values: inout RandomValues) {
    var content: [String: Value] = ["age": .int(Int64(values.below(4)))]
    for type in types where !values.chance(6) {
      let value: Value =
        values.chance(3) && type == .int ? .int(Int64(values.below(100_000)) - 50_000) : values.value(type)
      content["\(type)"] = value
      content["\(type)Indexed"] = value
    }
    let row = database.insert(0, content)
    if values.chance(2) {
      let column = database.snapshot.catalogue.tables[0].column(named: "link")!
      database.snapshot.table(0).setValue(column, row, .link(table: 0, row: values.below(row + 1)))
    }
  }

  private static func keys(_ values: inout RandomValues, _ catalogue: Catalogue) throws -> [SortKey] {
    try (0..<1 + values.below(3)).map { position in
      let type = types[values.below(types.count)]
      let path =
        switch values.below(6) {
        case 0: "age"
        case 1 where position > 0: "link.\(type)"
        case 2: "link.\(type)Indexed"
        case 3: "\(type)"
        default: "\(type)Indexed"
        }
      return try SortKey(keyPath: path, isAscending: values.chance(2), table: 0, catalogue: catalogue)
    }
  }

  /// Nil where a link is null.
  private static func value(_ source: PropertySource, _ table: Table, _ row: Int) -> Value? {
    var row = row
    for link in source.links {
      guard let next = table.link(link.column, row) else { return nil }
      row = next
    }
    guard case .column(let column, _) = source.source else { return .null }
    return table.value(column, row)
  }

  static func plainSort(_ rows: [Int], _ keys: [SortKey], _ table: Table) -> [Int] {
    let values = keys.map { key in
      (content: rows.map { value(key.source, table, $0) }, isAscending: key.isAscending)
    }
    return rows.indices.sorted { first, second in
      for (content, isAscending) in values {
        let (a, b) = (content[first], content[second])
        let order =
          if let a, let b { Value.order(a, b) } else { (a == nil ? 1 : 0) - (b == nil ? 1 : 0) }
        if order != 0 { return (order < 0) == isAscending }
      }
      return first < second
    }.map { rows[$0] }
  }

  @Test(arguments: TestLength.seeds([91, 92, 93], short: 1))
  func firstRowsAreThoseOfAPlainSort(seed: UInt64) throws {
    print("seed \(seed)")
    var values = RandomValues(random: SeededGenerator(seed: seed))
    let database = try TestDatabase([Self.table])
    for _ in 0..<1500 { Self.insert(database, &values) }
    var methods: Set<SortMethod> = []
    if seed == 91 { try compare(database, &values, cases: 20, &methods) }
    try database.commit()
    try compare(database, &values, cases: 25, &methods)
    try Writer(database.snapshot).begin()
    let things = database.snapshot.table(0)
    for _ in 0..<400 {
      let row = values.below(things.rowLimit)
      guard things.isAlive(row) else { continue }
      if values.chance(3) {
        things.deleteRow(row)
      } else {
        let position = values.below(Self.types.count)
        things.setValue(
          position * 2 + values.below(2), row,
          values.chance(5) ? .null : values.value(Self.types[position]))
      }
    }
    for _ in 0..<100 { Self.insert(database, &values) }
    try compare(database, &values, cases: 25, &methods)
    try database.commit()
    try compare(database, &values, cases: 10, &methods)
    #expect(methods == [.full, .leaders, .index], "not all ways were taken")
  }

  private func compare(
    _ database: TestDatabase, _ values: inout RandomValues, cases: Int, _ methods: inout Set<SortMethod>
  ) throws {
    let snapshot = database.snapshot
    let table = snapshot.table(0)
    let alive = (0..<table.rowLimit).filter(table.isAlive)
    for number in 0..<cases {
      let keys = try Self.keys(&values, snapshot.catalogue)
      let some = alive.filter { _ in !values.chance(3) }
      let selection: RowSelection
      let rows: [Int]
      switch number % 4 {
      case 0: (selection, rows) = (.all, alive)
      case 1: (selection, rows) = (.set(RowSet(rows: some)), some)
      case 2:
        (selection, rows) = (.set(RowSet(words: RowSet(rows: some).words(rowLimit: table.rowLimit))), some)
      default:
        let list = some.shuffled(using: &values.random) + some.prefix(values.below(5))
        (selection, rows) = (.rows(list), list)
      }
      let expected = Self.plainSort(rows, keys, table)
      for limit in [0, 1, 7, values.below(300), rows.count / 2, rows.count, rows.count + 3] {
        let sorted = snapshot.sort(selection, count: rows.count, by: keys, table: 0, limit: limit)
        #expect(sorted.rows == Array(expected.prefix(limit)), "\(keys) \(limit) \(sorted.method)")
        methods.insert(sorted.method)
      }
      let sort = PartialSort(selection, count: rows.count, by: keys, table: 0, in: snapshot)
      #expect(sort.row(at: 0) == expected[0] && sort.row(at: 3) == expected[3])
      #expect(sort.row(at: 300) == expected[300])
      let row = rows[values.below(rows.count)]
      #expect(sort.position(of: row) == expected.firstIndex(of: row))
      #expect(sort.allRows == expected && sort.isComplete, "\(keys)")
    }
  }

  /// The file itself is sound, but an index has lost its blocks.
  @Test func anIndexOfTooFewRowsIsDamage() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var values = RandomValues(random: SeededGenerator(seed: 6))
      let database = try TestDatabase([PartialSortTests.table])
      for _ in 0..<8000 { PartialSortTests.insert(database, &values) }
      try database.commit()
      let snapshot = database.snapshot
      let column = snapshot.catalogue.tables[0].column(named: "intIndexed")!
      try Writer(snapshot).begin()
      Writer(snapshot).transaction.droppedIndexes.insert(IndexNumber.values(table: 0, column: column))
      try database.commit()
      let key = try SortKey(keyPath: "intIndexed", table: 0, catalogue: snapshot.catalogue)
      let sort = PartialSort(.all, count: 8000, by: [key], table: 0, in: snapshot)
      print(sort.row(at: 0))
    }
    expectStop(result, saying: "is damaged: class 'Thing', its indexes")
  }

  /// What was pinned is sorted as it was, whatever the snapshot has come to since.
  @Test func pinnedSortsDoNotSeeChanges() throws {
    var values = RandomValues(random: SeededGenerator(seed: 5))
    let database = try TestDatabase([Self.table])
    for _ in 0..<8000 { Self.insert(database, &values) }
    try database.commit()
    let keys = [
      try SortKey(keyPath: "string", table: 0, catalogue: database.snapshot.catalogue),
      try SortKey(keyPath: "int", isAscending: false, table: 0, catalogue: database.snapshot.catalogue),
    ]
    let table = database.snapshot.table(0)
    let expected = Self.plainSort(Array(0..<8000), keys, table)
    let sort = PartialSort(.all, count: 8000, by: keys, table: 0, in: database.snapshot)
    #expect(sort.row(at: 0) == expected[0] && !sort.isComplete)
    sort.pinVersion()
    try Writer(database.snapshot).begin()
    for row in stride(from: 0, to: 8000, by: 7) {
      if row % 2 == 0 { table.deleteRow(row) } else { table.setValue(4, row, .string("changed")) }
    }
    #expect(sort.row(at: 700) == expected[700])
    try database.commit()
    #expect(sort.allRows == expected)
    // In a write transaction there is no version to pin: all is sorted at once.
    try Writer(database.snapshot).begin()
    let alive = (0..<8000).filter(table.isAlive)
    let second = PartialSort(.all, count: alive.count, by: keys, table: 0, in: database.snapshot)
    second.pinVersion()
    #expect(second.isComplete)
    let now = Self.plainSort(alive, keys, table)
    for row in alive { table.setValue(4, row, .null) }
    #expect(second.allRows == now)
    Writer(database.snapshot).cancel()
  }
}
