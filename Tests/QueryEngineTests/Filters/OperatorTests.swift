import QueryEngine
import Testing

@testable import Storage

/// Every operator on every type, with null: what five rows answer.
@Suite struct OperatorTests {
  /// Rows 0 to 3 hold low, middle, middle and high values; row 4 holds null.
  private struct Sample {
    let type: ValueType
    let low: Value
    let middle: Value
    let high: Value
  }

  private static func decimal(_ coefficient: UInt64) -> Value {
    .decimal128(Fixed16(high: coefficient.byteSwapped, low: (UInt64(6176) << 49).byteSwapped))
  }

  private static let samples: [Sample] = [
    Sample(type: .int, low: .int(-5), middle: .int(7), high: .int(1000)),
    Sample(type: .float, low: .float(-1.5), middle: .float(0.25), high: .float(8)),
    Sample(type: .double, low: .double(-1.5), middle: .double(0.1), high: .double(1e9)),
    Sample(type: .date, low: .date(-100), middle: .date(0.5), high: .date(1e9)),
    Sample(type: .decimal128, low: decimal(1), middle: decimal(20), high: decimal(300)),
    Sample(type: .string, low: .string("Bella"), middle: .string("bello"), high: .string("rex")),
    Sample(type: .data, low: .data([1, 2]), middle: .data([1, 2, 3]), high: .data([9])),
    Sample(type: .mixed, low: .int(2), middle: .double(2.5), high: decimal(3)),
    Sample(
      type: .objectId, low: .objectId(Fixed12(high: 1, low: 1)), middle: .objectId(Fixed12(high: 1, low: 2)),
      high: .objectId(Fixed12(high: 2, low: 0))),
    Sample(
      type: .uuid, low: .uuid(Fixed16(high: 1, low: 1)), middle: .uuid(Fixed16(high: 1, low: 2)),
      high: .uuid(Fixed16(high: 2, low: 0))),
  ]

  private static func database(_ sample: Sample) throws -> TestDatabase {
    let database = try TestDatabase([
      TableDescription(
        name: "Thing",
        columns: [
          Column(name: "value", type: sample.type, isNullable: true),
          Column(name: "link", type: .link, isNullable: true, target: 0),
        ])
    ])
    for value in [sample.low, sample.middle, sample.middle, sample.high, .null] {
      database.insert(0, ["value": value, "link": .link(table: 0, row: 0)])
    }
    // One more row links to each of them, and one to none, in `link`.
    let table = database.snapshot.table(0)
    for row in 0..<5 { table.setValue(1, row, .link(table: 0, row: (row + 1) % 5)) }
    try database.commit()
    return database
  }

  @Test(arguments: samples.indices)
  func equality(_ index: Int) throws {
    let sample = Self.samples[index]
    let database = try Self.database(sample)
    let middle = Argument.value(sample.middle)
    #expect(try database.rows("value == %@", middle) == [1, 2])
    #expect(try database.rows("value != %@", middle) == [0, 3, 4])
    #expect(try database.rows("%@ == value", middle) == [1, 2])
    #expect(try database.rows("value == nil") == [4])
    #expect(try database.rows("value != NULL") == [0, 1, 2, 3])
    #expect(try database.rows("NOT value == %@", middle) == [0, 3, 4])
    #expect(try database.rows("value IN %@", .list([.value(sample.low), middle])) == [0, 1, 2])
    #expect(try database.rows("value IN {%@, nil}", .value(sample.high)) == [3, 4])
    #expect(try database.rows("value IN {}") == [])
    #expect(try database.rows("link.value == %@", middle) == [0, 1])
    #expect(try database.rows("link.value != %@", middle) == [2, 3, 4])
    #expect(try database.rows("link.value == nil") == [3])
    #expect(try database.rows("value == link.value") == [1])
  }

  @Test(arguments: samples.indices)
  func ordering(_ index: Int) throws {
    let sample = Self.samples[index]
    let database = try Self.database(sample)
    let middle = Argument.value(sample.middle)
    if sample.type == .objectId || sample.type == .uuid {
      let name = sample.type == .uuid ? "uuid" : "object id"
      #expect(
        throws: PredicateError("Invalid operator type", "Operator '<' not supported for type '\(name)'")
      ) {
        try database.rows("value < %@", middle)
      }
      return
    }
    #expect(try database.rows("value < %@", middle) == [0])
    #expect(try database.rows("value <= %@", middle) == [0, 1, 2])
    #expect(try database.rows("value > %@", middle) == [3])
    #expect(try database.rows("value >= %@", middle) == [1, 2, 3])
    #expect(try database.rows("%@ < value", middle) == [3])
    #expect(try database.rows("%@ >= value", middle) == [0, 1, 2])
    #expect(try database.rows("value < nil") == [])
    #expect(try database.rows("value <= nil") == [4])
    #expect(try database.rows("value > nil") == [])
    #expect(try database.rows("value >= nil") == [4])
    #expect(try database.rows("link.value < %@", middle) == [4])
    #expect(try database.rows("value < link.value") == [0, 2])
    if sample.type == .string || sample.type == .data { return }
    #expect(try database.rows("value BETWEEN {%@, %@}", .value(sample.low), middle) == [0, 1, 2])
    #expect(try database.rows("value BETWEEN %@", .list([middle, .value(sample.high)])) == [1, 2, 3])
    #expect(try database.rows("value BETWEEN {%@, %@}", .value(sample.high), .value(sample.low)) == [])
  }

  @Test(arguments: [ValueType.bool, .link])
  func equalityOnly(_ type: ValueType) throws {
    let database = try TestDatabase([
      TableDescription(
        name: "Thing", columns: [Column(name: "value", type: type, isNullable: true, target: 0)])
    ])
    let (first, second): (Value, Value) =
      type == .bool ? (.bool(true), .bool(false)) : (.link(table: 0, row: 0), .link(table: 0, row: 1))
    for value in [Value.null, .null, .null] { database.insert(0, ["value": value]) }
    database.snapshot.table(0).setValue(0, 0, first)
    database.snapshot.table(0).setValue(0, 1, second)
    #expect(try database.rows("value == %@", .value(first)) == [0])
    #expect(try database.rows("value != %@", .value(first)) == [1, 2])
    #expect(try database.rows("value == nil") == [2])
    #expect(try database.rows("value IN %@", .list([.value(first), .null])) == [0, 2])
    let name = type == .bool ? "bool" : "object"
    for text in ["<", ">=", "CONTAINS"] {
      #expect(
        throws: PredicateError("Invalid operator type", "Operator '\(text)' not supported for type '\(name)'")
      ) { try database.rows("value \(text) %@", .value(first)) }
    }
  }

  @Test func detachedObjectsEqualNothing() throws {
    let database = try TestDatabase([
      TableDescription(
        name: "Thing", columns: [Column(name: "value", type: .link, isNullable: true, target: 0)])
    ])
    database.insert(0, [:])
    database.insert(0, ["value": .link(table: 0, row: 0)])
    #expect(try database.rows("value == %@", .detachedObject) == [])
    #expect(try database.rows("value != %@", .detachedObject) == [0, 1])
  }

  @Test func numbersOfMixedCompareAcrossTypes() throws {
    let database = try TestDatabase([
      TableDescription(name: "Thing", columns: [Column(name: "any", type: .mixed, isNullable: true)])
    ])
    let values: [Value] = [
      .int(1), .double(1), .float(1), Self.decimal(1), .bool(true), .string("1"), .null, .int(.max),
      .double(0x1p63), .string("ab"), .data(Array("ab".utf8)), .list([.int(1)]), .double(.nan),
    ]
    for value in values { database.insert(0, ["any": value]) }
    #expect(try database.rows("any == 1") == [0, 1, 2, 3])
    #expect(try database.rows("any == true") == [4])
    #expect(try database.rows("any > 1") == [7, 8])
    // The double is one more than the integer, which a conversion to double would hide.
    #expect(try database.rows("any < %@", .double(0x1p63)) == [0, 1, 2, 3, 7, 12])
    #expect(try database.rows("any == 'ab'") == [9, 10])
    #expect(try database.rows("any BEGINSWITH 'a'") == [9, 10])
    #expect(try database.rows("any == %@", .list([.int(1)])) == [11])
    #expect(try database.rows("any[0] == 1") == [11])
    #expect(try database.rows("any[#any] == 1") == [11])
    #expect(try database.rows("any['k'] == nil").count == values.count)
    #expect(try database.rows("any == nil") == [6])
  }

  @Test func notANumberEqualsNothing() throws {
    let database = try TestDatabase([
      TableDescription(name: "Thing", columns: [Column(name: "value", type: .double, isNullable: true)])
    ])
    for value in [Value.double(.nan), .double(1), .null] { database.insert(0, ["value": value]) }
    #expect(try database.rows("value == %@", .double(.nan)) == [])
    #expect(try database.rows("value != %@", .double(.nan)) == [0, 1, 2])
    #expect(try database.rows("value < %@", .double(.infinity)) == [1])
    #expect(try database.rows("value != 1") == [0, 2])
    #expect(try database.rows("value >= %@", .double(-.infinity)) == [1])
  }

  @Test func integerExtremes() throws {
    let database = try TestDatabase([
      TableDescription(name: "Thing", columns: [Column(name: "value", type: .int)])
    ])
    for value: Int64 in [.min, -1, 0, .max] { database.insert(0, ["value": .int(value)]) }
    try database.commit()
    #expect(try database.rows("value < %@", .int(.min)) == [])
    #expect(try database.rows("value <= %@", .int(.min)) == [0])
    #expect(try database.rows("value > %@", .int(.max)) == [])
    #expect(try database.rows("value >= %@", .int(.max)) == [3])
    #expect(try database.rows("value > %@", .int(.min)) == [1, 2, 3])
    #expect(try database.rows("value BETWEEN {%@, 0}", .int(.min)) == [0, 1, 2])
  }
}
