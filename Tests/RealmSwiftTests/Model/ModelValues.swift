import Foundation
import RealmSwift
import TestSupport

/// Random values, from ranges so small that the same ones meet again, with some large ones between them.
struct ModelValues {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// A number below the bound.
  mutating func roll(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
  mutating func chance(_ percent: Int) -> Bool { roll(100) < percent }
  mutating func pick<C: Collection>(_ values: C) -> C.Element? { values.randomElement(using: &generator) }
  mutating func maybe<T>(_ value: T) -> T? { chance(25) ? nil : value }

  mutating func number() -> Int {
    switch roll(8) {
    case 0: 1 << (16 + roll(46))
    case 1: -roll(300)
    default: roll(100)
    }
  }

  mutating func text() -> String {
    switch roll(10) {
    case 0: ""
    case 1: String(repeating: "ü\(roll(10))", count: 60 + roll(60))
    case 2: String(repeating: "long \(roll(10)) ", count: 900)
    default: ["one", "two", "three", "👩‍👩‍👧", "日本", "a\0b"][roll(6)] + (chance(50) ? "\(roll(5))" : "")
    }
  }

  mutating func key() -> String { ["", "a", "b", "key", "ö", "🗝", "z z"][roll(7)] }

  mutating func list<T>(upTo count: Int, _ make: (inout ModelValues) -> T) -> [T] {
    (0..<roll(count + 1)).map { _ in make(&self) }
  }

  mutating func map<T>(_ make: (inout ModelValues) -> T) -> [String: T] {
    var map: [String: T] = [:]
    for _ in 0..<roll(5) { map.updateValue(make(&self), forKey: key()) }
    return map
  }

  mutating func inner() -> InnerState { InnerState(number: number(), words: list(upTo: 2) { $0.text() }) }

  mutating func part(_ ids: [Int]) -> PartState {
    PartState(
      name: text(), size: maybe(roll(50)), node: chance(60) ? pick(ids) : nil,
      inner: chance(50) ? inner() : nil,
      inners: list(upTo: 2) { $0.inner() })
  }

  mutating func any(_ state: ModelState, depth: Int = 2) -> AnyState {
    switch roll(depth > 0 ? 12 : 9) {
    case 0: .none
    case 1: .bool(chance(50))
    case 2: .double(Double(roll(20)) + 0.25)
    case 3: .string(text())
    case 4: .data(Data(repeating: UInt8(roll(4)), count: roll(200)))
    case 5, 6: pick(state.nodes.keys.sorted()).map { .node($0) } ?? .none
    case 7: pick(state.leaves.keys.sorted()).map { .leaf($0) } ?? .none
    case 9, 10: .list(list(upTo: 3) { $0.any(state, depth: depth - 1) })
    case 11: .dictionary(map { $0.any(state, depth: depth - 1) })
    default: .int(number())
    }
  }

  /// A value that can be an element of a set.
  mutating func setElement(_ state: ModelState) -> AnyState { any(state, depth: 0) }

  /// A whole node, with links to those of the state.
  mutating func node(_ state: ModelState) -> NodeState {
    let ids = state.nodes.keys.sorted()
    let tags = state.leaves.keys.sorted()
    var node = NodeState()
    node.number = number()
    node.optionalNumber = maybe(roll(1_000_000))
    node.text = text()
    node.optionalText = maybe(text())
    node.flag = chance(50)
    node.real = Double(number()) / 8
    node.date = maybe(Date(timeIntervalSinceReferenceDate: Double(number()) / 3))
    node.link = chance(60) ? pick(ids) : nil
    node.leaf = chance(40) ? pick(tags) : nil
    if chance(30) { return node }
    node.numbers = list(upTo: 4) { $0.maybe($0.number()) }
    node.texts = list(upTo: 3) { $0.text() }
    if !ids.isEmpty { node.nodes = list(upTo: 5) { $0.pick(ids)! } }
    if !tags.isEmpty { node.leaves = list(upTo: 3) { $0.pick(tags)! } }
    node.numberSet = Set(list(upTo: 5) { $0.number() })
    node.textSet = Set(list(upTo: 4) { $0.maybe($0.text()) })
    if !ids.isEmpty { node.nodeSet = Set(list(upTo: 4) { $0.pick(ids)! }) }
    node.numberMap = map { $0.maybe($0.number()) }
    node.textMap = map { $0.text() }
    node.nodeMap = map { $0.chance(20) ? nil : $0.pick(ids) }
    node.part = chance(50) ? part(ids) : nil
    node.parts = list(upTo: 3) { $0.part(ids) }
    node.partMap = map { $0.maybe($0.part(ids)) }
    node.any = any(state)
    node.anyList = list(upTo: 3) { $0.any(state) }
    node.anySet = Set(list(upTo: 3) { $0.setElement(state) })
    node.anyMap = map { $0.any(state) }
    return node
  }
}
