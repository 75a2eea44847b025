import QueryEngine
import Storage
import Testing

/// Names between backticks may have anything in them.
@Suite struct BacktickTests {
  @Test(arguments: [
    ("`first name`", ["first name"]), ("owner.`first name`", ["owner", "first name"]), ("`a.b`", ["a.b"]),
    ("`IN`", ["IN"]), ("`SELF`", ["SELF"]), (#"`a\`b`"#, ["a`b"]),
  ]) func namesBetweenBackticksArePropertyNames(text: String, names: [String]) throws {
    let path = PropertyPath(properties: names)
    #expect(
      try PredicateExpression(format: "\(text) == 5")
        == .comparison(
          ComparisonExpression(
            .keyPath(path), .equal, .value(.int(5)), options: [], modifier: nil)))
  }

  @Test(arguments: [
    ("`a == 1", "the name has no end at position 0"),
    ("`` == 1", "a name is missing between two backticks at position 0"),
  ]) func unfinishedNamesAreRefused(text: String, message: String) {
    let error = #expect(throws: PredicateError.self) { try PredicateExpression(format: text) }
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
  }
}
