import QueryEngine
import TestSupport
import Testing

@testable import Storage

/// Random predicates on random data: the column-wise evaluation must agree with the row-by-row one.
@Suite struct OracleTests {
  private static let types: [ValueType] = [
    .int, .bool, .string, .data, .date, .float, .double, .mixed, .objectId, .decimal128, .uuid,
  ]

  private static let tables: [TableDescription] = {
    var columns: [Column] = []
    for type in types {
      columns.append(Column(name: "\(type)", type: type, isNullable: type == .mixed))
      if type != .mixed { columns.append(Column(name: "\(type)Optional", type: type, isNullable: true)) }
      columns.append(
        Column(name: "\(type)List", type: type, collection: .list, isNullable: type != .objectId))
    }
    columns += [
      Column(name: "narrow", type: .int),
      Column(name: "wide", type: .int),
      Column(name: "color", type: .string),
      Column(name: "indexed", type: .int, isIndexed: true),
      Column(name: "indexedName", type: .string, isNullable: true, isIndexed: true),
      // The same values without an index.
      Column(name: "plain", type: .int),
      Column(name: "plainName", type: .string, isNullable: true),
      Column(name: "intSet", type: .int, collection: .set),
      Column(name: "stringMap", type: .string, collection: .map, isNullable: true),
      Column(name: "link", type: .link, isNullable: true, target: 1),
      Column(name: "links", type: .link, collection: .list, target: 1),
      Column(name: "linkMap", type: .link, collection: .map, isNullable: true, target: 1),
    ]
    let others = [
      Column(name: "age", type: .int), Column(name: "name", type: .string, isNullable: true),
      Column(name: "weight", type: .double, isNullable: true),
      Column(name: "back", type: .link, isNullable: true, target: 0),
      Column(name: "things", type: .link, collection: .list, target: 0),
    ]
    return [
      TableDescription(name: "Thing", columns: columns), TableDescription(name: "Other", columns: others),
    ]
  }()

  private static let otherCount = 150

  private static func fill(_ database: TestDatabase, _ values: inout RandomValues, rows: Int) {
    for _ in 0..<otherCount {
      database.insert(
        1,
        [
          "age": .int(Int64(values.below(8))), "name": values.chance(4) ? .null : .string(values.string()),
          "weight": values.chance(4) ? .null : .double(values.double()),
        ])
    }
    for row in 0..<rows {
      var content: [String: Value] = [
        "narrow": .int(Int64(100 + values.below(20))), "wide": .int(Int64(values.below(60_000))),
        "color": .string(["red", "green", "blue", "Rot"][values.below(4)]),
        "indexed": .int(Int64(values.below(200))),
        "indexedName": values.chance(8) ? .null : .string("n\(values.below(100))"),
        "link": values.chance(3) ? .null : .link(table: 1, row: values.below(otherCount)),
      ]
      content["plain"] = content["indexed"]
      content["plainName"] = content["indexedName"]
      for type in types {
        content["\(type)"] = values.value(type)
        content["\(type)Optional"] = values.chance(4) ? .null : values.value(type)
        // Every sixteenth row has collections, which take long to write.
        if row % 16 == 0 {
          let isNullable = type != .objectId
          content["\(type)List"] = .list(
            (0..<values.below(4)).map { _ in isNullable && values.chance(5) ? .null : values.value(type) })
        }
      }
      if content["mixedOptional"] != nil { content["mixedOptional"] = nil }
      if row % 4 == 0 {
        content["intSet"] = .list((0..<values.below(5)).map { _ in .int(values.integer()) })
        content["links"] = .list(
          (0..<values.below(5)).map { _ in .link(table: 1, row: values.below(otherCount)) })
        content["stringMap"] = .dictionary(
          ["a", "b"].filter { _ in values.chance(2) }.map {
            Value.DictionaryEntry(key: $0, value: values.chance(4) ? .null : .string(values.string()))
          })
        content["linkMap"] = .dictionary(
          ["a", "b"].filter { _ in values.chance(2) }.map {
            Value.DictionaryEntry(
              key: $0, value: values.chance(4) ? .null : .link(table: 1, row: values.below(otherCount)))
          })
      }
      database.insert(0, content)
    }
    let others = database.snapshot.table(1)
    for row in 0..<otherCount {
      if values.chance(2) { others.setValue(3, row, .link(table: 0, row: values.below(rows))) }
      others.insertElements(
        4, row, at: 0, (0..<values.below(4)).map { _ in .link(table: 0, row: values.below(rows)) })
    }
  }

  /// Back links are found under names of their own.
  private static func lookup(_ catalogue: Catalogue) -> PropertyLookup {
    { table, name in
      switch (table, name) {
      case (0, "owners"): .backlinks(table: 1, column: 3)
      case (0, "holders"): .backlinks(table: 1, column: 4)
      case (1, "linkers"): .backlinks(table: 0, column: catalogue.tables[0].column(named: "link")!)
      default: catalogue.tables[table].column(named: name).map(PropertyReference.column)
      }
    }
  }

  @Test(arguments: TestLength.seeds([11, 12, 13], short: 1))
  func columnWiseAgreesWithRowByRow(seed: UInt64) throws {
    print("seed \(seed)")
    var values = RandomValues(random: SeededGenerator(seed: seed))
    let database = try TestDatabase(Self.tables)
    // More than a chunk, and not a multiple of 16.
    Self.fill(database, &values, rows: 1103)
    let lookup = Self.lookup(database.snapshot.catalogue)
    // In the write transaction that made the data, in the file, and in a transaction that changed some of it.
    try compare(database, &values, lookup, cases: 150, "new")
    try database.commit()
    try compare(database, &values, lookup, cases: 500, "stored")
    try Writer(database.snapshot).begin()
    let things = database.snapshot.table(0)
    for _ in 0..<60 {
      let row = values.below(1103)
      if things.isAlive(row) && values.chance(2) { things.deleteRow(row) }
    }
    let columns = database.snapshot.catalogue.tables[0].columns
    for _ in 0..<100 {
      let row = values.below(1103)
      let column = values.below(columns.count)
      guard things.isAlive(row), columns[column].collection == .none, columns[column].type != .link else {
        continue
      }
      things.setValue(column, row, values.value(columns[column].type))
    }
    try compare(database, &values, lookup, cases: 250, "changed")
    try database.commit()
    try compare(database, &values, lookup, cases: 250, "stored again")
  }

  /// Tens of thousands of predicates, most of whose time goes into reading and planning them.
  @Test(arguments: TestLength.seeds([14, 15, 16], short: 1))
  func manyPredicates(seed: UInt64) throws {
    print("seed \(seed)")
    var values = RandomValues(random: SeededGenerator(seed: seed))
    let database = try TestDatabase(Self.tables)
    Self.fill(database, &values, rows: 80)
    try database.commit()
    let snapshot = database.snapshot
    let catalogue = snapshot.catalogue
    let lookup = Self.lookup(catalogue)
    var expressions = RandomExpressions(values: values, catalogue: catalogue)
    for number in 0..<6000 {
      let expression = expressions.expression(depth: number % 4, table: 0)
      let predicate = try resolve(expression, table: 0, catalogue: catalogue, lookup: lookup)
      let expected = (0..<80).filter { snapshot.matches(predicate, table: 0, row: $0) }
      #expect(snapshot.evaluate(predicate, table: 0).rows == expected, "\(number): \(expression)")
      // As it is written and read again, and with the columns that have no index.
      let (format, arguments) = expression.format
      for format in [format, format.withoutIndexedColumns] {
        let again = try PredicateExpression(format: format, arguments: arguments)
        let found = try resolve(again, table: 0, catalogue: catalogue, lookup: lookup)
        if found == predicate { continue }
        #expect(snapshot.evaluate(found, table: 0).rows == expected, "\(number): \(format)")
      }
    }
  }

  private func compare(
    _ database: TestDatabase, _ values: inout RandomValues, _ lookup: @escaping PropertyLookup, cases: Int,
    _ state: String
  ) throws {
    let snapshot = database.snapshot
    var expressions = RandomExpressions(values: values, catalogue: snapshot.catalogue)
    let limit = snapshot.rowLimit(table: 0)
    for number in 0..<cases {
      let expression = expressions.expression(depth: 2, table: 0)
      let predicate = try resolve(expression, table: 0, catalogue: snapshot.catalogue, lookup: lookup)
      let expected = (0..<limit).filter { snapshot.matches(predicate, table: 0, row: $0) }
      let found = snapshot.evaluate(predicate, table: 0)
      guard found.rows == expected else {
        let wrong = Set(found.rows).symmetricDifference(expected).sorted().prefix(3)
        Issue.record("\(state) \(number): \(expression) differs in rows \(Array(wrong))")
        continue
      }
      #expect(snapshot.count(predicate, table: 0) == expected.count, "\(expression)")
      // Later changes do not keep the copies.
      if state == "stored" {
        let (format, arguments) = expression.format
        let plain = try resolve(
          PredicateExpression(format: format.withoutIndexedColumns, arguments: arguments), table: 0,
          catalogue: snapshot.catalogue, lookup: lookup)
        #expect(snapshot.evaluate(plain, table: 0).rows == expected, "\(format)")
      }
      #expect(snapshot.firstRow(predicate, table: 0) == expected.first, "\(expression)")
      var list = (0..<40).map { _ in expressions.values.below(limit) }
      if number % 2 == 0 { list.sort() }
      let members = Set(expected)
      #expect(
        snapshot.evaluate(predicate, table: 0, rows: list) == list.filter { members.contains($0) },
        "\(expression)")
    }
    values = expressions.values
  }
}

extension String {
  /// A format that asks the columns with the same values and no index.
  fileprivate var withoutIndexedColumns: String {
    replacing("indexedName", with: "plainName").replacing("indexed", with: "plain")
  }
}
