import Foundation
import Testing

@testable import RealmSwift

/// Chains of objects of any length become managed, on a small stack.
struct DeepGraphTests {
  private static let count = 2500

  enum Link: CaseIterable, Sendable {
    case next, list, set, map, any, anyList, anyMap, part

    func connect(_ node: DeepNode, to other: DeepNode) {
      switch self {
      case .next: node.next = other
      case .list: node.list.append(other)
      case .set: node.set.insert(other)
      case .map: node.map["k"] = other
      case .any: node.any = .fromDictionary(["k": .object(other)])
      case .anyList: node.anyList.append(.object(other))
      case .anyMap: node.anyMap["k"] = .object(other)
      case .part:
        let part = DeepPart()
        part.node = other
        node.part = part
      }
    }

    func target(_ node: DeepNode) -> DeepNode? {
      switch self {
      case .next: node.next
      case .list: node.list.first
      case .set: node.set.first
      case .map: node.map["k"] ?? nil
      case .any: node.any.dictionaryValue?["k"]?.object(DeepNode.self)
      case .anyList: node.anyList.first?.object(DeepNode.self)
      case .anyMap: node.anyMap["k"]?.object(DeepNode.self)
      case .part: node.part?.node
      }
    }

    /// The nodes from the first to the last, all of which must be kept as long as they are in memory only: Swift itself
    /// releases a chain by recursion.
    func chain(_ count: Int) -> [DeepNode] {
      let nodes = (0..<count).map { DeepNode($0) }
      for (node, other) in zip(nodes, nodes.dropFirst()) { connect(node, to: other) }
      return nodes
    }

    /// The first of a chain, which holds all others.
    func heldChain(_ count: Int) -> DeepNode {
      let first = DeepNode(0)
      var last = first
      for number in 1..<count {
        let node = DeepNode(number)
        connect(last, to: node)
        last = node
      }
      return first
    }

    func expectChain(from first: DeepNode, _ count: Int) {
      var found = 0
      var node: DeepNode? = first
      while let current = node, current.number == found {
        found += 1
        node = target(current)
      }
      #expect(found == count && node == nil)
    }
  }

  @Test(arguments: Link.allCases)
  func added(link: Link) throws {
    try onSmallStack {
      let realm = try deepRealm()
      let nodes = link.chain(Self.count)
      try realm.write { realm.add(nodes[0]) }
      #expect(realm.objects(DeepNode.self).count == Self.count)
      #expect(nodes.allSatisfy { $0.realm == realm })
      link.expectChain(from: nodes[0], Self.count)
      try realm.write { nodes[Self.count - 1].number = -1 }
      #expect(realm.objects(DeepNode.self).where { $0.number == -1 }.count == 1)
    }
  }

  @Test(arguments: Link.allCases)
  func copied(link: Link) throws {
    try onSmallStack {
      let realm = try deepRealm()
      let nodes = link.chain(Self.count)
      let first = try realm.write { realm.create(DeepNode.self, value: nodes[0]) }
      #expect(realm.objects(DeepNode.self).count == Self.count)
      #expect(nodes.allSatisfy { $0.realm == nil })
      link.expectChain(from: first, Self.count)
    }
  }

  /// Nobody holds the nodes but each other.
  @Test(arguments: Link.allCases)
  func addedByItsHead(link: Link) throws {
    try onSmallStack {
      let realm = try deepRealm()
      let count = link == .next ? 10_000 : 2_500
      let first = link.heldChain(count)
      try realm.write { realm.add(first) }
      #expect(realm.objects(DeepNode.self).count == count)
      link.expectChain(from: first, count)
    }
  }

  @Test(arguments: Link.allCases)
  func released(link: Link) throws {
    try onSmallStack {
      var first: DeepNode? = link.heldChain(10_000)
      let last = WeakNode(first)
      #expect(last.node != nil)
      #expect(first?.description.contains("<Maximum depth exceeded>") == true)
      first = nil
      #expect(last.node == nil)
    }
  }

  @Test func aReleasedTreeLeavesNothing() throws {
    let count = NodeCount()
    func tree(_ depth: Int) -> CountedNode {
      let node = CountedNode()
      node.count = count
      count.value += 1
      if depth > 0 { for _ in 0..<3 { node.children.append(tree(depth - 1)) } }
      return node
    }
    var root: CountedNode? = tree(5)
    var kept: CountedNode? = root?.children[1].children[2]
    #expect(count.value == 364)
    root = nil
    #expect(count.value == 40)
    #expect(kept?.children.count == 3)
    kept = nil
    #expect(count.value == 0)
  }

  @Test func fromNestedDictionaries() throws {
    try onSmallStack {
      var levels: [[String: Any]] = [["number": Self.count - 1]]
      for number in (0..<Self.count - 1).reversed() {
        let last = levels[levels.count - 1]
        levels.append(["number": number, "next": last])
        if number == 1 { levels[levels.count - 1]["list"] = [last] }
      }
      let first = DeepNode(value: levels[levels.count - 1])
      Link.next.expectChain(from: first, Self.count)
      #expect(first.next?.list.first?.next?.number == 3)
      while !levels.isEmpty { levels.removeLast() }
    }
  }

  @Test func aRingAndSharedObjects() throws {
    try onSmallStack {
      let realm = try deepRealm()
      let nodes = Link.next.chain(1000)
      nodes[999].next = nodes[0]
      for node in nodes { node.list.append(nodes[500]) }
      try realm.write { realm.add(nodes[0]) }
      #expect(realm.objects(DeepNode.self).count == 1000)
      #expect(nodes[999].next?.number == 0)
      #expect(nodes.allSatisfy { $0.list.first?.number == 500 })
    }
  }

  /// Objects within some depth get their rows in the order in which they are reached, as ever.
  @Test func theOrderOfRows() throws {
    let realm = try deepRealm()
    var count = 0
    func tree(_ depth: Int) -> DeepNode {
      let node = DeepNode(count)
      count += 1
      if depth > 0 { for _ in 0..<2 { node.list.append(tree(depth - 1)) } }
      return node
    }
    let root = tree(6)
    try realm.write { realm.add(root) }
    #expect(realm.objects(DeepNode.self).map(\.number) == Array(0..<count))
  }

  @Test func nestedDictionaries() throws {
    try onSmallStack {
      let realm = try deepRealm()
      var levels: [[String: Any]] = [["number": Self.count - 1]]
      for number in (0..<Self.count - 1).reversed() {
        levels.append(["number": number, "next": levels[levels.count - 1]])
      }
      let first = try realm.write { realm.create(DeepNode.self, value: levels[levels.count - 1]) }
      #expect(realm.objects(DeepNode.self).count == Self.count)
      Link.next.expectChain(from: first, Self.count)
      // From the outside in, so that releasing them is not deep either.
      while !levels.isEmpty { levels.removeLast() }
    }
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func updated(policy: Realm.UpdatePolicy) throws {
    try onSmallStack {
      let realm = try deepRealm()
      for text in ["first", "second", "second"] {
        let keyed = (0..<2000).map { id in
          let object = DeepKeyed()
          object.id = id
          object.text = text
          return object
        }
        for (object, next) in zip(keyed, keyed.dropFirst()) {
          let part = DeepKeyedPart()
          part.text = text
          part.node = next
          (object.part, object.next) = (part, next)
        }
        try realm.write { realm.add(keyed[0], update: policy) }
        #expect(realm.objects(DeepKeyed.self).count == 2000)
        #expect(
          realm.objects(DeepKeyed.self).where { $0.text == text && ($0.part.text == text || $0.id == 1999) }
            .count == 2000)
      }
      let values = (0..<2000).reversed().reduce(into: [[String: Any]]()) { values, id in
        var value: [String: Any] = ["id": id, "text": "third"]
        if let last = values.last { value["next"] = last }
        values.append(value)
      }
      try realm.write { realm.create(DeepKeyed.self, value: values[1999], update: policy) }
      #expect(realm.objects(DeepKeyed.self).where { $0.text == "third" }.count == 2000)
    }
  }

  @Test func longKeyPaths() throws {
    try onSmallStack {
      let realm = try deepRealm()
      let nodes = Link.next.chain(Self.count)
      try realm.write { realm.add(nodes[0]) }
      let path = String(repeating: "next.", count: Self.count - 1)
      #expect(nodes[0].value(forKeyPath: path + "number") as? Int == Self.count - 1)
      #expect(nodes[0].value(forKeyPath: path + "next.number") == nil)
    }
  }
}
