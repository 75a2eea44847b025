import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Lists and dictionaries in each other, as deep as they can be written, and deeper ones that are stored.
struct DeepValueTests {
  /// How deep values can be nested.
  static let deepest = StoredValue.maximumNesting

  @Test func everyLevelIsReadAndWritten() throws {
    try onSmallStack {
      let realm = try deepRealm()
      let node = DeepNode(1)
      node.any = nestedValue(Self.deepest)
      node.anyList.append(nestedValue(Self.deepest - 1))
      node.anyMap["k"] = nestedValue(Self.deepest - 1)
      try realm.write { realm.add(node) }
      #expect(unwrapped(node.any) == (Self.deepest, .int(1)))
      #expect(unwrapped(node.anyList[0]) == (Self.deepest - 1, .int(1)))
      #expect(unwrapped(node.anyMap["k"]!) == (Self.deepest - 1, .int(1)))
      #expect(node.any == node.any)
      #expect(!node.description.isEmpty && !"\(node.any)".isEmpty)
      var inner = node.any
      for _ in 0..<Self.deepest - 1 { inner = inner.listValue?[1] ?? inner.dictionaryValue!["a"]! }
      let last = try #require(inner.listValue)
      #expect(Array(last) == [.string("x"), .int(1)])
      try realm.write {
        last.append(.int(2))
        last[1] = .int(3)
      }
      #expect(unwrapped(node.any) == (Self.deepest, .int(3)))
      #expect(last.count == 3 && last.index(of: .int(2)) == 2)
      let frozen = last.freeze()
      try realm.write { last.removeAll() }
      #expect(frozen.count == 3 && last.isEmpty)
      #expect(try #require(frozen.thaw()) == last)
      try realm.write { node.any = .none }
      #expect(
        last.isInvalidated && unwrapped(frozen.realm!.objects(DeepNode.self)[0].any).depth == Self.deepest)
    }
  }

  @Test func copiedQueriedAndDeleted() throws {
    try onSmallStack {
      let realm = try deepRealm()
      let node = DeepNode(1)
      node.any = nestedValue(Self.deepest)
      let copy = try realm.write {
        realm.add(node)
        node.anyList.append(.int(7))
        return realm.create(DeepNode.self, value: node)
      }
      #expect(unwrapped(copy.any) == (Self.deepest, .int(1)))
      // The outermost of an even number is a dictionary.
      let path = (0..<Self.deepest).map { $0 % 2 == 0 ? "['a']" : "[1]" }.joined()
      #expect(realm.objects(DeepNode.self).filter("any\(path) == 1").count == 2)
      #expect(realm.objects(DeepNode.self).filter("any\(path) == 2").isEmpty)
      try realm.write {
        copy.any = node.any
        copy.anyMap["k"] = .fromArray([node.anyList[0]])
      }
      #expect(unwrapped(copy.any) == (Self.deepest, .int(1)))
      let found = realm.objects(DeepNode.self).filter("any == %@", nestedValue(Self.deepest))
      #expect(found.count == 2)
      try realm.write { realm.deleteAll() }
      #expect(realm.objects(DeepNode.self).isEmpty)
    }
  }

  @Test func deepLinks() throws {
    try onSmallStack {
      let realm = try deepRealm()
      let target = DeepNode(2)
      let node = DeepNode(1)
      node.any = nestedValue(Self.deepest, around: .object(target))
      try realm.write { realm.add(node) }
      #expect(unwrapped(node.any).inner.object(DeepNode.self)?.number == 2)
      try realm.write { realm.delete(target) }
      #expect(unwrapped(node.any) == (Self.deepest, .none))
    }
  }

  @Test func fromDictionaries() throws {
    var value: Any = 1
    for level in 0..<Self.deepest {
      if level % 2 == 0 { value = ["x", value] as [Any] } else { value = ["a": value] as [String: Any] }
    }
    nonisolated(unsafe) let nested = value
    try onSmallStack {
      let realm = try deepRealm()
      let node = try realm.write { realm.create(DeepNode.self, value: ["any": nested]) }
      #expect(unwrapped(node.any) == (Self.deepest, .int(1)))
      let unmanaged = DeepNode(value: ["any": nested])
      #expect(unwrapped(unmanaged.any) == (Self.deepest, .int(1)))
    }
  }

  /// Deeper values, as another version of this library may have written them, can be read and changed.
  @Test func deeperOnesAreRead() throws {
    try onSmallStack {
      let realm = try deepRealm()
      let node = DeepNode(1)
      try realm.write {
        realm.add(node)
        let value = (0..<Self.deepest).reduce(StoredValue.int(5)) { value, level in
          level % 2 == 0
            ? .list([.null, value]) : .dictionary([StoredValue.DictionaryEntry(key: "a", value: value)])
        }
        let column = realm.core.snapshot.catalogue.tables[node._table.number].column(named: "any")!
        node._table.setMixed(column, node._row, value)
      }
      #expect(unwrapped(node.any) == (Self.deepest, .int(5)))
      let path = (0..<Self.deepest).map { $0 % 2 == 0 ? "['a']" : "[1]" }.joined()
      #expect(realm.objects(DeepNode.self).filter("any\(path) == 5").count == 1)
      #expect(realm.objects(DeepNode.self).filter("any == 5").isEmpty)
      let frozen = node.freeze()
      #expect(unwrapped(frozen.any).depth == Self.deepest)
      #expect(!node.description.isEmpty)
      var inner = node.any
      for _ in 0..<Self.deepest - 1 { inner = inner.listValue?[1] ?? inner.dictionaryValue!["a"]! }
      try realm.write { inner.listValue![1] = .int(6) }
      #expect(unwrapped(node.any) == (Self.deepest, .int(6)))
      try realm.write { realm.delete(node) }
    }
  }

  // MARK: What is too deep

  nonisolated(unsafe) private static var kept: [Any] = []

  /// The commit throws, and nothing of it is there.
  private static func expectRefusal(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: (Realm) throws -> Void
  ) throws {
    let realm = try deepRealm()
    do {
      try realm.write { try body(realm) }
      Issue.record("It was committed.", sourceLocation: sourceLocation)
    } catch let error as Realm.Error {
      #expect(error.code == .ruleBroken, sourceLocation: sourceLocation)
      #expect(
        error.localizedDescription.hasSuffix(
          "Max nesting level reached: lists and dictionaries nest at most 1000 levels deep."),
        "\(error.localizedDescription)", sourceLocation: sourceLocation)
    }
    #expect(realm.objects(DeepNode.self).isEmpty, sourceLocation: sourceLocation)
    try realm.write { realm.create(DeepNode.self).any = nestedValue(deepest) }
  }

  @Test func tooDeepForAList() throws {
    try Self.expectRefusal { $0.create(DeepNode.self).anyList.append(nestedValue(Self.deepest)) }
  }

  @Test func tooDeepForAMap() throws {
    try Self.expectRefusal { $0.create(DeepNode.self).anyMap["k"] = nestedValue(Self.deepest) }
  }

  @Test func tooDeepInside() throws {
    try Self.expectRefusal { realm in
      let node = realm.create(DeepNode.self)
      node.any = nestedValue(Self.deepest)
      var inner = node.any
      for _ in 0..<Self.deepest - 1 { inner = inner.listValue?[1] ?? inner.dictionaryValue!["a"]! }
      inner.listValue!.append(.fromArray([]))
    }
  }

  @Test func muchTooDeep() throws {
    try onSmallStack {
      // Swift releases what is nested like this by recursion: it is kept.
      let nested = nestedValue(20_000)
      Self.kept.append(nested)
      try Self.expectRefusal { $0.create(DeepNode.self).any = nested }
    }
  }

  @Test func muchTooDeepInDictionaries() throws {
    try onSmallStack {
      let nested = (0..<20_000).reduce(1 as Any) { value, _ in ["a": value] as [String: Any] }
      Self.kept.append(nested)
      try Self.expectRefusal { $0.create(DeepNode.self, value: ["any": nested]) }
      let list = (0..<20_000).reduce(1 as Any) { value, _ in [value] as [Any] }
      Self.kept.append(list)
      try Self.expectRefusal { $0.create(DeepNode.self, value: ["anyList": [list]]) }
    }
  }

  /// Who only looks for it finds nothing, and breaks no rule.
  @Test func tooDeepToBeThere() throws {
    let realm = try deepRealm()
    let node = try realm.write { realm.create(DeepNode.self) }
    let nested = nestedValue(1_100)
    #expect(node.anyList.index(of: nested) == nil)
    try realm.write {
      #expect(!node.anyList.contains(nested))
      node.number = 5
    }
    #expect(node.number == 5)
  }

  /// There is no commit that could throw.
  @Test func tooDeepInMemory() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let nested = (0..<1_100).reduce(1 as Any) { value, _ in [value] as [Any] }
      DeepNode().setValue(nested, forKey: "any")
    }
    expectStop(result, saying: "Max nesting level reached")
  }
}
