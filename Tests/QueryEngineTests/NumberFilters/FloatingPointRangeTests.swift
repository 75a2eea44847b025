import QueryEngine
import TestSupport
import Testing

@testable import Storage

/// Conditions on floats and doubles at the ends of what they can be, compared with Swift's own operators.
@Suite struct FloatingPointRangeTests {
  private static let doubles: [Double] = [
    -.infinity, -.greatestFiniteMagnitude, -1.5, -0.0, 0, .leastNonzeroMagnitude, 0.1, 1.5, 0x1p53,
    .greatestFiniteMagnitude, .infinity,
  ]
  private static let floats = doubles.map { Float($0) } + [.leastNonzeroMagnitude, .greatestFiniteMagnitude]

  private static let comparisons: [(name: String, order: [Int])] = [
    ("<", [-1]), ("<=", [-1, 0]), ("==", [0]), (">=", [0, 1]), (">", [1]), ("!=", [-1, 1]),
  ]

  private func check<Number: BinaryFloatingPoint>(
    _ type: ValueType, _ numbers: [Number], _ value: (Number) -> Value
  ) throws {
    let bounds = numbers + numbers.map(\.nextUp) + numbers.map(\.nextDown) + [.nan]
    // With a NaN, a chunk has no statistics; with a null, it has a bitmap.
    for stored: [Number?] in [
      bounds.map { $0 }, bounds.dropLast().map { $0 }, bounds + [nil], numbers + [nil],
    ] {
      let database = try TestDatabase([
        TableDescription(name: "Thing", columns: [Column(name: "value", type: type, isNullable: true)])
      ])
      for number in stored { database.insert(0, ["value": number.map(value) ?? .null]) }
      try database.commit()
      func rows(where holds: (Number?) -> Bool) -> [Int] { stored.indices.filter { holds(stored[$0]) } }
      for bound in bounds {
        for (name, orders) in Self.comparisons {
          let expected = rows { number in
            guard let number else { return name == "!=" }
            if number.isNaN || bound.isNaN { return name == "!=" }
            return orders.contains(number < bound ? -1 : number > bound ? 1 : 0)
          }
          #expect(try database.rows("value \(name) %@", .value(value(bound))) == expected, "\(name) \(bound)")
        }
        for other in bounds {
          let found = try database.rows("value BETWEEN {%@, %@}", .value(value(bound)), .value(value(other)))
          let expected = rows { number in number.map { bound <= $0 && $0 <= other } ?? false }
          #expect(found == expected, "between \(bound) and \(other)")
        }
      }
    }
  }

  @Test func doublesAreCompared() throws { try check(.double, Self.doubles, Value.double) }

  @Test func floatsAreCompared() throws { try check(.float, Self.floats, Value.float) }
}
