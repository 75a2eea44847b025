import QueryEngine
import TestSupport
import Testing

@testable import Storage

/// IN is what the equalities with each of the constants are together, for every type and place of the values.
@Suite struct ConstantSetTests {
  private static let types: [ValueType] = [
    .int, .bool, .string, .data, .date, .float, .double, .objectId, .uuid, .decimal128, .mixed,
  ]

  private static var columns: [Column] {
    types.flatMap { type in
      [
        Column(name: "\(type)", type: type, isNullable: true),
        Column(name: "\(type)List", type: type, collection: .list, isNullable: true),
        Column(name: "\(type)Map", type: type, collection: .map, isNullable: true),
      ]
    } + [
      Column(name: "link", type: .link, isNullable: true, target: 0),
      Column(name: "linkList", type: .link, collection: .list, target: 0),
      Column(name: "linkMap", type: .link, collection: .map, isNullable: true, target: 0),
    ]
  }

  private static func database(_ values: inout RandomValues, rows: Int) throws -> TestDatabase {
    let database = try TestDatabase([TableDescription(name: "A", columns: columns)])
    func entries(_ elements: [Value]) -> Value {
      .dictionary(zip(["a", "b", "c"], elements).map { .init(key: $0, value: $1) })
    }
    for row in 0..<rows {
      var content: [String: Value] = [:]
      for type in types {
        func some(_ values: inout RandomValues) -> Value { values.chance(8) ? .null : values.value(type) }
        content["\(type)"] = some(&values)
        content["\(type)List"] = .list((0..<values.below(4)).map { _ in some(&values) })
        content["\(type)Map"] = entries((0..<values.below(4)).map { _ in some(&values) })
      }
      let links = (0..<values.below(4)).map { _ in Value.link(table: 0, row: values.below(row + 1)) }
      database.insert(0, content)
      let table = database.snapshot.table(0)
      let column = { (name: String) in database.snapshot.catalogue.tables[0].column(named: name)! }
      if let first = links.first { table.setValue(column("link"), row, first) }
      table.insertElements(column("linkList"), row, at: 0, links)
      for (position, link) in links.enumerated() {
        table.setMapValue(column("linkMap"), row, key: "\(position)", position == 2 ? .null : link)
      }
    }
    return database
  }

  private static func argument(_ value: Value) -> Argument {
    if case .link(let table, let row) = value { .object(table: table, row: row) } else { .value(value) }
  }

  /// Compares IN with the alternative of its equalities.
  private static func check(
    _ database: TestDatabase, _ subject: String, _ constants: [Value], _ options: String
  ) throws {
    // With options, null equals nothing, while it can be among constants.
    let constants = options.isEmpty ? constants : constants.filter { !$0.isNull }
    let arguments = constants.map(argument)
    let found = try database.rows("\(subject) IN\(options) %@", .list(arguments))
    let alternatives = constants.map { _ in "\(subject) ==\(options) %@" }.joined(separator: " OR ")
    let expression = try PredicateExpression(
      format: constants.isEmpty ? "FALSEPREDICATE" : alternatives, arguments: arguments)
    let predicate = try resolve(expression, table: 0, catalogue: database.snapshot.catalogue)
    let expected = (0..<database.snapshot.rowLimit(table: 0)).filter {
      database.snapshot.matches(predicate, table: 0, row: $0)
    }
    #expect(found == expected, "\(subject) IN\(options) \(constants)")
    let rest = try database.rows("NOT \(subject) IN\(options) %@", .list(arguments))
    #expect(rest.count + found.count == database.snapshot.rowLimit(table: 0))
  }

  @Test(arguments: [21, 22, 23] as [UInt64])
  func inIsTheAlternativeOfEqualities(seed: UInt64) throws {
    print("seed \(seed)")
    var values = RandomValues(random: SeededGenerator(seed: seed))
    let database = try Self.database(&values, rows: 60)
    for count in [0, 1, 9, 30] {
      for type in Self.types {
        let constants = (0..<count).map { _ in values.chance(10) ? Value.null : values.value(type) }
        for options in type == .string || type == .data || type == .mixed ? ["", "[c]", "[d]", "[cd]"] : [""]
        {
          try Self.check(database, "\(type)", constants, options)
          try Self.check(database, "ANY \(type)List", constants, options)
          try Self.check(database, "ANY \(type)Map", constants, options)
          try Self.check(database, "\(type)Map['a']", constants, options)
          try Self.check(database, "link.\(type)", constants, options)
          try Self.check(database, "ANY linkList.\(type)", constants, options)
        }
      }
      let objects = (0..<count).map { _ in Value.link(table: 0, row: values.below(60)) }
      for subject in ["link", "ANY linkList", "ANY linkMap", "SELF", "ANY linkList.link"] {
        try Self.check(database, subject, objects, "")
        if subject != "SELF" { try Self.check(database, subject, objects + [.null], "") }
      }
      let keys = (0..<count).map { _ in Value.string(["a", "b", "c", "d"][values.below(4)]) }
      try Self.check(database, "ANY intMap.@allKeys", keys, "")
    }
  }

  @Test func allAndNoneOfManyObjects() throws {
    var values = RandomValues(random: SeededGenerator(seed: 5))
    let database = try Self.database(&values, rows: 60)
    let chosen = Array(0..<30)
    let argument = Argument.list(chosen.map { .object(table: 0, row: $0) })
    let lists = (0..<60).map { row in
      database.snapshot.table(0).elements(
        database.snapshot.catalogue.tables[0].column(named: "linkList")!, row)
    }
    func isChosen(_ value: Value) -> Bool {
      if case .link(_, let row) = value { row < 30 } else { false }
    }
    let all = lists.indices.filter { lists[$0].allSatisfy(isChosen) }
    let none = lists.indices.filter { !lists[$0].contains(where: isChosen) }
    #expect(try database.rows("ALL linkList IN %@", argument) == all)
    #expect(try database.rows("NONE linkList IN %@", argument) == none)
  }
}
