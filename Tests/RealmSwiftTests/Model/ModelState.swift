import Foundation
import RealmSwift

/// What the realm should hold, as plain values. Objects are referred to by id or tag.
struct ModelState: Equatable {
  var nodes: [Int: NodeState] = [:]
  var leaves: [Int: LeafState] = [:]

  /// A node is deleted: nothing refers to it any more.
  mutating func deleteNode(_ id: Int) {
    nodes[id] = nil
    for key in nodes.keys { nodes[key]!.forgetNode(id) }
    for key in leaves.keys where leaves[key]!.owner == id { leaves[key]!.owner = nil }
  }

  mutating func deleteLeaf(_ tag: Int) {
    leaves[tag] = nil
    for key in nodes.keys { nodes[key]!.forgetLeaf(tag) }
  }

  /// All embedded objects, directly or deeper in others.
  var partCounts: (parts: Int, inners: Int) {
    var counts = (parts: 0, inners: 0)
    for node in nodes.values {
      let parts = [node.part].compactMap { $0 } + node.parts + node.partMap.values.compactMap { $0 }
      counts.parts += parts.count
      for part in parts { counts.inners += (part.inner == nil ? 0 : 1) + part.inners.count }
    }
    return counts
  }
}

struct NodeState: Equatable {
  var number = 0
  var optionalNumber: Int?
  var text = ""
  var optionalText: String?
  var flag = false
  var real = 0.0
  var date: Date?
  var link: Int?
  var leaf: Int?
  var numbers: [Int?] = []
  var texts: [String] = []
  var nodes: [Int] = []
  var leaves: [Int] = []
  var numberSet: Set<Int> = []
  var textSet: Set<String?> = []
  var nodeSet: Set<Int> = []
  var numberMap: [String: Int?] = [:]
  var textMap: [String: String] = [:]
  var nodeMap: [String: Int?] = [:]
  var part: PartState?
  var parts: [PartState] = []
  var partMap: [String: PartState?] = [:]
  var any = AnyState.none
  var anyList: [AnyState] = []
  var anySet: Set<AnyState> = []
  var anyMap: [String: AnyState] = [:]

  mutating func forgetNode(_ id: Int) {
    if link == id { link = nil }
    nodes.removeAll { $0 == id }
    nodeSet.remove(id)
    nodeMap = nodeMap.mapValues { $0 == id ? nil : $0 }
    if part?.node == id { part!.node = nil }
    for position in parts.indices where parts[position].node == id { parts[position].node = nil }
    partMap = partMap.mapValues { part in
      var part = part
      if part?.node == id { part!.node = nil }
      return part
    }
    forget(.node(id))
  }

  mutating func forgetLeaf(_ tag: Int) {
    if leaf == tag { leaf = nil }
    leaves.removeAll { $0 == tag }
    forget(.leaf(tag))
  }

  private mutating func forget(_ link: AnyState) {
    any = any.replacing(link)
    anyList = anyList.map { $0.replacing(link) }
    anySet.remove(link)
    anyMap = anyMap.mapValues { $0.replacing(link) }
  }
}

struct LeafState: Equatable {
  var weight = 0.0
  var owner: Int?
}

struct PartState: Equatable {
  var name = ""
  var size: Int?
  var node: Int?
  var inner: InnerState?
  var inners: [InnerState] = []
}

struct InnerState: Equatable {
  var number = 0
  var words: [String] = []
}

indirect enum AnyState: Hashable {
  case none
  case int(Int)
  case bool(Bool)
  case double(Double)
  case string(String)
  case data(Data)
  case node(Int)
  case leaf(Int)
  case list([AnyState])
  case dictionary([String: AnyState])

  /// With null where the link was.
  func replacing(_ link: AnyState) -> AnyState {
    switch self {
    case link: .none
    case .list(let elements): .list(elements.map { $0.replacing(link) })
    case .dictionary(let values): .dictionary(values.mapValues { $0.replacing(link) })
    default: self
    }
  }
}

// MARK: What the realm holds

extension ModelState {
  init(of realm: Realm) {
    for node in realm.objects(ModelNode.self) { nodes[node.id] = NodeState(of: node) }
    for leaf in realm.objects(ModelLeaf.self) {
      leaves[leaf.tag] = LeafState(weight: leaf.weight, owner: leaf.owner?.id)
    }
  }
}

extension NodeState {
  init(of node: ModelNode) {
    number = node.number
    optionalNumber = node.optionalNumber
    text = node.text
    optionalText = node.optionalText
    flag = node.flag
    real = node.real
    date = node.date
    link = node.link?.id
    leaf = node.leaf?.tag
    numbers = Array(node.numbers)
    texts = Array(node.texts)
    nodes = node.nodes.map(\.id)
    leaves = node.leaves.map(\.tag)
    numberSet = Set(node.numberSet)
    textSet = Set(node.textSet)
    nodeSet = Set(node.nodeSet.map(\.id))
    for entry in node.numberMap { numberMap.updateValue(entry.value, forKey: entry.key) }
    for entry in node.textMap { textMap[entry.key] = entry.value }
    for entry in node.nodeMap { nodeMap.updateValue(entry.value?.id, forKey: entry.key) }
    part = node.part.map { PartState(of: $0) }
    parts = node.parts.map { PartState(of: $0) }
    for entry in node.partMap {
      partMap.updateValue(entry.value.map { PartState(of: $0) }, forKey: entry.key)
    }
    any = AnyState(of: node.any)
    anyList = node.anyList.map { AnyState(of: $0) }
    anySet = Set(node.anySet.map { AnyState(of: $0) })
    for entry in node.anyMap { anyMap[entry.key] = AnyState(of: entry.value) }
  }
}

extension PartState {
  init(of part: ModelPart) {
    name = part.name
    size = part.size
    node = part.node?.id
    inner = part.inner.map { InnerState(of: $0) }
    inners = part.inners.map { InnerState(of: $0) }
  }
}

extension InnerState {
  init(of part: ModelInnerPart) {
    number = part.number
    words = Array(part.words)
  }
}

extension AnyState {
  init(of value: AnyRealmValue) {
    switch value {
    case .int(let value): self = .int(value)
    case .bool(let value): self = .bool(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .data(let value): self = .data(value)
    case .object(let object):
      if let leaf = object as? ModelLeaf {
        self = .leaf(leaf.tag)
      } else {
        self = .node((object as! ModelNode).id)
      }
    case .list(let list): self = .list(list.map { AnyState(of: $0) })
    case .dictionary(let map):
      self = .dictionary(Dictionary(uniqueKeysWithValues: map.map { ($0.key, AnyState(of: $0.value)) }))
    default: self = .none
    }
  }
}
