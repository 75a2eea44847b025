import Storage

/// An element as a snapshot of the server has it, or the removal of one.
struct PulledElement: Sendable {
  var owner: Value
  /// The stamp of the owner's creation.
  var creation: Stamp
  var element: CollectionElement
  /// The stamp with which the element was added, written or removed.
  var stamp: Stamp
}

extension PulledElement {
  /// Returns the element with a mixed value or an embedded object as the file would have it.
  func readable(_ collection: LocalCollection, in snapshot: Snapshot) -> PulledElement {
    if collection.element != .jsonb { return self }
    var result = self
    if collection.isMixedSet { result.element = collection.readable(element) }
    let value = result.element.value
    if !value.isNull { result.element.value = collection.readable(value, in: snapshot) }
    return result
  }
}

/// What a pull has read of one collection.
package struct PulledElements: Sendable {
  /// What belongs to one object.
  struct Owner: Sendable {
    /// The stamp of the object's creation.
    var creation: Stamp
    var present: [(element: CollectionElement, stamp: Stamp)] = []
    var removed: [(identity: Value, stamp: Stamp)] = []
  }

  /// By the keys of the objects.
  private(set) var owners: [ExactValue: Owner] = [:]
  /// Whether that is all that the server has for this client.
  var isAll = false
  /// The keys of objects of which all elements were read.
  var wholeOwners: Set<ExactValue> = []

  package var isEmpty: Bool { owners.isEmpty }

  mutating func add(_ pulled: PulledElement) {
    owners[ExactValue(pulled.owner), default: Owner(creation: pulled.creation)].present.append(
      (pulled.element, pulled.stamp))
  }

  mutating func remove(_ pulled: PulledElement) {
    owners[ExactValue(pulled.owner), default: Owner(creation: pulled.creation)].removed.append(
      (pulled.element.identity, pulled.stamp))
  }
}

extension PullApplication {
  /// Applies what was read of the sets and maps of a class whose objects have been applied.
  mutating func applyElements(_ pulled: PulledClass, _ localClass: LocalClass) {
    let table = snapshot.table(localClass.table)
    for (collection, content) in zip(localClass.collections, pulled.elements) {
      for (owner, elements) in content.owners {
        let isWhole = content.isAll || content.wholeOwners.contains(owner)
        note(elements)
        guard let row = localClass.row(owner.value, in: snapshot) else { continue }
        // The elements are those of an object that the file has deleted, and the row is another one with its key.
        if let deletion = pending.deletion(table: localClass.table, key: IndexKey(owner.value)),
          deletion >= elements.creation
        {
          continue
        }
        var present = RowElements(collection, row: row, in: table, links)
        apply(elements, isWhole: isWhole, &present)
      }
      for row in rowsWithoutElements(content, localClass, table) {
        var present = RowElements(collection, row: row, in: table, links)
        if present.isEmpty { continue }
        apply(PulledElements.Owner(creation: .never), isWhole: true, &present)
      }
    }
  }

  /// The rows of objects of which all elements were read, and that have none on the server.
  private func rowsWithoutElements(
    _ content: PulledElements, _ localClass: LocalClass, _ table: Table
  ) -> [Int] {
    if !content.isAll {
      return content.wholeOwners.filter { content.owners[$0] == nil }.compactMap {
        localClass.row($0.value, in: snapshot)
      }
    }
    return (0..<table.rowLimit).filter {
      table.isAlive($0) && content.owners[ExactValue(table.value(localClass.keyColumn, $0))] == nil
    }
  }

  private mutating func note(_ elements: PulledElements.Owner) {
    for element in elements.present { note(element.stamp) }
    for element in elements.removed { note(element.stamp) }
  }

  private mutating func apply(
    _ pulled: PulledElements.Owner, isWhole: Bool, _ elements: inout RowElements
  ) {
    var present: Set<ElementIdentity> = []
    var isChanged = false
    // In the order of the collection, so that nothing is moved when it was empty.
    let sorted = pulled.present.sorted {
      Value.order($0.element.identity, $1.element.identity) < 0
    }
    for (element, stamp) in sorted {
      present.insert(ElementIdentity(element.identity))
      if take(element, stamp, &elements) { isChanged = true }
    }
    for (identity, died) in pulled.removed where !present.contains(ElementIdentity(identity)) {
      guard elements.find(identity) != nil else { continue }
      if let stamp = pendingStamp(identity, elements, isHere: true), stamp > died { continue }
      elements.remove(identity)
      isChanged = true
    }
    if isWhole {
      for element in elements.all
      where !present.contains(ElementIdentity(element.identity))
        && pendingStamp(element.identity, elements, isHere: true) == nil
      {
        elements.remove(element.identity)
        isChanged = true
      }
    }
    elements.finish()
    if isChanged { noteChangedObject() }
  }

  private func pendingStamp(_ identity: Value, _ elements: RowElements, isHere: Bool) -> Stamp? {
    pending.elementStamp(
      table: elements.table.number, elements.collection, row: elements.row, identity, isHere: isHere)
  }

  /// Writes an element of the server unless the file has written it later. Returns whether anything was written.
  private mutating func take(
    _ element: CollectionElement, _ stamp: Stamp, _ elements: inout RowElements
  ) -> Bool {
    // The file keeps its own value.
    if let reason = element.value.unreadableReason {
      let place: UnreadableValue.Element =
        if elements.collection.kind == .map, case .string(let key) = element.identity {
          .key(key)
        } else {
          .member(ExactValue(element.identity))
        }
      noteUnreadable(
        reason, table: elements.table.number, row: elements.row, columns: [elements.collection.column],
        element: place, stamp: stamp)
      return false
    }
    let own = pendingStamp(element.identity, elements, isHere: elements.find(element.identity) != nil)
    if let own, own > stamp { return false }
    if elements.has(element) { return false }
    elements.set(element)
    return true
  }
}
