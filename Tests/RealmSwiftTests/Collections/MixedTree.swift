import RealmSwift

/// A value of lists and dictionaries in memory, to compare with what is stored.
indirect enum MixedTree: Equatable, Sendable {
  case number(Int)
  case list([MixedTree])
  case dictionary([String: MixedTree])

  var value: AnyRealmValue {
    switch self {
    case .number(let number): .int(number)
    case .list(let elements): .fromArray(elements.map(\.value))
    case .dictionary(let entries): .fromDictionary(entries.mapValues(\.value))
    }
  }

  init(_ value: AnyRealmValue) {
    switch value {
    case .list(let list): self = .list(list.map { MixedTree($0) })
    case .dictionary(let map):
      self = .dictionary(Dictionary(uniqueKeysWithValues: map.map { ($0.key, MixedTree($0.value)) }))
    default: self = .number(value.intValue ?? -1)
    }
  }
}

/// A list or map of mixed values, wherever it is stored.
enum MixedHandle: Hashable {
  case list(List<AnyRealmValue>)
  case map(Map<String, AnyRealmValue>)

  init?(_ value: AnyRealmValue) {
    switch value {
    case .list(let list): self = .list(list)
    case .dictionary(let map): self = .map(map)
    default: return nil
    }
  }

  var isInvalidated: Bool {
    switch self {
    case .list(let list): list.isInvalidated
    case .map(let map): map.isInvalidated
    }
  }

  var tree: MixedTree {
    switch self {
    case .list(let list): MixedTree(.list(list))
    case .map(let map): MixedTree(.dictionary(map))
    }
  }

  var frozen: MixedHandle {
    switch self {
    case .list(let list): .list(list.freeze())
    case .map(let map): .map(map.freeze())
    }
  }

  var thawed: MixedHandle? {
    switch self {
    case .list(let list): list.thaw().map { .list($0) }
    case .map(let map): map.thaw().map { .map($0) }
    }
  }
}

/// One step from a collection to a collection in it.
enum MixedStep: Hashable, Sendable {
  case position(Int)
  case key(String)

  func follow(_ handle: MixedHandle) -> MixedHandle? {
    switch (self, handle) {
    case (.position(let position), .list(let list)): MixedHandle(list[position])
    case (.key(let key), .map(let map)): map[key].flatMap { MixedHandle($0) }
    default: nil
    }
  }
}

/// A list or dictionary of the model, which has an identity as what is stored has one.
final class MixedNode {
  enum Content {
    case list([Item])
    case dictionary([String: Item])
  }

  enum Item {
    case number(Int)
    case node(MixedNode)

    init(_ tree: MixedTree) {
      if case .number(let number) = tree { self = .number(number) } else { self = .node(MixedNode(tree)) }
    }

    var tree: MixedTree {
      switch self {
      case .number(let number): .number(number)
      case .node(let node): node.tree
      }
    }

    var node: MixedNode? { if case .node(let node) = self { node } else { nil } }
  }

  var content: Content

  /// New nodes for all collections of a value, which is one.
  init(_ tree: MixedTree) {
    switch tree {
    case .number: preconditionFailure("no collection")
    case .list(let elements): content = .list(elements.map { Item($0) })
    case .dictionary(let entries): content = .dictionary(entries.mapValues { Item($0) })
    }
  }

  var tree: MixedTree {
    switch content {
    case .list(let elements): .list(elements.map(\.tree))
    case .dictionary(let entries): .dictionary(entries.mapValues(\.tree))
    }
  }

  var children: [(step: MixedStep, node: MixedNode)] {
    switch content {
    case .list(let elements):
      elements.enumerated().compactMap { position, item in item.node.map { (.position(position), $0) } }
    case .dictionary(let entries):
      entries.sorted { $0.key < $1.key }.compactMap { key, item in item.node.map { (.key(key), $0) } }
    }
  }

  /// This node and all below it, each with the way to it.
  func all(_ path: [MixedStep] = []) -> [(path: [MixedStep], node: MixedNode)] {
    [(path, self)] + children.flatMap { $0.node.all(path + [$0.step]) }
  }
}

/// A change of one list or dictionary, in the model as in a realm.
enum MixedOperation: Sendable {
  case insert(MixedTree, at: Int)
  case append([MixedTree])
  case replace(Int, MixedTree)
  /// Writes a copy of one element over another, or an element over itself.
  case copy(from: Int, to: Int)
  case move(Int, Int)
  case swap(Int, Int)
  case remove(Range<Int>)
  case set(String, MixedTree)
  case copyValue(from: String, to: String)
  case removeKey(String)

  func apply(_ handle: MixedHandle) {
    switch handle {
    case .list(let list): apply(list)
    case .map(let map): apply(map)
    }
  }

  private func apply(_ list: List<AnyRealmValue>) {
    switch self {
    case .insert(let tree, let position): list.insert(tree.value, at: position)
    case .append(let trees): list.append(objectsIn: trees.map(\.value))
    case .replace(let position, let tree): list[position] = tree.value
    case .copy(let source, let target): list[target] = list[source]
    case .move(let source, let target): list.move(from: source, to: target)
    case .swap(let first, let second): list.swapAt(first, second)
    case .remove(let range): list.removeSubrange(range)
    case .set, .copyValue, .removeKey: preconditionFailure("of dictionaries")
    }
  }

  private func apply(_ map: Map<String, AnyRealmValue>) {
    switch self {
    case .set(let key, let tree): map[key] = tree.value
    case .copyValue(let source, let target): map[target] = map[source]
    case .removeKey(let key): map.removeObject(for: key)
    default: preconditionFailure("of lists")
    }
  }

  func apply(_ node: MixedNode) {
    switch node.content {
    case .list(var elements):
      apply(&elements)
      node.content = .list(elements)
    case .dictionary(var entries):
      switch self {
      case .set(let key, let tree): entries[key] = MixedNode.Item(tree)
      case .copyValue(let source, let target):
        if source != target { entries[target] = entries[source].map { MixedNode.Item($0.tree) } }
      case .removeKey(let key): entries[key] = nil
      default: preconditionFailure("of lists")
      }
      node.content = .dictionary(entries)
    }
  }

  private func apply(_ elements: inout [MixedNode.Item]) {
    switch self {
    case .insert(let tree, let position): elements.insert(MixedNode.Item(tree), at: position)
    case .append(let trees): elements += trees.map { MixedNode.Item($0) }
    case .replace(let position, let tree): elements[position] = MixedNode.Item(tree)
    case .copy(let source, let target):
      if source != target { elements[target] = MixedNode.Item(elements[source].tree) }
    case .move(let source, let target): elements.insert(elements.remove(at: source), at: target)
    case .swap(let first, let second): elements.swapAt(first, second)
    case .remove(let range): elements.removeSubrange(range)
    case .set, .copyValue, .removeKey: preconditionFailure("of dictionaries")
    }
  }
}
