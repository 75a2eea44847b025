import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Queries that are built in loops: long ones take time that grows with their length, deep ones no stack.
struct LongQueryTests {
  private static let count = TestLength.count(8_000, long: 20_000)

  private static func realm(_ numbers: Range<Int>) throws -> Realm {
    let realm = try deepRealm()
    try realm.write { for number in numbers { realm.add(DeepNode(number)) } }
    return realm
  }

  @Test func chainsOfOr() throws {
    try onSmallStack {
      let realm = try Self.realm(0..<10)
      let nodes = realm.objects(DeepNode.self)
      let left = nodes.where { node in
        (1..<Self.count).reduce(node.number == 0) { $0 || node.number == $1 * 2 }
      }
      #expect(left.map(\.number) == [0, 2, 4, 6, 8])
      let right = nodes.where { node in
        (1..<Self.count).reduce(node.number != 0) { node.number != $1 * 2 && $0 }
      }
      #expect(right.map(\.number) == [1, 3, 5, 7, 9])
      let negated = nodes.where { node in (0..<Self.count + 1).reduce(node.number < 3) { query, _ in !query }
      }
      #expect(negated.map(\.number) == Array(3..<10))
    }
  }

  /// A query that was continued in two ways is three queries.
  @Test func sharedBeginnings() {
    let root = Query<DeepNode>._constructForTesting()
    let two = root.number == 1 || root.number == 2
    let three = two || root.number == 3
    let other = two || root.number == 4
    #expect(two._constructPredicate().0 == "((number == %@) || (number == %@))")
    #expect(two._constructPredicate().1 as? [Int] == [1, 2])
    #expect(three._constructPredicate().1 as? [Int] == [1, 2, 3])
    #expect(other._constructPredicate().1 as? [Int] == [1, 2, 4])
    #expect(other._constructPredicate().0 == "(((number == %@) || (number == %@)) || (number == %@))")
    #expect(
      (root.number == 0 || two)._constructPredicate().0
        == "((number == %@) || ((number == %@) || (number == %@)))")
  }

  @Test func textOfChains() throws {
    try onSmallStack {
      let root = Query<DeepNode>._constructForTesting()
      let left = (1..<Self.count).reduce(root.number == 0) { $0 || root.number == $1 }
      let right = (1..<Self.count).reduce(root.number == 0) { root.number == $1 || $0 }
      for query in [left, right] {
        let (text, arguments) = query._constructPredicate()
        #expect(arguments.count == Self.count)
        let predicate = NSPredicate(format: text, argumentArray: arguments)
        #expect(predicate.evaluate(with: DeepNode(Self.count - 1)))
        #expect(!predicate.evaluate(with: DeepNode(Self.count)))
      }
    }
  }

  @Test func chainsOfFilters() throws {
    try onSmallStack {
      let realm = try Self.realm(0..<10)
      var nodes = realm.objects(DeepNode.self)
      let start = nodes.where { $0.number > 0 }
      nodes = start
      for number in 1..<Self.count { nodes = nodes.where { $0.number != number * 2 } }
      #expect(nodes.map(\.number) == [1, 3, 5, 7, 9])
      #expect(start.map(\.number) == Array(1..<10))
      #expect(start.where { $0.number < 3 }.map(\.number) == [1, 2])
      let frozen = nodes.freeze()
      try realm.write { realm.deleteAll() }
      #expect(nodes.isEmpty && frozen.count == 5)
    }
  }

  @Test(arguments: [NSCompoundPredicate.LogicalType.and, .or])
  func compoundsInCompounds(type: NSCompoundPredicate.LogicalType) throws {
    let type = type.rawValue
    try onSmallStack {
      let realm = try Self.realm(0..<4)
      let count = TestLength.count(2_000, long: 100_000)
      let even = NSPredicate(format: "number IN {0, 2}")
      // Kept from the inside out, since their release is Foundation's, and deep.
      var left = [even]
      var right = [even]
      for _ in 0..<count {
        let type = NSCompoundPredicate.LogicalType(rawValue: type)!
        left.append(NSCompoundPredicate(type: type, subpredicates: [left[left.count - 1], even]))
        right.append(NSCompoundPredicate(type: type, subpredicates: [even, right[right.count - 1]]))
      }
      for predicate in [left[count], right[count]] {
        #expect(realm.objects(DeepNode.self).filter(predicate).map(\.number) == [0, 2])
      }
      while !left.isEmpty { left.removeLast() }
      while !right.isEmpty { right.removeLast() }
    }
  }

  @Test func negationsAndAlternation() throws {
    try onSmallStack {
      let realm = try Self.realm(0..<4)
      var kept = [NSPredicate(format: "number == 1")]
      for _ in 0..<2001 {
        kept.append(NSCompoundPredicate(notPredicateWithSubpredicate: kept[kept.count - 1]))
      }
      #expect(realm.objects(DeepNode.self).filter(kept[2001]).map(\.number) == [0, 2, 3])
      while !kept.isEmpty { kept.removeLast() }
      var turns = [NSPredicate(format: "number == 1")]
      for level in 0..<2001 {
        turns.append(
          NSCompoundPredicate(
            type: level % 2 == 0 ? .and : .or,
            subpredicates: [turns[turns.count - 1], NSPredicate(format: "number > \(level % 2)")]))
      }
      #expect(realm.objects(DeepNode.self).filter(turns[99]).count == 3)
      let error = #expect(throws: Realm.Error.self) {
        try realm.objects(DeepNode.self).filter(checking: turns[2000])
      }
      #expect(error?.code == .invalidInput)
      #expect(error?.localizedDescription.contains("nested 100 levels deep") == true)
      while !turns.isEmpty { turns.removeLast() }
    }
  }

  @Test func nestedArraysOfArguments() throws {
    try onSmallStack {
      let realm = try Self.realm(0..<2)
      var kept: [[Any]] = [[1]]
      for _ in 0..<2000 { kept.append([kept[kept.count - 1]]) }
      let nodes = realm.objects(DeepNode.self)
      #expect(try nodes.filter(checking: "any IN %@", [kept[100]]).isEmpty)
      for depth in [1_001, 2000] {
        let error = #expect(throws: Realm.Error.self) {
          try nodes.filter(checking: "any IN %@", [kept[depth]])
        }
        #expect(error?.localizedDescription.contains("nested 1000 levels deep") == true)
      }
      while !kept.isEmpty { kept.removeLast() }
    }
  }
}
