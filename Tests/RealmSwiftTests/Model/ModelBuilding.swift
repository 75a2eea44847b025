import Foundation
import RealmSwift

// Objects in memory, and dictionaries, that have the values of a state.
extension ModelRun {
  /// Sets all properties. Links go to live objects, or to those in memory that are given.
  func fill(_ node: ModelNode, _ state: NodeState, _ building: [Int: ModelNode] = [:]) {
    let find = { (id: Int) in building[id] ?? self.node(id) }
    node.number = state.number
    node.optionalNumber = state.optionalNumber
    node.text = state.text
    node.optionalText = state.optionalText
    node.flag = state.flag
    node.real = state.real
    node.date = state.date
    node.link = state.link.map(find)
    node.leaf = state.leaf.map(leaf)
    node.numbers.removeAll()
    node.numbers.append(objectsIn: state.numbers)
    node.texts.removeAll()
    for text in state.texts { node.texts.append(text) }
    node.nodes.removeAll()
    node.nodes.append(objectsIn: state.nodes.map(find))
    node.leaves.removeAll()
    node.leaves.append(objectsIn: state.leaves.map(leaf))
    node.numberSet.removeAll()
    node.numberSet.insert(objectsIn: state.numberSet)
    node.textSet.removeAll()
    for text in state.textSet { node.textSet.insert(text) }
    node.nodeSet.removeAll()
    node.nodeSet.insert(objectsIn: state.nodeSet.map(find))
    node.numberMap.removeAll()
    for (key, value) in state.numberMap { node.numberMap.updateValue(value, forKey: key) }
    node.textMap.removeAll()
    for (key, value) in state.textMap { node.textMap[key] = value }
    node.nodeMap.removeAll()
    for (key, id) in state.nodeMap { node.nodeMap.updateValue(id.map(find), forKey: key) }
    node.part = state.part.map { part($0, building) }
    node.parts.removeAll()
    node.parts.append(objectsIn: state.parts.map { part($0, building) })
    node.partMap.removeAll()
    for (key, value) in state.partMap { node.partMap[key] = .some(value.map { part($0, building) }) }
    node.any = any(state.any, building)
    node.anyList.removeAll()
    node.anyList.append(objectsIn: state.anyList.map { any($0, building) })
    node.anySet.removeAll()
    node.anySet.insert(objectsIn: state.anySet.map { any($0, building) })
    node.anyMap.removeAll()
    for (key, value) in state.anyMap { node.anyMap[key] = any(value, building) }
  }

  func part(_ state: PartState, _ building: [Int: ModelNode] = [:]) -> ModelPart {
    let part = ModelPart()
    part.name = state.name
    part.size = state.size
    part.node = state.node.map { building[$0] ?? node($0) }
    part.inner = state.inner.map { inner($0) }
    part.inners.append(objectsIn: state.inners.map { inner($0) })
    return part
  }

  func inner(_ state: InnerState) -> ModelInnerPart {
    ModelInnerPart(value: ["number": state.number, "words": state.words])
  }

  func any(_ state: AnyState, _ building: [Int: ModelNode] = [:]) -> AnyRealmValue {
    switch state {
    case .none: .none
    case .int(let value): .int(value)
    case .bool(let value): .bool(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .data(let value): .data(value)
    case .node(let id): .object(building[id] ?? node(id))
    case .leaf(let tag): .object(leaf(tag))
    case .list(let elements): .fromArray(elements.map { any($0, building) })
    case .dictionary(let values): .fromDictionary(values.mapValues { any($0, building) })
    }
  }

  // MARK: Dictionaries

  /// The values as `create` takes them; objects are given as objects or as dictionaries.
  func dictionary(_ state: NodeState, id: Int) -> [String: Any] {
    [
      "id": id, "number": state.number, "optionalNumber": state.optionalNumber as Any, "text": state.text,
      "optionalText": state.optionalText ?? NSNull() as Any, "flag": state.flag, "real": state.real,
      "date": state.date as Any, "link": state.link.map { node($0) } as Any,
      "leaf": state.leaf.map { leaf($0) } as Any,
      "numbers": state.numbers, "texts": state.texts, "nodes": state.nodes.map { node($0) },
      "leaves": state.leaves.map { leaf($0) }, "numberSet": state.numberSet, "textSet": Array(state.textSet),
      "nodeSet": state.nodeSet.map { node($0) }, "numberMap": state.numberMap, "textMap": state.textMap,
      "nodeMap": state.nodeMap.mapValues { id in id.map { node($0) } },
      "part": state.part.map { partValue($0) } as Any, "parts": state.parts.map { partValue($0) },
      "partMap": state.partMap.mapValues { part in part.map { partValue($0) } ?? NSNull() },
      "any": anyValue(state.any), "anyList": state.anyList.map { anyValue($0) },
      "anySet": state.anySet.map { anyValue($0) }, "anyMap": state.anyMap.mapValues { anyValue($0) },
    ]
  }

  func partValue(_ state: PartState) -> Any {
    if values.chance(30) { return part(state) }
    let node: Any = state.node.map { self.node($0) } ?? NSNull()
    if values.chance(50) {
      return [
        state.name, state.size as Any, node, state.inner.map { innerValue($0) } ?? NSNull(),
        state.inners.map { innerValue($0) },
      ]
    }
    return [
      "name": state.name, "size": state.size as Any, "node": node,
      "inner": state.inner.map { innerValue($0) } ?? NSNull(), "inners": state.inners.map { innerValue($0) },
    ]
  }

  private func innerValue(_ state: InnerState) -> Any {
    if values.chance(50) { return ["number": state.number, "words": state.words] as [String: Any] }
    return [state.number, state.words] as [Any]
  }

  func anyValue(_ state: AnyState) -> Any {
    switch state {
    case .none: NSNull()
    case .int(let value): value
    case .bool(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .node(let id): node(id)
    case .leaf(let tag): leaf(tag)
    case .list(let elements): values.chance(50) ? elements.map { anyValue($0) } : any(state)
    case .dictionary(let entries): values.chance(50) ? entries.mapValues { anyValue($0) } : any(state)
    }
  }
}
