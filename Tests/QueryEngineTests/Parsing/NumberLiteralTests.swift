import QueryEngine
import Testing

@testable import Storage

/// Number literals are read as the type of what they are compared with.
@Suite struct NumberLiteralTests {
  private static func decimal(_ text: String) -> Value { NumberLiteral(text)!.decimal }

  private static let decimals = [
    "100000000000000000000", "100000000000000000001", "-100000000000000000001", "0.1", "0.10",
    "0.1000000000000000055511151231257827", "1E+400", "3", "9223372036854775808",
  ]

  private static func database() throws -> TestDatabase {
    let database = try TestDatabase([
      TableDescription(
        name: "A",
        columns: [
          Column(name: "decimal", type: .decimal128), Column(name: "any", type: .mixed),
          Column(name: "list", type: .decimal128, collection: .list),
          Column(name: "map", type: .decimal128, collection: .map), Column(name: "double", type: .double),
          Column(name: "int", type: .int, isNullable: true, isIndexed: true),
          Column(name: "plain", type: .int, isNullable: true),
          Column(name: "self", type: .link, isNullable: true, target: 0),
        ])
    ])
    for (row, text) in decimals.enumerated() {
      let integer: Value = row == 0 ? .int(.max) : row == 1 ? .int(.min) : row == 2 ? .null : .int(Int64(row))
      database.insert(
        0,
        [
          "decimal": decimal(text), "any": decimal(text), "list": .list([decimal(text), decimal("7")]),
          "map": .dictionary([.init(key: "k", value: decimal(text))]),
          "double": .double(row == 0 ? 1e20 : row == 3 ? 0.1 : 5), "int": integer, "plain": integer,
          "self": .link(table: 0, row: row),
        ])
    }
    database.insert(0, ["decimal": decimal("0"), "any": .double(1e20), "int": .null, "plain": .null])
    try database.commit()
    return database
  }

  @Test(arguments: [
    ("decimal == 100000000000000000001", [1]), ("100000000000000000001 == decimal", [1]),
    ("decimal == 100000000000000000000", [0]), ("decimal == 1e20", [0]),
    ("decimal == -100000000000000000001", [2]), ("decimal == -1.00000000000000000001E+20", [2]),
    ("decimal > 100000000000000000000", [1, 6]), ("decimal == 0.1", [3, 4]),
    ("decimal == 0.10000000000000000555111512312578270", [5]), ("decimal == 1e400", [6]),
    ("decimal == 9223372036854775808", [8]), ("decimal IN {100000000000000000001, 3}", [1, 7]),
    ("decimal BETWEEN {100000000000000000001, 100000000000000000002}", [1]),
    ("any == 100000000000000000001", [1]), ("any == 100000000000000000000", [0, 9]),
    ("any IN {100000000000000000001, 0.1}", [1, 3, 4]),
    ("ANY list == 100000000000000000001", [1]), ("ANY list IN {100000000000000000001, 8}", [1]),
    ("map['k'] == 100000000000000000001", [1]), ("self.decimal == 100000000000000000001", [1]),
    ("list.@sum == 100000000000000000008", [1]), ("list.@max > 100000000000000000000", [1, 6]),
    ("list.@count < 100000000000000000000", Array(0..<10)),
    ("double == 100000000000000000001", [0]), ("double == 0.1000000000000000055511151231257827", [3]),
  ])
  func numbersBeyondDoubleAreExact(format: String, rows: [Int]) throws {
    let database = try Self.database()
    #expect(try database.rows(format) == rows, "\(format)")
    // The expression is written in the same way.
    let printed = try PredicateExpression(format: format).format
    #expect(
      try PredicateExpression(format: printed.text, arguments: printed.arguments)
        == PredicateExpression(format: format))
  }

  @Test(arguments: ["int", "plain"])
  func integersAreLessThanLiteralsBeyondThem(property: String) throws {
    let database = try Self.database()
    let all = [0, 1, 3, 4, 5, 6, 7, 8]
    for above in ["9223372036854775808", "18446744073709551615", "100000000000000000001"] {
      #expect(try database.rows("\(property) == \(above)").isEmpty)
      #expect(try database.rows("\(property) != \(above)") == Array(0..<10))
      #expect(try database.rows("\(property) < \(above)") == all)
      #expect(try database.rows("\(property) <= \(above)") == all)
      #expect(try database.rows("\(property) > \(above)").isEmpty)
      #expect(try database.rows("\(property) >= -\(above)1") == all)
      #expect(try database.rows("\(property) < -\(above)1").isEmpty)
      #expect(try database.rows("\(property) IN {3, \(above)}") == [3])
      #expect(try database.rows("\(property) BETWEEN {5, \(above)}") == [0, 5, 6, 7, 8])
    }
    #expect(try database.rows("\(property) < %@", .number(NumberLiteral("18446744073709551615")!)) == all)
    #expect(try database.rows("\(property) < %llu", .number(NumberLiteral("18446744073709551615")!)) == all)
  }

  @Test func inMemoryALiteralIsReadAsTheValueIs() throws {
    func answer(_ format: String, _ value: Value) throws -> Bool {
      try PredicateExpression(format: format).matches(.value(value))
    }
    #expect(try answer("SELF == 100000000000000000001", Self.decimal("100000000000000000001")))
    #expect(try !answer("SELF == 100000000000000000001", Self.decimal("100000000000000000000")))
    #expect(try answer("100000000000000000001 == SELF", .double(1e20)))
    #expect(try answer("SELF IN {3, 100000000000000000001}", .double(1e20)))
    #expect(try answer("SELF == 0.1000000000000000055511151231257827", .float(0.1)))
    #expect(try answer("SELF < 18446744073709551615", .int(.max)))
    #expect(try !answer("SELF == 18446744073709551615", .int(.max)))
  }
}
