import Storage

// Elements of sets and maps that link to objects which the file does not have.
extension SyncClient {
  /// Takes what the change log says of the elements of a set or map into the transaction that is open.
  ///
  /// - Returns: The object, if it has to be read again because it is not known where its links led to.
  func noteElements(
    _ place: UnresolvedLinks.Place, _ events: LinkNotes.ElementEvents, _ pending: PendingChanges
  ) -> Set<SessionState.ObjectName> {
    if events.isRowGone { links.remove(place, in: snapshot) }
    guard let (localClass, collection) = links.collection(place),
      snapshot.isAlive(table: place.table, row: place.row)
    else {
      links.remove(place, in: snapshot)
      return []
    }
    let table = snapshot.table(place.table)
    var elements = RowElements(collection, row: place.row, in: table, links)
    var isUnknown = false
    for (identity, event) in events.elements.values {
      switch event {
      case .written: elements.forgetUnresolved(identity)
      case .severed(let value):
        if let value {
          let isMap = collection.kind == .map
          elements.keepUnresolved(
            isMap ? CollectionElement(identity: identity, value: value) : collection.element(identity))
        } else if elements.unresolved[ElementIdentity(identity)] == nil,
          pending.elementStamp(
            table: place.table, collection, row: place.row, identity, isHere: true) == nil
        {
          // What is pending is sent as it is now, and what is not is what the server has.
          isUnknown = true
        }
      }
    }
    elements.finish()
    links.fill(place, pending, in: snapshot)
    return isUnknown ? [.init(localClass.name, table.value(localClass.keyColumn, place.row))] : []
  }
}

extension UnresolvedLinks {
  /// Fills in the elements of a set or map whose targets have arrived, in the write transaction that is open.
  ///
  /// - Returns: Whether the file was changed.
  func fill(
    _ collection: LocalCollection, _ place: Place, _ pending: PendingChanges, in snapshot: Snapshot
  ) -> Bool {
    if self[place] == nil { return false }
    guard snapshot.isAlive(table: place.table, row: place.row) else {
      remove(place, in: snapshot)
      return false
    }
    var elements = RowElements(collection, row: place.row, in: snapshot.table(place.table), self)
    var (isWritten, isPostponed) = (false, false)
    for element in elements.unresolvedInOrder {
      switch filling(of: element, elements, pending) {
      case .waits: continue
      case .isPostponed: isPostponed = true
      case .isThere: elements.forgetUnresolved(element.identity)
      case .canBeFilled:
        elements.set(element)
        isWritten = true
      }
    }
    elements.finish()
    if let content = self[place] {
      wait(place, for: collection.missingTargets(of: content, in: snapshot))
    }
    postpone(place, isPostponed)
    return isWritten
  }

  private func filling(
    of element: CollectionElement, _ elements: RowElements, _ pending: PendingChanges
  ) -> RowElements.Filling {
    let filling = elements.filling(of: element)
    guard case .canBeFilled = filling else { return filling }
    // Writing it would cancel what is pending.
    let stamp = pending.elementStamp(
      table: elements.place.table, elements.collection, row: elements.row, element.identity, isHere: true)
    return stamp == nil ? .canBeFilled : .isPostponed
  }

  /// Whether an element of a set or map can be filled in.
  func canFill(
    _ collection: LocalCollection, _ place: Place, _ pending: PendingChanges, in snapshot: Snapshot
  ) -> Bool {
    if self[place] == nil || !snapshot.isAlive(table: place.table, row: place.row) { return false }
    let elements = RowElements(collection, row: place.row, in: snapshot.table(place.table), self)
    return elements.unresolvedInOrder.contains {
      if case .canBeFilled = filling(of: $0, elements, pending) { true } else { false }
    }
  }

  /// The elements of sets and maps that link to a row, by their places.
  func elements(
    linkingTo row: Int, of table: Int, in snapshot: Snapshot
  ) -> [(RowElements, [CollectionElement])] {
    places(linkingTo: row, of: table, in: snapshot).compactMap { place in
      guard let collection = collection(place)?.collection else { return nil }
      let elements = RowElements(collection, row: place.row, in: snapshot.table(place.table), self)
      return (elements, elements.all(linkingTo: row, of: table))
    }
  }
}

extension RowElements {
  /// What can be done for an element whose links are not all resolved.
  enum Filling {
    /// The file shows what it can.
    case waits
    /// The file shows the element, with all its links.
    case isThere
    /// A target has arrived.
    case canBeFilled
    /// A target has arrived, and the element has a change that waits to be sent.
    case isPostponed
  }

  func filling(of element: CollectionElement) -> Filling {
    let missing = collection.content.resolve(collection.value(of: element), in: table.snapshot).missing
    if isShown(element) { return missing.isEmpty ? .isThere : .waits }
    return collection.kind == .set && !missing.isEmpty ? .waits : .canBeFilled
  }

  /// The elements whose links are not all resolved, in the order of the collection.
  var unresolvedInOrder: [CollectionElement] {
    unresolved.values.sorted { Value.order($0.identity, $1.identity) < 0 }
  }

  /// Whether no target has arrived.
  var hasNothingToFill: Bool {
    unresolved.values.allSatisfy { if case .waits = filling(of: $0) { true } else { false } }
  }

  /// Returns the elements that link to a row, as the server has them.
  func all(linkingTo target: Int, of targetTable: Int) -> [CollectionElement] {
    elements { value in
      var isFound = false
      value.forEachLink { if $0 == targetTable && $1 == target { isFound = true } }
      return isFound
    }.map { element in unresolved[ElementIdentity(element.identity)] ?? element }
  }
}
