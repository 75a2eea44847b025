import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Deletions in random graphs with every kind of link and every rule, against plain Swift.
@Suite struct RandomDeletionTests {
  /// A property of a node; those of the part and of the parts count as the node's.
  private enum Slot: Hashable {
    case one(Int)
    case list(Int)
    case set(Int)
    case map(Int)
    case any(Int)
    case anyList(Int)
    case anySet(Int)
    case anyMap(Int)
    case partOne(Int)
    case partList

    static let all: [Slot] =
      (0...3).flatMap {
        [
          .one($0), .list($0), .set($0), .map($0), .any($0), .anyList($0), .anySet($0), .anyMap($0),
          .partOne($0),
        ]
      } + [.partList]

    var rule: Int {
      switch self {
      case .one(let rule), .list(let rule), .set(let rule), .map(let rule), .any(let rule),
        .anyList(let rule), .anySet(let rule), .anyMap(let rule), .partOne(let rule):
        rule
      case .partList: 1
      }
    }

    var isSingle: Bool {
      switch self {
      case .one, .any, .partOne: true
      default: false
      }
    }

    /// Whether it has no more than a link to an object.
    func isLink(to target: Int) -> Bool {
      if case .any = self { RandomDeletionTests.Form(target) == .link } else { isSingle }
    }
  }

  /// How an object stands in a value of any type.
  private enum Form: Int {
    case link, array, dictionary, nested

    init(_ target: Int) { self.init(rawValue: target % 4)! }

    static func value(_ target: RuledNode) -> AnyRealmValue {
      switch Form(target.id) {
      case .link: .object(target)
      case .array: .fromArray([.int(1), .object(target)])
      case .dictionary: .fromDictionary(["": .none, "k": .object(target)])
      case .nested: .fromDictionary(["k": .fromArray([.fromDictionary(["k": .object(target)])])])
      }
    }
  }

  /// For each node the links of its properties.
  private struct Model {
    var links: [Int: [Slot: [Int]]] = [:]
    /// The links that forbade something, by node and property.
    var denials: [(node: Int, slot: Slot)] = []

    /// What the part owned is deleted with it, unless another one owns that.
    mutating func replacePart(_ node: Int) {
      let owned = [Slot.partOne(1), .partOne(2)].flatMap { links[node]![$0] ?? [] }
      for rule in 0...3 { links[node]![.partOne(rule)] = [] }
      // What forbade something is gone.
      denials.removeAll { $0.node == node && $0.slot == .partOne(3) }
      delete([], sharable: Set(owned).subtracting([node]), followsAll: false)
    }

    mutating func delete(_ nodes: [Int], sharable: Set<Int> = [], followsAll: Bool) {
      var owned = nodes
      var sharable = sharable
      while true {
        while let node = owned.popLast() {
          guard let own = links.removeValue(forKey: node) else { continue }
          for (other, slots) in links {
            for (slot, targets) in slots where targets.contains(node) {
              if slot.rule == 3 { denials.append((other, slot)) }
              links[other]![slot] = targets.filter { $0 != node }
            }
          }
          for (slot, targets) in own {
            if slot.rule == 1 || followsAll && slot.rule != 2 { owned += targets }
            if slot.rule == 2 { sharable.formUnion(targets) }
          }
        }
        guard let node = sharable.popFirst() else { return }
        let isOwned = links.contains { other, slots in
          other != node && slots.contains { (1...2).contains($0.key.rule) && $0.value.contains(node) }
        }
        if !isOwned { owned = [node] }
      }
    }

    var isDenied: Bool {
      denials.contains { node, slot in
        guard let slots = links[node] else { return false }
        return !(slots[slot]?.contains { slot.isLink(to: $0) } == true)
      }
    }
  }

  private static let ones = [\RuledNode.one0, \.one1, \.one2, \.one3]
  private static let lists = [\RuledNode.list0, \.list1, \.list2, \.list3]
  private static let sets = [\RuledNode.set0, \.set1, \.set2, \.set3]
  private static let maps = [\RuledNode.map0, \.map1, \.map2, \.map3]
  private static let anys = [\RuledNode.any0, \.any1, \.any2, \.any3]
  private static let anyLists = [\RuledNode.anyList0, \.anyList1, \.anyList2, \.anyList3]
  private static let anySets = [\RuledNode.anySet0, \.anySet1, \.anySet2, \.anySet3]
  private static let anyMaps = [\RuledNode.anyMap0, \.anyMap1, \.anyMap2, \.anyMap3]
  private static let partOnes = [\RuledPart.one0, \.one1, \.one2, \.one3]

  private func set(_ node: RuledNode, _ slot: Slot, _ targets: [RuledNode]) {
    switch slot {
    case .one(let rule): node[keyPath: Self.ones[rule]] = targets.first
    case .list(let rule):
      node[keyPath: Self.lists[rule]].removeAll()
      node[keyPath: Self.lists[rule]].append(objectsIn: targets)
    case .set(let rule):
      node[keyPath: Self.sets[rule]].removeAll()
      node[keyPath: Self.sets[rule]].insert(objectsIn: targets)
    case .map(let rule):
      node[keyPath: Self.maps[rule]].removeAll()
      for (number, target) in targets.enumerated() { node[keyPath: Self.maps[rule]]["\(number)"] = target }
    case .any(let rule): node[keyPath: Self.anys[rule]] = targets.first.map(Form.value) ?? .none
    case .anyList(let rule):
      node[keyPath: Self.anyLists[rule]].removeAll()
      node[keyPath: Self.anyLists[rule]].append(objectsIn: targets.map(Form.value))
    case .anySet(let rule):
      node[keyPath: Self.anySets[rule]].removeAll()
      node[keyPath: Self.anySets[rule]].insert(objectsIn: targets.map { .object($0) })
    case .anyMap(let rule):
      node[keyPath: Self.anyMaps[rule]].removeAll()
      for target in targets { node[keyPath: Self.anyMaps[rule]]["\(target.id)"] = Form.value(target) }
    case .partOne(let rule): node.part![keyPath: Self.partOnes[rule]] = targets.first
    case .partList:
      node.parts[0].list1.removeAll()
      node.parts[0].list1.append(objectsIn: targets)
    }
  }

  private func targets(_ node: RuledNode, _ slot: Slot) -> [Int] {
    func ids(_ value: AnyRealmValue) -> [Int] {
      if let node = value.object(RuledNode.self) { return [node.id] }
      return value.listValue.map { $0.flatMap(ids) } ?? value.dictionaryValue.map {
        $0.flatMap { ids($0.value) }
      }
        ?? []
    }
    return switch slot {
    case .one(let rule): node[keyPath: Self.ones[rule]].map { [$0.id] } ?? []
    case .list(let rule): node[keyPath: Self.lists[rule]].map(\.id)
    case .set(let rule): node[keyPath: Self.sets[rule]].map(\.id)
    case .map(let rule): node[keyPath: Self.maps[rule]].compactMap { $0.value?.id }
    case .any(let rule): ids(node[keyPath: Self.anys[rule]])
    case .anyList(let rule): node[keyPath: Self.anyLists[rule]].flatMap(ids)
    case .anySet(let rule): node[keyPath: Self.anySets[rule]].flatMap(ids)
    case .anyMap(let rule): node[keyPath: Self.anyMaps[rule]].flatMap { ids($0.value) }
    case .partOne(let rule): node.part![keyPath: Self.partOnes[rule]].map { [$0.id] } ?? []
    case .partList: node.parts[0].list1.map(\.id)
    }
  }

  private func compare(_ realm: Realm, _ model: Model, _ step: Int) {
    var stored: [Int: [Slot: [Int]]] = [:]
    for node in realm.objects(RuledNode.self) {
      for slot in Slot.all {
        stored[node.id, default: [:]][slot] = targets(node, slot).sorted()
      }
    }
    var expected: [Int: [Slot: [Int]]] = [:]
    for (id, slots) in model.links {
      for slot in Slot.all { expected[id, default: [:]][slot] = (slots[slot] ?? []).sorted() }
    }
    #expect(stored == expected, "step \(step)")
    #expect(realm.objects(RuledNode.self).allSatisfy { Set($0.owners.map(\.id)) == owners($0.id, model) })
  }

  private func owners(_ id: Int, _ model: Model) -> Set<Int> {
    Set(model.links.filter { $0.value[.list(1)]?.contains(id) == true }.keys)
  }

  @Test(arguments: TestLength.seeds([1, 2, 3, 4, 5, 6, 7, 8], short: 3))
  func againstAModel(seed: UInt64) throws {
    var random = SeededGenerator(printing: seed)
    let file = ScratchRealm([RuledNode.self, RuledPart.self])
    var realm = try file.open()
    var model = Model()
    var nextID = 0
    var outcomes = (committed: 0, denied: 0)
    // In some rounds little is forbidden, in others little is owned.
    for step in 0..<TestLength.count(80, long: 1_000) {
      let slots = Slot.all.filter { ($0.rule == 3) == (step % 3 == 0) }
      let before = model
      realm.beginWrite()
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        change(realm, &model, &nextID, slots, &random)
      }
      if Int.random(in: 0..<6, using: &random) == 0 {
        realm.cancelWrite()
        model = before
      } else if model.isDenied {
        let error = #expect(throws: Realm.Error.self, "step \(step)") { try realm.commitWrite() }
        #expect(error?.code == .ruleBroken)
        outcomes.denied += 1
        model = before
      } else {
        try realm.commitWrite()
        outcomes.committed += 1
      }
      model.denials = []
      compare(realm, model, step)
      if step % 20 == 19 {
        realm.invalidate()
        realm = try file.open()
        #expect(try Realm.verify(at: file.url, encryptionKey: ScratchRealm.usualKey).isSound)
      }
    }
    #expect(outcomes.denied > 3 && outcomes.committed > 20)
  }

  private func change(
    _ realm: Realm, _ model: inout Model, _ nextID: inout Int, _ slots: [Slot],
    _ random: inout SeededGenerator
  ) {
    func node(_ id: Int) -> RuledNode { realm.object(ofType: RuledNode.self, forPrimaryKey: id)! }
    let ids = model.links.keys.sorted()
    switch Int.random(in: 0..<11, using: &random) {
    case 0..<3:
      if ids.count > 40 { return }
      for _ in 0..<4 {
        let made = RuledNode(nextID)
        made.part = RuledPart()
        made.parts.append(RuledPart())
        realm.add(made)
        model.links[nextID] = [:]
        nextID += 1
      }
    case 3..<8:
      guard let id = ids.randomElement(using: &random) else { return }
      let slot = slots.randomElement(using: &random)!
      let count = slot.isSingle ? 1 : Int.random(in: 0...3, using: &random)
      let targets = Set((0..<count).map { _ in ids.randomElement(using: &random)! }).sorted()
      set(node(id), slot, targets.map(node))
      model.links[id]![slot] = targets
    case 8:
      guard let id = ids.randomElement(using: &random) else { return }
      let isCascading = Int.random(in: 0..<4, using: &random) == 0
      realm.delete(node(id), cascading: isCascading)
      model.delete([id], followsAll: isCascading)
    case 9:
      guard let id = ids.randomElement(using: &random) else { return }
      node(id).part = RuledPart()
      model.replacePart(id)
    default:
      guard Int.random(in: 0..<4, using: &random) == 0 else { return }
      let limit = Int.random(in: 0...nextID, using: &random)
      let deleted = ids.filter { $0 >= limit && $0 < limit + 5 }
      realm.delete(realm.objects(RuledNode.self).where { $0.id >= limit && $0.id < limit + 5 })
      model.delete(deleted, followsAll: false)
    }
  }
}
