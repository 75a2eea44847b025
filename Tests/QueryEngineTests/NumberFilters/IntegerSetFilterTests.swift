import QueryEngine
import Testing

@testable import Storage

/// IN on integers: close together, where members are bits, and so far apart that they are searched for.
@Suite struct IntegerSetFilterTests {
  @Test(arguments: [1, 1_000_003, .max / 50] as [Int64])
  func members(distance: Int64) throws {
    let database = try TestDatabase([
      TableDescription(name: "Thing", columns: [Column(name: "number", type: .int, isNullable: true)])
    ])
    for row in 0..<50 {
      database.insert(0, ["number": row == 7 ? .null : .int((Int64(row) - 25) * distance)])
    }
    for chosen in [[], [0], [49], [3, 4, 5], Array(stride(from: 1, to: 50, by: 3))] {
      let members = chosen.filter { $0 != 7 }.map { (Int64($0) - 25) * distance }
      // None of these is there, and some lie beyond the others.
      let others: [Int64] = distance == 1 ? [1000, -1000] : [1, distance - 1, .min, .max]
      let list = Argument.list((members + others).shuffled().map { .int($0) })
      #expect(try database.rows("number IN %@", list) == chosen.filter { $0 != 7 })
    }
    #expect(try database.rows("number IN {NULL}") == [7])
  }
}
