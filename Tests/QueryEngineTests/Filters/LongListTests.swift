import TestSupport
import Testing

@testable import QueryEngine
@testable import Storage

/// IN with many constants: hashes say what comparing with each says, and take time that grows with the rows.
@Suite struct LongListTests {
  private static let numbers: [Value] =
    [0, 1, 2, 3, -5, 1 << 53, (1 << 53) + 1, .max].map(Value.int)
    + [0, -0.0, 1, 2.5, 0.1, .nan, .infinity, 0x1p53, 0x1p63].flatMap { [Value.double($0), .date($0)] }
    + [0, 1, 0.1, 2.5, .nan].map(Value.float)

  private static let values: [Value] =
    numbers + [
      .null, .bool(true), .bool(false), .string(""), .string("a"), .string("b"), .data([]), .data([97]),
      .uuid(Fixed16(high: 1, low: 2)), .objectId(Fixed12(high: 1, low: 2)), .link(table: 0, row: 0),
      .list([.int(1)]), .list([.double(1)]), .dictionary([.init(key: "a", value: .int(1))]),
      ConstantConversion.convert(.string("0.1"), to: .decimal128)!,
      ConstantConversion.convert(.int(2), to: .decimal128)!,
    ]
    + [
      "0", "-0", "0E+10", "1", "1.00", "10E-1", "1E+3", "1000", "2.5", "2.50", "NaN", "Inf", "-Inf", "1E+34",
      "9999999999999999999999999999999999", "1E-6176", "0.1000000000000000055511151231257827",
      "9223372036854775807",
      "9223372036854775808", "9007199254740993",
    ].map { ConstantConversion.convert(.string($0), to: .decimal128)! }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func theSetAgreesWithComparing(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let constants = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        Self.values.randomElement(using: &random)!
      }
      let set = IndexedConstants(constants, [])
      for value in Self.values {
        let expected = constants.contains { ValueComparison.compare(value, .equal, $0, type: .mixed) }
        #expect(set.contains(value, type: .mixed) == expected, "\(value) IN \(constants)")
      }
    }
  }

  @Test func manyRowsAndConstants() throws {
    let types: [(String, ValueType)] = [
      ("any", .mixed), ("double", .double), ("float", .float), ("text", .string),
    ]
    let database = try TestDatabase([
      TableDescription(
        name: "A", columns: types.map { Column(name: $0.0, type: $0.1, isNullable: $0.1 != .mixed) })
    ])
    let count = 3000
    for number in 0..<count {
      database.insert(
        0,
        [
          "any": number % 2 == 0 ? .int(Int64(number)) : .string("t\(number)"),
          "double": .double(Double(number)),
          "float": .float(Float(number)), "text": number == 7 ? .null : .string("T\(number)"),
        ])
    }
    try database.commit()
    func argument(_ value: (Int) -> Value) -> Argument {
      .list((count - 1..<2 * count).map { .value(value($0)) })
    }
    func rows(_ format: String, _ argument: Argument) throws -> [Int] {
      try database.snapshot.evaluate(database.predicate(format, argument), table: 0).rows
    }
    #expect(try rows("any IN %@", argument { .string("t\($0)") }) == [count - 1])
    #expect(try rows("any IN %@", argument { .double(Double($0 - 1)) }) == [count - 2])
    #expect(try rows("double IN %@", argument { .double(Double($0)) }) == [count - 1])
    #expect(try rows("float IN %@", argument { .float(Float($0)) }) == [count - 1])
    #expect(try rows("text IN[c] %@", argument { .string("t\($0)") }) == [count - 1])
    #expect(
      try rows("text IN[c] %@", .list((0..<20).map { $0 == 0 ? .null : .string("t\($0 - 2)") }))
        == [0, 1, 2, 3, 4, 5, 6, 7] + Array(8..<18))
    #expect(try rows("double IN %@", .list((0..<20).map { $0 == 0 ? .null : .double(.nan) })).isEmpty)
  }
}
