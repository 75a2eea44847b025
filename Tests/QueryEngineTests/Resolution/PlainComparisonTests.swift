import QueryEngine
import Testing

@testable import Storage

/// Comparisons of a property with a constant take a short way; with the constant first they take that of all others.
@Suite struct PlainComparisonTests {
  private static let types: [ValueType] = [
    .int, .bool, .string, .data, .date, .float, .double, .objectId, .uuid, .decimal128, .mixed, .link,
  ]

  private static let constants: [Value] = [
    .null, .int(0), .int(1), .int(2), .int(.min), .bool(true), .string("a"), .string(""), .string("1.5"),
    .string("nan"), .string("00000000-0000-0000-0000-000000000001"), .data([1, 2]), .date(1.5), .float(1.5),
    .float(.nan), .double(2.5), .double(.nan), .double(1e300), .double(-.infinity),
    .objectId(Fixed12(high: 1, low: 2)), .uuid(Fixed16(high: 1, low: 2)),
    .decimal128(Fixed16(high: 0, low: 0x40_30)), .link(table: 0, row: 0), .link(table: 1, row: 0),
  ]

  /// What became of a predicate: how it was understood, or why not.
  private func outcome(_ database: TestDatabase, _ format: String, _ arguments: Argument...) -> String {
    do {
      let expression = try PredicateExpression(format: format, arguments: arguments)
      return "\(try resolve(expression, table: 0, catalogue: database.snapshot.catalogue))"
    } catch {
      return "error \(error)"
    }
  }

  @Test(arguments: types) func bothWaysAreOne(type: ValueType) throws {
    let target = type == .link ? 1 : -1
    let database = try TestDatabase([
      TableDescription(
        name: "Thing",
        columns: [
          Column(name: "p", type: type, isNullable: true, target: target),
          Column(name: "several", type: type, collection: .list, target: target),
        ]), TableDescription(name: "Other", columns: [Column(name: "n", type: .int)]),
    ])
    var understood = 0
    for (operation, exchanged) in [
      ("==", "=="), ("!=", "!="), ("<", ">"), ("<=", ">="), (">", "<"), (">=", "<="),
    ] {
      for constant in Self.constants {
        let plain = outcome(database, "p \(operation) %@", .value(constant))
        #expect(plain == outcome(database, "%@ \(exchanged) p", .value(constant)), "\(operation) \(constant)")
        if !plain.hasPrefix("error") { understood += 1 }
        let several = outcome(database, "several \(operation) %@", .value(constant))
        #expect(several == outcome(database, "%@ \(exchanged) several", .value(constant)))
        #expect(several.hasPrefix("error"))
      }
    }
    #expect(understood > 0)
  }
}
