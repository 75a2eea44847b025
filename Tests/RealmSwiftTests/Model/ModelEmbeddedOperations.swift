import Foundation
import RealmSwift

// Embedded objects and values of any type.
extension ModelRun {
  func changeEmbedded(_ id: Int) {
    let node = node(id)
    let ids = state.nodes.keys.sorted()
    let new = values.part(ids)
    let operation = values.roll(10)
    note("embedded operation \(operation) on node \(id)")
    switch operation {
    case 0...3: changePart(id, node, new)
    case 4...6: changeParts(id, node, new)
    default: changePartMap(id, node, new)
    }
  }

  private func changePart(_ id: Int, _ node: ModelNode, _ new: PartState) {
    switch values.roll(4) {
    case 0:
      let old = node.part
      node.part = part(new)
      state.nodes[id]!.part = new
      precondition(old?.isInvalidated ?? true)
    case 1:
      node.part = nil
      state.nodes[id]!.part = nil
    case 2:
      guard let part = node.part else { return }
      realm.delete(part)
      state.nodes[id]!.part = nil
    default:
      guard let part = node.part else { return }
      change(part, &state.nodes[id]!.part!, new)
    }
  }

  private func changeParts(_ id: Int, _ node: ModelNode, _ new: PartState) {
    guard let position = values.pick(state.nodes[id]!.parts.indices), values.chance(67) else {
      let object = part(new)
      node.parts.append(object)
      precondition(object.realm == realm && object.name == new.name)
      state.nodes[id]!.parts.append(new)
      return
    }
    switch values.roll(6) {
    case 0:
      node.parts[position] = part(new)
      state.nodes[id]!.parts[position] = new
    case 1:
      node.parts.remove(at: position)
      state.nodes[id]!.parts.remove(at: position)
    case 2:
      change(node.parts[position], &state.nodes[id]!.parts[position], new)
    case 3:
      realm.delete(node.parts[position])
      state.nodes[id]!.parts.remove(at: position)
    case 4:
      let to = values.roll(state.nodes[id]!.parts.count)
      node.parts.move(from: position, to: to)
      let moved = state.nodes[id]!.parts.remove(at: position)
      state.nodes[id]!.parts.insert(moved, at: to)
    default:
      node.parts.removeAll()
      state.nodes[id]!.parts = []
    }
  }

  private func changePartMap(_ id: Int, _ node: ModelNode, _ new: PartState) {
    let key = values.key()
    switch values.roll(3) {
    case 0:
      node.partMap[key] = part(new)
      state.nodes[id]!.partMap[key] = new
    case 1:
      if values.chance(50) {
        node.partMap[key] = nil
        state.nodes[id]!.partMap[key] = nil
      } else {
        node.partMap[key] = .some(nil)
        state.nodes[id]!.partMap.updateValue(nil, forKey: key)
      }
    default:
      guard let part = node.partMap[key] ?? nil else { return }
      if values.chance(50) {
        realm.delete(part)
        state.nodes[id]!.partMap.updateValue(nil, forKey: key)
      } else {
        change(part, &state.nodes[id]!.partMap[key]!!, new)
      }
    }
  }

  private func change(_ part: ModelPart, _ state: inout PartState, _ new: PartState) {
    switch values.roll(5) {
    case 0:
      part.name = new.name
      state.name = new.name
    case 1:
      part.size = new.size
      state.size = new.size
    case 2:
      part.node = new.node.map { node($0) }
      state.node = new.node
    case 3:
      part.inner = new.inner.map { inner($0) }
      state.inner = new.inner
    default:
      if let inner = part.inner {
        inner.number += 1
        inner.words.append("more")
        state.inner!.number += 1
        state.inner!.words.append("more")
      }
      part.inners.append(objectsIn: new.inners.map { inner($0) })
      state.inners += new.inners
    }
  }

  // MARK: Any values

  func changeAny(_ id: Int) {
    let node = node(id)
    let new = values.any(state)
    let operation = values.roll(8)
    note("any operation \(operation) on node \(id)")
    switch operation {
    case 0:
      node.any = any(new)
      state.nodes[id]!.any = new
    case 1, 2:
      // The content of a nested collection, where it is.
      if let list = node.any.listValue, case .list(var elements) = state.nodes[id]!.any {
        change(list, &elements, new)
        state.nodes[id]!.any = .list(elements)
      } else if let map = node.any.dictionaryValue, case .dictionary(var entries) = state.nodes[id]!.any {
        change(map, &entries, new)
        state.nodes[id]!.any = .dictionary(entries)
      } else {
        let list = AnyState.list([new, .int(1)])
        node.any = any(list)
        state.nodes[id]!.any = list
      }
    case 3:
      node.anyList.append(any(new))
      state.nodes[id]!.anyList.append(new)
    case 4:
      guard let position = values.pick(state.nodes[id]!.anyList.indices) else { return }
      if let list = node.anyList[position].listValue,
        case .list(var elements) = state.nodes[id]!.anyList[position]
      {
        change(list, &elements, new)
        state.nodes[id]!.anyList[position] = .list(elements)
      } else {
        node.anyList[position] = any(new)
        state.nodes[id]!.anyList[position] = new
      }
    case 5:
      guard let position = values.pick(state.nodes[id]!.anyList.indices) else { return }
      node.anyList.remove(at: position)
      state.nodes[id]!.anyList.remove(at: position)
    default:
      let key = values.key()
      if let map = node.anyMap[key]?.dictionaryValue,
        case .dictionary(var entries) = state.nodes[id]!.anyMap[key]
      {
        change(map, &entries, new)
        state.nodes[id]!.anyMap[key] = .dictionary(entries)
      } else if values.chance(70) {
        node.anyMap[key] = any(new)
        state.nodes[id]!.anyMap[key] = new
      } else {
        node.anyMap[key] = nil
        state.nodes[id]!.anyMap[key] = nil
      }
    }
  }

  private func change(_ list: List<AnyRealmValue>, _ elements: inout [AnyState], _ new: AnyState) {
    precondition(list.count == elements.count)
    let position = values.roll(elements.count + 1)
    switch values.roll(elements.isEmpty ? 2 : 5) {
    case 0:
      list.append(any(new))
      elements.append(new)
    case 1:
      list.insert(any(new), at: position)
      elements.insert(new, at: position)
    case 2:
      let position = values.roll(elements.count)
      list.remove(at: position)
      elements.remove(at: position)
    case 3:
      // One level deeper.
      let position = values.roll(elements.count)
      if let inner = list[position].listValue, case .list(var innerElements) = elements[position] {
        change(inner, &innerElements, new)
        elements[position] = .list(innerElements)
      } else if let inner = list[position].dictionaryValue, case .dictionary(var entries) = elements[position]
      {
        change(inner, &entries, new)
        elements[position] = .dictionary(entries)
      }
    default:
      let position = values.roll(elements.count)
      list[position] = any(new)
      elements[position] = new
    }
  }

  private func change(_ map: Map<String, AnyRealmValue>, _ entries: inout [String: AnyState], _ new: AnyState)
  {
    precondition(map.count == entries.count)
    let key = values.key()
    if values.chance(70) {
      map[key] = any(new)
      entries[key] = new
    } else {
      map[key] = nil
      entries[key] = nil
    }
  }
}
