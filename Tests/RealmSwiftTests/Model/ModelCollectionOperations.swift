import Foundation
import RealmSwift

// Changing lists, sets and maps.
extension ModelRun {
  func changeValueList(_ id: Int) {
    if values.chance(50) {
      let list = node(id).numbers
      note("node \(id).numbers")
      change(list, &state.nodes[id]!.numbers, { $0.maybe($0.number()) }, { $0 })
    } else {
      let list = node(id).texts
      note("node \(id).texts")
      change(list, &state.nodes[id]!.texts, { $0.text() }, { $0 })
    }
  }

  func changeObjectList(_ id: Int) {
    let ids = state.nodes.keys.sorted()
    let list = node(id).nodes
    note("node \(id).nodes")
    change(list, &state.nodes[id]!.nodes, { $0.pick(ids)! }, { [self] in node($0) })
  }

  /// One of the operations of a list, on the list and on an array.
  private func change<Element: RealmCollectionValue, Plain>(
    _ list: List<Element>, _ array: inout [Plain], _ random: (inout ModelValues) -> Plain,
    _ element: (Plain) -> Element
  ) {
    switch values.roll(array.isEmpty ? 4 : 14) {
    case 0...4: add(to: list, &array, random, element)
    case 5...7: replace(in: list, &array, random, element)
    case 8: removeOne(from: list, &array)
    case 9, 10: move(in: list, &array)
    default: removeSome(from: list, &array)
    }
  }

  private func add<Element: RealmCollectionValue, Plain>(
    to list: List<Element>, _ array: inout [Plain], _ random: (inout ModelValues) -> Plain,
    _ element: (Plain) -> Element
  ) {
    let position = values.roll(array.count + 1)
    let new = random(&values)
    let operation = values.roll(5)
    note("  adding \(operation) at \(position) of \(array.count)")
    switch operation {
    case 0, 1:
      list.append(element(new))
      array.append(new)
    case 2:
      let more = values.list(upTo: 4, random)
      list.append(objectsIn: more.map(element))
      array += more
    case 3:
      list.insert(element(new), at: position)
      array.insert(new, at: position)
    default:
      let more = values.list(upTo: 3, random)
      list.insert(contentsOf: more.map(element), at: position)
      array.insert(contentsOf: more, at: position)
    }
  }

  private func replace<Element: RealmCollectionValue, Plain>(
    in list: List<Element>, _ array: inout [Plain], _ random: (inout ModelValues) -> Plain,
    _ element: (Plain) -> Element
  ) {
    let count = array.count
    if values.chance(67) {
      let position = values.roll(count)
      note("  replacing at \(position) of \(count)")
      let new = random(&values)
      list[position] = element(new)
      array[position] = new
    } else {
      let position = values.roll(count + 1)
      let end = position + values.roll(count - position + 1)
      note("  replacing \(position)..<\(end) of \(count)")
      let more = values.list(upTo: 3, random)
      list.replaceSubrange(position..<end, with: more.map(element))
      array.replaceSubrange(position..<end, with: more)
    }
  }

  private func move<Plain>(in list: List<some RealmCollectionValue>, _ array: inout [Plain]) {
    let (from, to) = (values.roll(array.count), values.roll(array.count))
    if values.chance(50) {
      note("  moving \(from) to \(to) of \(array.count)")
      list.move(from: from, to: to)
      array.insert(array.remove(at: from), at: to)
    } else {
      note("  swapping \(from) and \(to) of \(array.count)")
      list.swapAt(from, to)
      array.swapAt(from, to)
    }
  }

  private func removeOne<Plain>(from list: List<some RealmCollectionValue>, _ array: inout [Plain]) {
    let position = values.roll(array.count)
    note("  removing \(position) of \(array.count)")
    list.remove(at: position)
    array.remove(at: position)
  }

  private func removeSome<Plain>(from list: List<some RealmCollectionValue>, _ array: inout [Plain]) {
    let count = array.count
    let operation = values.roll(3)
    note("  removing \(operation) of \(count)")
    switch operation {
    case 0:
      let position = values.roll(count + 1)
      let end = position + values.roll(count - position + 1)
      list.removeSubrange(position..<end)
      array.removeSubrange(position..<end)
    case 1:
      let number = values.roll(count + 1)
      list.removeLast(number)
      array.removeLast(number)
    default:
      if values.chance(40) {
        list.removeAll()
        array.removeAll()
      } else {
        list.removeFirst()
        array.removeFirst()
      }
    }
  }

  // MARK: Sets

  func changeSet(_ id: Int) {
    let ids = state.nodes.keys.sorted()
    let other = values.pick(ids)!
    switch values.roll(4) {
    case 0:
      note("node \(id).numberSet with that of \(other)")
      let sets = (node(id).numberSet, node(other).numberSet)
      let random = Set(values.list(upTo: 3) { $0.number() })
      change(sets.0, sets.1, &state.nodes[id]!.numberSet, state.nodes[other]!.numberSet, random) { $0 }
    case 1:
      note("node \(id).textSet with that of \(other)")
      let sets = (node(id).textSet, node(other).textSet)
      let random = Set(values.list(upTo: 3) { $0.maybe($0.text()) })
      change(sets.0, sets.1, &state.nodes[id]!.textSet, state.nodes[other]!.textSet, random) { $0 }
    case 2:
      note("node \(id).nodeSet with that of \(other)")
      let sets = (node(id).nodeSet, node(other).nodeSet)
      let random = Set(values.list(upTo: 3) { $0.pick(ids)! })
      change(sets.0, sets.1, &state.nodes[id]!.nodeSet, state.nodes[other]!.nodeSet, random) { [self] in
        node($0)
      }
    default:
      note("node \(id).anySet with that of \(other)")
      let sets = (node(id).anySet, node(other).anySet)
      let current = state
      let random = Set(values.list(upTo: 3) { $0.setElement(current) })
      change(sets.0, sets.1, &state.nodes[id]!.anySet, current.nodes[other]!.anySet, random) { [self] in
        any($0)
      }
    }
  }

  private func change<Element: RealmCollectionValue, Plain>(
    _ set: MutableSet<Element>, _ other: MutableSet<Element>, _ plain: inout Set<Plain>,
    _ otherPlain: Set<Plain>,
    _ random: Set<Plain>, _ element: (Plain) -> Element
  ) {
    let operation = values.roll(9)
    note("  set operation \(operation)")
    precondition(set.isSubset(of: other) == plain.isSubset(of: otherPlain))
    precondition(set.intersects(other) == !plain.isDisjoint(with: otherPlain))
    for value in random { precondition(set.contains(element(value)) == plain.contains(value)) }
    switch operation {
    case 0...2:
      set.insert(objectsIn: random.map(element))
      plain.formUnion(random)
    case 3:
      for value in random { set.insert(element(value)) }
      plain.formUnion(random)
    case 4:
      for value in random { set.remove(element(value)) }
      plain.subtract(random)
    case 5:
      set.formUnion(other)
      plain.formUnion(otherPlain)
    case 6:
      set.subtract(other)
      plain.subtract(otherPlain)
    case 7:
      set.formIntersection(other)
      plain.formIntersection(otherPlain)
    default:
      if let value = plain.min(by: { "\($0)" < "\($1)" }) {
        set.remove(element(value))
        plain.remove(value)
      } else {
        set.removeAll()
      }
    }
  }

  // MARK: Maps

  func changeMap(_ id: Int) {
    let ids = state.nodes.keys.sorted()
    switch values.roll(3) {
    case 0:
      note("node \(id).numberMap")
      let map = node(id).numberMap
      change(map, &state.nodes[id]!.numberMap, { $0.maybe($0.number()) }, { $0 })
    case 1:
      note("node \(id).textMap")
      let map = node(id).textMap
      change(map, &state.nodes[id]!.textMap, { $0.text() }, { $0 })
    default:
      note("node \(id).nodeMap")
      let map = node(id).nodeMap
      change(
        map, &state.nodes[id]!.nodeMap, { $0.maybe($0.pick(ids)!) }, { [self] id in id.map { node($0) } })
    }
  }

  private func change<Value: RealmCollectionValue, Plain>(
    _ map: Map<String, Value>, _ dictionary: inout [String: Plain], _ random: (inout ModelValues) -> Plain,
    _ element: (Plain) -> Value
  ) {
    let key = values.key()
    let new = random(&values)
    let operation = values.roll(6)
    note("  map operation \(operation) for '\(key)'")
    precondition((map[key] == nil) == (dictionary[key] == nil))
    switch operation {
    case 0, 1:
      map[key] = element(new)
      dictionary.updateValue(new, forKey: key)
    case 2:
      map.updateValue(element(new), forKey: key)
      dictionary.updateValue(new, forKey: key)
    case 3:
      map[key] = nil
      dictionary.removeValue(forKey: key)
    case 4:
      map.removeObject(for: key)
      dictionary.removeValue(forKey: key)
    default:
      let more = values.map(random)
      if values.chance(30) {
        map.removeAll()
        dictionary.removeAll()
      }
      map.merge(more.map { (key: $0.key, value: element($0.value)) }, uniquingKeysWith: { old, _ in old })
      dictionary.merge(more, uniquingKeysWith: { old, _ in old })
    }
  }
}
