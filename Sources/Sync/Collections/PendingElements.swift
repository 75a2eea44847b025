import Storage

/// What is pending of the elements of one table's sets and maps: which were added, written or removed is read from the file.
///
/// All elements of an object whose creation is pending are pending with it.
struct PendingElements: Sendable {
  /// An element that was touched.
  struct Touched: Sendable {
    /// The element of a set, or the key of a map, as the user has written it.
    var identity: Value
    /// `never` for an element of an object whose creation is pending that has the server's state: it is not sent with the object.
    var stamp: Stamp
  }

  /// By column and row.
  private var elements: [Int: [Int: [ElementIdentity: Touched]]] = [:]

  var isEmpty: Bool { elements.isEmpty }

  func isClean(row: Int) -> Bool {
    elements.isEmpty || elements.values.allSatisfy { $0[row] == nil }
  }

  /// The rows of which elements of a column were touched.
  func rows(column: Int) -> [Int] { elements[column].map { $0.keys.sorted() } ?? [] }

  subscript(column: Int, row: Int) -> [ElementIdentity: Touched] { elements[column]?[row] ?? [:] }

  mutating func add(_ touched: [Int: [Int: Set<ExactValue>]], _ stamp: Stamp) {
    for (column, rows) in touched {
      for (row, identities) in rows {
        for identity in identities {
          elements[column, default: [:]][row, default: [:]][ElementIdentity(identity.value)] =
            Touched(identity: identity.value, stamp: stamp)
        }
      }
    }
  }

  /// Takes note of what sync has written.
  mutating func cancel(_ touched: [Int: [Int: Set<ExactValue>]], isCreated: (Int) -> Bool) {
    for (column, rows) in touched {
      for (row, identities) in rows {
        if isCreated(row) {
          add([column: [row: identities]], .never)
          continue
        }
        guard var present = elements[column]?.removeValue(forKey: row) else { continue }
        for identity in identities { present[ElementIdentity(identity.value)] = nil }
        if !present.isEmpty { elements[column]![row] = present }
        if elements[column]!.isEmpty { elements[column] = nil }
      }
    }
  }

  /// Forgets a row that is not there any more, or is another object.
  mutating func forget(row: Int) {
    if elements.isEmpty { return }
    for column in Array(elements.keys) {
      elements[column]![row] = nil
      if elements[column]!.isEmpty { elements[column] = nil }
    }
  }
}

/// An element that a push sends.
struct PushedElement {
  var row: Int
  var element: CollectionElement
  /// Whether it was removed, and not added or written.
  var isRemoved: Bool
  var stamp: Stamp
}

extension PendingChanges {
  /// Calls the body with the elements of a collection that a push sends: those of one object one behind the other.
  func forEachPushedElement(
    of collection: LocalCollection, in table: Table, _ links: UnresolvedLinks,
    _ body: (PushedElement) throws -> Void
  ) rethrows {
    guard let changes = tables[table.number] else { return }
    func isAlive(_ row: Int) -> Bool { table.isAlive(row) }
    try changes.forEachCreated(isAlive) { row, creation in
      let touched = changes.elements[collection.column, row]
      let elements = RowElements(collection, row: row, in: table, links)
      for element in elements.all {
        let stamp = touched[ElementIdentity(element.identity)]?.stamp ?? creation
        if stamp > .never {
          try body(PushedElement(row: row, element: element, isRemoved: false, stamp: stamp))
        }
      }
      try Self.forEachRemoved(touched, elements, body)
    }
    for row in changes.elements.rows(column: collection.column)
    where table.isAlive(row) && changes.creation(of: row) == nil {
      let touched = changes.elements[collection.column, row]
      let elements = RowElements(collection, row: row, in: table, links)
      for element in touched.values {
        guard let present = elements.find(element.identity) else { continue }
        try body(PushedElement(row: row, element: present, isRemoved: false, stamp: element.stamp))
      }
      try Self.forEachRemoved(touched, elements, body)
    }
  }

  /// Whether a push sends elements of a collection.
  func hasPushedElements(
    of collection: LocalCollection, in table: Table, _ links: UnresolvedLinks
  ) -> Bool {
    struct Found: Error {}
    do {
      try forEachPushedElement(of: collection, in: table, links) { _ in throw Found() }
      return false
    } catch {
      return true
    }
  }

  private static func forEachRemoved(
    _ touched: [ElementIdentity: PendingElements.Touched], _ elements: RowElements,
    _ body: (PushedElement) throws -> Void
  ) rethrows {
    for element in touched.values
    where element.stamp > .never && elements.find(element.identity) == nil {
      let removed = CollectionElement(identity: element.identity, value: .null)
      try body(PushedElement(row: elements.row, element: removed, isRemoved: true, stamp: element.stamp))
    }
  }

  /// Returns the stamp with which an element is pending; nil if it is not.
  ///
  /// - Parameter isHere: Whether the file has the element.
  func elementStamp(
    table: Int, _ collection: LocalCollection, row: Int, _ identity: Value, isHere: Bool
  ) -> Stamp? {
    guard let changes = tables[table] else { return nil }
    if let touched = changes.elements[collection.column, row][ElementIdentity(identity)] {
      return touched.stamp > .never ? touched.stamp : nil
    }
    // That an object was created without an element says nothing of it.
    return isHere ? changes.creation(of: row) : nil
  }
}
