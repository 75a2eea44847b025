import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Random typed queries, put together from conditions whose answers plain Swift computes: the query, its text, the
/// negation and the evaluation in memory must agree with them.
struct RandomQueryTests {
  /// A condition with a bit for each object that satisfies it.
  struct Condition {
    var make: (Query<QueryThing>) -> Query<Bool>
    var matches: UInt64
  }

  private let table: QueryTable
  private let everything: UInt64
  private var conditions: [Condition] = []

  init() throws {
    table = try QueryTable(count: 50, seed: 31)
    everything = (1 << 50) - 1
    addConditions()
    addCollectionConditions()
  }

  private func mask(_ isMatching: (QueryThing) -> Bool) -> UInt64 {
    table.all.enumerated().reduce(0) { isMatching($1.element) ? $0 | 1 << UInt64($1.offset) : $0 }
  }

  private mutating func add(
    _ make: @escaping (Query<QueryThing>) -> Query<Bool>, _ isMatching: (QueryThing) -> Bool
  ) {
    conditions.append(Condition(make: make, matches: mask(isMatching)))
  }

  private mutating func addConditions() {
    add({ $0.bool }, { $0.bool })
    add({ $0.link.bool == true }, { $0.link?.bool ?? false })
    for number in [-3, 0, 2, 5] {
      add({ $0.int > number }, { $0.int > number })
      add({ $0.indexedInt < number }, { $0.indexedInt < number })
      add({ $0.indexedInt == number }, { $0.indexedInt == number })
      add({ $0.optInt != number }, { $0.optInt != number })
      add({ $0.link.optInt == number }, { $0.link?.optInt == number })
      add({ $0.int8.contains(0...Int8(number + 100)) }, { (0...Int8(number + 100)).contains($0.int8) })
      add({ $0.double.contains(-1..<Double(number + 4)) }, { (-1..<Double(number + 4)).contains($0.double) })
    }
    add({ $0.optInt == nil }, { $0.optInt == nil })
    add({ $0.link == nil }, { $0.link == nil })
    add({ $0.mood.in([.sad, .calm]) }, { $0.mood != .merry })
    add({ $0.optRank == .high }, { $0.optRank == .high })
    add({ $0.length <= QueryLength(metres: 0) }, { $0.length.metres <= 0 })
    add({ $0.decimal > 0.5 }, { $0.decimal > 0.5 })
    add(
      { $0.optDate < Date(timeIntervalSinceReferenceDate: 0.1) },
      {
        $0.optDate.map { $0.timeIntervalSinceReferenceDate < 0.1 } ?? false
      })
    for part in ["a", "bc", "e"] {
      add({ $0.string.contains(part) }, { $0.string.contains(part) })
      add({ $0.string.contains(part, options: .caseInsensitive) }, { $0.string.lowercased().contains(part) })
      add({ $0.indexedString.starts(with: part) }, { $0.indexedString?.hasPrefix(part) ?? false })
      add({ $0.link.string.ends(with: part) }, { $0.link?.string.hasSuffix(part) ?? false })
    }
    add({ $0.indexedString.in(["a", "Ab", nil]) }, { ["a", "Ab", nil].contains($0.indexedString) })
    add({ $0.string == $0.link.string }, { $0.string == $0.link?.string })
    add({ $0.int < $0.indexedInt }, { $0.int < $0.indexedInt })
  }

  private mutating func addCollectionConditions() {
    for number in [-3, 2] {
      add({ $0.ints == number }, { $0.ints.contains(number) })
      add({ $0.list.int == number }, { $0.list.contains { $0.int == number } })
      add({ $0.list.int != number }, { $0.list.contains { $0.int != number } })
      add({ $0.intMap.values > number }, { $0.intMap.values.contains { $0 > number } })
      add({ $0.intMap["a"] == number }, { $0.intMap["a"] == number })
      add({ $0.ints.sum >= number }, { $0.ints.reduce(0, +) >= number })
      add({ $0.list.int.max == number }, { $0.list.map(\.int).max() == number })
      add(
        { ($0.list.int == number && $0.list.bool).count > 0 },
        {
          $0.list.contains { $0.int == number && $0.bool }
        })
      add(
        { ($0.set.int < number || !$0.set.bool).count == 1 },
        {
          $0.set.filter { $0.int < number || !$0.bool }.count == 1
        })
      add(
        { ($0.list.string.contains("a") && ($0.list.int > number).count > 0).count > 0 },
        {
          $0.list.contains { $0.string.contains("a") && $0.list.contains { $0.int > number } }
        })
    }
    add({ $0.list.count == 2 }, { $0.list.count == 2 })
    add({ $0.linkers.count > 0 }, { $0.linkers.count > 0 })
    add({ $0.strings.containsAny(in: ["a", "abc"]) }, { $0.strings.contains { $0 == "a" || $0 == "abc" } })
    add({ $0.moodSet.contains(.sad) }, { $0.moodSet.contains(.sad) })
    add({ $0.intMap.keys == "b" }, { $0.intMap.keys.contains("b") })
  }

  private func random(depth: Int, _ generator: inout SeededGenerator) -> Condition {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 4), using: &generator) {
    case 4, 5:
      let (left, right) = (random(depth: depth - 1, &generator), random(depth: depth - 1, &generator))
      return Condition(make: { left.make($0) && right.make($0) }, matches: left.matches & right.matches)
    case 6, 7:
      let (left, right) = (random(depth: depth - 1, &generator), random(depth: depth - 1, &generator))
      return Condition(make: { left.make($0) || right.make($0) }, matches: left.matches | right.matches)
    case 8:
      let inner = random(depth: depth - 1, &generator)
      return Condition(make: { !inner.make($0) }, matches: everything & ~inner.matches)
    default: return conditions.randomElement(using: &generator)!
    }
  }

  @Test(arguments: TestLength.seeds([41, 42], short: 1))
  func agree(seed: UInt64) {
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var shortened = 0
    for number in 0..<1000 {
      let condition = random(depth: 3, &generator)
      let root = Query<QueryThing>._constructForTesting()
      let (text, arguments) = condition.make(root)._constructPredicate()
      let found = mask(of: table.things.where(condition.make))
      let predicate = NSPredicate(format: text, argumentArray: arguments)
      let parsed = mask(of: table.things.filter(predicate))
      #expect(found == condition.matches, "\(number): \(text) \(arguments)")
      #expect(parsed == condition.matches, "\(number): \(text) \(arguments)")
      if found != 0 && found != everything { shortened += 1 }
      // Slower ways, less often.
      if number % 10 == 0 {
        #expect(mask { predicate.evaluate(with: $0) } == condition.matches, "\(number): \(text) \(arguments)")
        // The predicate describes itself as a format.
        if arguments.allSatisfy({ $0 is Int || $0 is String || $0 is Bool || $0 is Double }) {
          #expect(NSPredicate(format: predicate.description) == predicate, "\(text)")
        }
      }
    }
    #expect(shortened > 300)
  }

  private func mask(of results: Results<QueryThing>) -> UInt64 {
    results.reduce(0) { $0 | 1 << UInt64($1.id) }
  }
}
