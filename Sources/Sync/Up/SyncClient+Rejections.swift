import Storage

// What a program receives of objects and elements that the server has refused.
extension SyncClient {
  /// An object, and the reason why it was refused.
  private struct Refusal: Hashable {
    var object: SessionState.ObjectName
    var reason: Outcome.Reason
  }

  /// Returns the objects that the outcome of a push says were refused, with what was sent of them, which is not acknowledged yet.
  func rejectedObjects(_ outcomes: [Outcome]) throws -> [RejectedObject] {
    var objects: [RejectedObject] = []
    var places: [Refusal: Int] = [:]
    var elements: [CollectionName: [Int: RejectedElements]] = [:]
    for outcome in outcomes where outcome.reason.isRefusal {
      let refusal = Refusal(object: .init(outcome.className, outcome.key), reason: outcome.reason)
      let place = places[refusal] ?? objects.count
      if place == objects.count {
        places[refusal] = place
        objects.append(
          .init(className: outcome.className, key: outcome.key, reason: outcome.reason, values: [:]))
      }
      guard let index = classes.firstIndex(where: { $0.name == outcome.className }),
        let row = classes[index].row(outcome.key, in: snapshot)
      else { continue }
      guard let property = outcome.property else {
        objects[place].values = values(of: row, classNumber: index)
        continue
      }
      let name = CollectionName(classNumber: index, property: property)
      if elements[name] == nil {
        let owners = outcomes.filter { $0.className == outcome.className && $0.property == property }
        let rows = owners.compactMap { classes[index].row($0.key, in: snapshot) }
        elements[name] = try sentElements(name, ofRows: Set(rows))
      }
      objects[place].elements[property] = elements[name]![row] ?? RejectedElements()
    }
    return objects
  }

  private func values(of row: Int, classNumber: Int) -> [String: Value] {
    var values: [String: Value] = [:]
    let localClass = classes[classNumber]
    for (property, local) in zip(model.classes[classNumber].properties, localClass.properties) {
      values[property.name] =
        property.type == .jsonb
        ? content(of: local, row, localClass) : localClass.value(of: local, row: row, in: snapshot, links)
    }
    return values
  }

  /// Returns a mixed value as the file has it, because what it links to is no value for the program; or an embedded object with all
  /// that it holds.
  private func content(of property: LocalProperty, _ row: Int, _ localClass: LocalClass) -> Value {
    guard let place = property.embedded else {
      return snapshot.table(localClass.table).value(property.column, row)
    }
    guard let holder = localClass.holder(at: place.path, row: row, in: snapshot) else { return .null }
    if place.isDocument { return localClass.value(of: property, row: row, in: snapshot, links) }
    return snapshot.table(holder.table).value(property.column, holder.row)
  }

  private struct CollectionName: Hashable {
    var classNumber: Int
    var property: String
  }

  /// Returns the elements of a collection that were inserted or written, by the rows of their owners.
  private func sentElements(
    _ name: CollectionName, ofRows rows: Set<Int>
  ) throws -> [Int: RejectedElements] {
    var sent: [Int: RejectedElements] = [:]
    let (syncClass, localClass) = (model.classes[name.classNumber], classes[name.classNumber])
    if let list = lists.lists.first(where: { $0.className == syncClass.name && $0.name == name.property }) {
      for row in rows {
        let key = CollectionKey(table: list.table, column: list.column, row: row)
        var elements = RejectedElements()
        try forEachOperation(list, key, localClass) { operation in
          // The stamp of the value.
          if operation.stamps[1] != nil { elements.values.append(ExactValue(operation.values[2])) }
        }
        sent[row] = elements
      }
      return sent
    }
    let collections = zip(syncClass.setsAndMaps, localClass.collections)
    guard let collection = collections.first(where: { $0.0.name == name.property })?.1 else { return sent }
    for row in rows { sent[row] = RejectedElements(keys: collection.kind == .map ? [] : nil) }
    try pending().forEachPushedElement(of: collection, in: snapshot.table(localClass.table), links) {
      pushed in
      if pushed.isRemoved { return }
      if collection.kind == .map, case .string(let key) = pushed.element.identity {
        sent[pushed.row]?.keys?.append(key)
        sent[pushed.row]?.values.append(ExactValue(pushed.element.value))
      } else {
        sent[pushed.row]?.values.append(ExactValue(collection.value(of: pushed.element)))
      }
    }
    return sent
  }
}
