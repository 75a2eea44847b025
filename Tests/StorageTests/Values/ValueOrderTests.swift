import Testing

@testable import Storage

/// The order of values of all types is one: sets and sorted results rely on it.
@Suite struct ValueOrderTests {
  private static let values: [Value] = [
    .null, .bool(false), .bool(true), .int(.min), .int(-1), .int(0), .int(1), .int((1 << 53) + 1), .int(.max),
    .float(-0.5), .float(1), .double(-.infinity), .double(0), .double(1.5), .double(9_007_199_254_740_992),
    .double(.infinity), .string(""), .string("a"), .string("aa"), .string("b"), .string("ñ"), .data([]),
    .data([0]), .data([1, 0]), .date(-1), .date(0), .date(1), .objectId(Fixed12(high: 1, low: 2)),
    .objectId(Fixed12(high: 2, low: 1)), .uuid(Fixed16(high: 1, low: 2)), .uuid(Fixed16(high: 2, low: 1)),
    .link(table: 0, row: 1), .link(table: 0, row: 2), .link(table: 1, row: 0),
  ]

  @Test func everyTwoHaveOneOrder() {
    for a in Self.values {
      #expect(Value.order(a, a) == 0)
      for b in Self.values {
        #expect(Value.order(a, b).signum() == -Value.order(b, a).signum(), "\(a), \(b)")
      }
    }
  }

  @Test func everyThreeHaveOneOrder() {
    for a in Self.values {
      for b in Self.values where Value.order(a, b) <= 0 {
        for c in Self.values where Value.order(b, c) <= 0 {
          #expect(Value.order(a, c) <= 0, "\(a), \(b), \(c)")
        }
      }
    }
  }
}
