import Foundation
import QueryEngine
import TestSupport
import Testing

@testable import RealmSwift

/// Key paths, searches and queries from outside the program are errors, and never stop it.
@Suite struct HostileKeyPathTests {
  private static let pieces = [
    "name", "id", "age", "favourite", "pets", "toys", "petsByName", "home", "numbers", "scores", "any",
    "anys",
    "owners", "email", "self", "SELF", ".", ".", ".", "..", "@count", "@sum", "@avg", "@min", "@allKeys",
    "@links", "[0]", "[-1]", "[99999999999999999999]", "['k']", "[", "]", "[FIRST]", "", " ", "\0", "ä",
    "\u{301}", "\u{FFFD}", "`", "\"", "'", "%@", "$0", "$x", "(", ")", "{", "}", "==", "<", "ANY", "NONE",
    "SUBQUERY", "LIMIT(", "SORT(", "DISTINCT(", "TEXT", "AND", "NOT", "BETWEEN", "IN", "NULL", "-",
    "170141183460469231731687303715884105728", "1e999", "nan", "*", "NEAR", "\u{1F469}\u{200D}\u{1F680}",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    let glue = ["", "", " ", "."].randomElement(using: &random)!
    let count = Int.random(in: 0...7, using: &random)
    return (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined(separator: glue)
  }

  @Test(arguments: TestLength.seeds([1, 2, 3, 4, 5, 6], short: 2)) func errorsAreThrown(seed: UInt64) throws {
    var random = SeededGenerator(printing: seed)
    let scratch = try ScratchRealm(opening: PetOwner.classes)
    let realm = scratch.realm
    try realm.write {
      for id in 0..<3 {
        realm.create(
          PetOwner.self,
          value: [
            "id": "\(id)", "favourite": ["id": id, "name": "Rex"], "numbers": [id], "scores": ["k": 1.5],
            "any": id == 1 ? ["k": [1, 2]] : "x" as Any,
          ] as [String: Any], update: .modified)
      }
    }
    let queries = ["PetOwner", "HousePet", "HomeAddress"].map { realm.dynamicObjects($0).core }
    let values = realm.objects(PetOwner.self)[0].numbers._query
    var thrown = 0
    func tryOut(_ body: () throws -> Void) {
      do {
        try body()
      } catch {
        thrown += 1
        #expect(!Refusal(of: error).message.isEmpty)
      }
    }
    let steps = TestLength.count(3_000, long: 100_000)
    for _ in 0..<steps {
      let (first, second) = (Self.text(&random), Self.text(&random))
      let query = queries.randomElement(using: &random)!
      let table = query.classTable.table.number
      let operation: _Aggregate = [.minimum, .maximum, .sum, .average].randomElement(using: &random)!
      tryOut {
        let keys = [first, second].map { SortDescriptor(keyPath: $0) }
        _ = try query.sortedOrThrow(keys, elementType: .object).allRows
      }
      tryOut { _ = try values.sortedOrThrow([SortDescriptor(keyPath: first)], elementType: .int).values }
      tryOut { _ = try query.distinctOrThrow([first, second], elementType: .object).allRows }
      tryOut {
        _ = try query.rankedOrThrow(by: [first], second, limit: Int.random(in: -1...2, using: &random))
      }
      tryOut { _ = try query.realm.observedPaths(checking: [first, second], table: table) }
      tryOut { _ = try Aggregation.checked(operation, first, query.classTable.schema) }
      tryOut {
        let expression = try PredicateExpression(format: first, arguments: [])
        _ = query.adding(.filter(try query.resolve(expression))).allRows
      }
    }
    #expect(thrown > steps && thrown < steps * 7)
  }
}
