import Foundation
import RealmSwift

// Creating, updating and deleting.
extension ModelRun {
  private static let idLimit = 24

  func operation() {
    guard let id = values.pick(state.nodes.keys.sorted()) else { return create() }
    switch values.roll(40) {
    case 0...4: create()
    case 5...7: upsert()
    case 8...10: delete(id)
    case 11...16: changeScalar(id)
    case 17...18: changeLink(id)
    case 19...20: changeByName(id)
    case 21...23: changeValueList(id)
    case 24...25: changeObjectList(id)
    case 26...28: changeSet(id)
    case 29...31: changeMap(id)
    case 32...35: changeEmbedded(id)
    default: changeAny(id)
    }
  }

  private func freshId() -> Int? { values.pick((0..<Self.idLimit).filter { state.nodes[$0] == nil }) }

  // MARK: Creating

  func create() {
    switch values.roll(6) {
    case 0, 1: createLeaf()
    case 2: createGraph()
    default: createNode()
    }
  }

  private func createLeaf() {
    let tag = newTag()
    var leaf = LeafState(weight: Double(values.roll(10)), owner: nil)
    leaf.owner = values.chance(60) ? values.pick(state.nodes.keys.sorted()) : nil
    note("leaf \(tag)")
    let owner: Any = leaf.owner.map { node($0) } ?? NSNull()
    if values.chance(50) {
      realm.create(ModelLeaf.self, value: [tag, leaf.weight, owner])
    } else {
      let object = ModelLeaf(value: ["tag": tag, "weight": leaf.weight])
      object.owner = leaf.owner.map { node($0) }
      realm.add(object)
    }
    state.leaves[tag] = leaf
  }

  private func createNode() {
    guard let id = freshId() else { return delete(values.roll(Self.idLimit)) }
    var new = values.node(state)
    switch values.roll(4) {
    case 0:
      note("add node \(id)")
      let object = ModelNode()
      object.id = id
      fill(object, new)
      realm.add(object)
      made.append(object)
      if values.chance(50) { kept[id] = object }
    case 1:
      note("create node \(id) from a dictionary")
      made.append(realm.create(ModelNode.self, value: dictionary(new, id: id)))
    case 2:
      note("create node \(id) from an object")
      let object = ModelNode()
      object.id = id
      fill(object, new)
      let created = realm.create(ModelNode.self, value: object)
      made.append(created)
      precondition(object.realm == nil && object.number == new.number)
    default:
      note("create node \(id) from an array, the rest is default")
      let full = new
      new = NodeState()
      new.number = full.number
      new.optionalNumber = full.optionalNumber
      new.text = full.text
      made.append(
        realm.create(
          ModelNode.self, value: [id, full.number, full.optionalNumber as Any, full.text] as [Any]))
    }
    state.nodes[id] = new
  }

  /// Several objects in memory that link to one another, of which one is added.
  private func createGraph() {
    let ids = Array(
      (0..<Self.idLimit).filter { state.nodes[$0] == nil }.shuffled(using: &values.generator).prefix(3))
    guard ids.count == 3 else { return }
    note("graph \(ids)")
    var building: [Int: ModelNode] = [:]
    for id in ids { building[id] = ModelNode(value: [id]) }
    // The new ones may link to the old, and to each other.
    for id in ids { state.nodes[id] = NodeState() }
    var new: [Int: NodeState] = [:]
    for (position, id) in ids.enumerated() {
      var node = values.node(state)
      if position < 2 { node.link = ids[position + 1] }
      new[id] = node
    }
    for id in ids { fill(building[id]!, new[id]!, building) }
    realm.add(building[ids[0]]!)
    for id in ids { state.nodes[id] = new[id] }
    made += building.values
  }

  // MARK: Updating

  func upsert() {
    let id = values.roll(Self.idLimit)
    let isNew = state.nodes[id] == nil
    let policy: Realm.UpdatePolicy = values.chance(50) ? .modified : .all
    let new = values.node(state)
    note("upsert node \(id) with \(policy)")
    switch values.roll(4) {
    case 0:
      let object = ModelNode()
      object.id = id
      fill(object, new)
      realm.add(object, update: policy)
      if isNew { made.append(object) }
      state.nodes[id] = new
    case 1:
      let object = realm.create(ModelNode.self, value: dictionary(new, id: id), update: policy)
      if isNew { made.append(object) }
      state.nodes[id] = new
    default:
      partialUpsert(id, new, policy)
    }
  }

  /// Only some of the properties, and objects inside.
  private func partialUpsert(_ id: Int, _ new: NodeState, _ policy: Realm.UpdatePolicy) {
    let isNew = state.nodes[id] == nil
    var all = dictionary(new, id: id)
    for key in all.keys.sorted() where key != "id" && values.chance(70) { all[key] = nil }
    all["unknown"] = "ignored"
    var result = state.nodes[id] ?? NodeState()
    for key in all.keys { result.take(key, from: new) }
    if all["link"] != nil, values.chance(60) {
      // A dictionary makes or updates the linked node.
      let other = values.roll(Self.idLimit)
      let number = values.number()
      if other != id {
        all["link"] = ["id": other, "number": number]
        result.link = other
        if state.nodes[other] == nil { state.nodes[other] = NodeState() }
        state.nodes[other]!.number = number
      }
    }
    if all["leaf"] != nil, values.chance(60) {
      let tag = newTag()
      all["leaf"] = ["tag": tag, "weight": 7.0, "owner": [id]] as [String: Any]
      result.leaf = tag
      state.leaves[tag] = LeafState(weight: 7, owner: id)
    }
    if all["part"] != nil, values.chance(50) {
      // Part of an embedded object: updated in place, or made anew.
      let name = values.text()
      all["part"] = ["name": name]
      let old = policy == .modified ? state.nodes[id]?.part : nil
      result.part = old ?? PartState()
      result.part!.name = name
    }
    note("  with \(all.keys.sorted())")
    let object = realm.create(ModelNode.self, value: all, update: policy)
    if isNew { made.append(object) }
    state.nodes[id] = result
  }

  private func changeScalar(_ id: Int) {
    let node = node(id)
    let new = values.node(state)
    let key = ["number", "optionalNumber", "text", "optionalText", "flag", "real", "date"][values.roll(7)]
    note("node \(id).\(key)")
    switch key {
    case "number": node.number = new.number
    case "optionalNumber": node.optionalNumber = new.optionalNumber
    case "text": node.text = new.text
    case "optionalText": node.optionalText = new.optionalText
    case "flag": node.flag.toggle()
    case "real": node.real = new.real
    default: node.date = new.date
    }
    if key == "flag" { state.nodes[id]!.flag.toggle() } else { state.nodes[id]!.take(key, from: new) }
  }

  private func changeLink(_ id: Int) {
    let node = node(id)
    switch values.roll(5) {
    case 0:
      note("node \(id).link = nil")
      node.link = nil
      state.nodes[id]!.link = nil
    case 1:
      guard let new = freshId() else { return }
      note("node \(id).link = new \(new)")
      let object = ModelNode(value: ["id": new, "text": "linked"])
      node.link = object
      made.append(object)
      state.nodes[new] = NodeState()
      state.nodes[new]!.text = "linked"
      state.nodes[id]!.link = new
    case 2:
      let tag = newTag()
      note("node \(id).leaf = new \(tag)")
      node.leaf = ModelLeaf(value: [tag, 9.0, node] as [Any])
      state.leaves[tag] = LeafState(weight: 9, owner: id)
      state.nodes[id]!.leaf = tag
    default:
      let other = values.pick(state.nodes.keys.sorted())!
      note("node \(id).link = \(other)")
      node.link = self.node(other)
      state.nodes[id]!.link = other
    }
  }

  /// Key-value coding, on one object and on many.
  private func changeByName(_ id: Int) {
    let new = values.node(state)
    let all = dictionary(new, id: id)
    let key = values.pick(all.keys.filter { $0 != "id" }.sorted())!
    switch values.roll(3) {
    case 0:
      note("setValue on node \(id).\(key)")
      node(id).setValue(all[key]!, forKey: key)
      state.nodes[id]!.take(key, from: new)
    case 1:
      let number = values.roll(100)
      note("setValue number \(number) on all nodes above 50")
      // The results change while they are walked through.
      realm.objects(ModelNode.self).where { $0.number > 50 }.setValue(number, forKey: "number")
      for id in state.nodes.keys where state.nodes[id]!.number > 50 { state.nodes[id]!.number = number }
    default:
      note("setValue text on the nodes of \(id)")
      node(id).nodes.setValue("by name", forKey: "text")
      for other in state.nodes[id]!.nodes { state.nodes[other]!.text = "by name" }
    }
  }

  // MARK: Deleting

  func delete(_ id: Int) {
    switch values.roll(6) {
    case 0:
      guard let tag = values.pick(state.leaves.keys.sorted()) else { return }
      note("delete leaf \(tag)")
      realm.delete(leaf(tag))
      state.deleteLeaf(tag)
    case 1:
      let ids = Set(state.nodes[id]?.nodes ?? []).sorted()
      guard ids.count < 4, state.nodes[id] != nil else { return }
      note("delete the nodes \(ids) of node \(id)")
      let object = node(id)
      let list = object.nodes
      // Notes the objects before they go.
      ids.forEach(deletes)
      realm.delete(list)
    case 2:
      let number = values.roll(20)
      let ids = state.nodes.filter { $0.value.number == number }.map(\.key)
      note("delete the nodes \(ids) with number \(number)")
      ids.forEach(deletes)
      realm.delete(realm.objects(ModelNode.self).where { $0.number == number })
    case 3:
      let tags = state.nodes[id]?.leaves ?? []
      note("delete the leaves \(tags) of node \(id)")
      let leaves = Set(tags).map { leaf($0) }
      realm.delete(leaves)
      for tag in Set(tags) { state.deleteLeaf(tag) }
    default:
      guard state.nodes[id] != nil else { return }
      note("delete node \(id)")
      let object = node(id)
      deletes(id)
      deleted.append(object)
      realm.delete(object)
    }
    if values.chance(2) {
      note("delete all leaves")
      realm.delete(realm.objects(ModelLeaf.self))
      for tag in state.leaves.keys { state.deleteLeaf(tag) }
    }
  }
}

extension NodeState {
  /// Copies one property.
  mutating func take(_ key: String, from other: NodeState) {
    switch key {
    case "number": number = other.number
    case "optionalNumber": optionalNumber = other.optionalNumber
    case "text": text = other.text
    case "optionalText": optionalText = other.optionalText
    case "flag": flag = other.flag
    case "real": real = other.real
    case "date": date = other.date
    case "link": link = other.link
    case "leaf": leaf = other.leaf
    case "numbers": numbers = other.numbers
    case "texts": texts = other.texts
    case "nodes": nodes = other.nodes
    case "leaves": leaves = other.leaves
    case "numberSet": numberSet = other.numberSet
    case "textSet": textSet = other.textSet
    case "nodeSet": nodeSet = other.nodeSet
    case "numberMap": numberMap = other.numberMap
    case "textMap": textMap = other.textMap
    case "nodeMap": nodeMap = other.nodeMap
    case "part": part = other.part
    case "parts": parts = other.parts
    case "partMap": partMap = other.partMap
    case "any": any = other.any
    case "anyList": anyList = other.anyList
    case "anySet": anySet = other.anySet
    case "anyMap": anyMap = other.anyMap
    default: break
    }
  }
}
