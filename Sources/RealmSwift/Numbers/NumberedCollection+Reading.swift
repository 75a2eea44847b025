import Storage

/// An element of a collection.
package enum NumberedElement {
  case value(StoredValue)
  /// A list or map inside a mixed value.
  case nested(NumberedCollection)
}

extension NumberedCollection {
  package func count() throws(Refusal) -> Int {
    try check()
    let count =
      switch content {
      case .backing(let backing): backing.count
      case .results(let query): query.count
      case .snapshot(let rows): rows.rows.count
      }
    try realm.checkDamage()
    return count
  }

  /// The element at a position; of a map the value.
  package func element(at position: Int) throws(Refusal) -> NumberedElement {
    try check()
    realm.core.pause(at: position)
    let element: NumberedElement
    switch content {
    case .backing(let backing):
      try check(position: position, below: backing.count)
      element = self.element(at: position, of: backing)
    case .snapshot(let rows):
      try check(position: position, below: rows.rows.count)
      let row = rows.rows[position]
      let isAlive = realm.core.snapshot.table(classNumber).isAlive(row)
      element = .value(isAlive ? .link(table: classNumber, row: row) : .null)
    case .results(let query) where isOfObjects:
      guard position >= 0, let row = query.row(ifAt: position) else {
        throw outOfBounds(position, count: query.count)
      }
      element = .value(.link(table: classNumber, row: row))
    case .results(let query):
      let values = query.values
      try check(position: position, below: values.count)
      if values[position].isCollection { throw nestedInResults }
      element = .value(values[position])
    }
    try realm.checkDamage()
    return element
  }

  private func outOfBounds(_ position: Int, count: Int) -> Refusal {
    Refusal(
      .outOfBounds, "Index \(UInt(bitPattern: position)) is out of bounds (must be less than \(count)).")
  }

  private var nestedInResults: Refusal {
    Refusal(
      .wrongType,
      "The value is a list or map, which results of values only copy: read it from the list, set or map itself."
    )
  }

  private func element(at position: Int, of backing: any CollectionBacking) -> NumberedElement {
    guard type == .mixed else { return .value(backing.value(at: position)) }
    guard let view = backing.mixedView(at: position), view.isList || view.isDictionary else {
      return .value(backing.value(at: position))
    }
    return .nested(NumberedCollection(realm, backing.nested(at: position, view.isList ? .list : .map)))
  }

  /// Copies rows of objects from a position on, -1 for null and for objects that do not exist. Returns the number of rows.
  package func copyRows(
    from start: Int, to target: UnsafeMutableBufferPointer<Int64>
  ) throws(Refusal) -> Int {
    try check()
    if !isOfObjects { throw needsObjects }
    if start < 0 { throw outOfBounds(start, count: try count()) }
    realm.core.pause()
    let count = rowCopier().copy(from: start, to: target)
    try realm.checkDamage()
    return count
  }

  var needsObjects: Refusal {
    Refusal(.wrongType, "The collection holds values of type '\(PropertyType(type).name)', and not objects.")
  }

  /// The position of the first element that is equal to a value; of a map that of the value. Nil when there is none.
  package func firstPosition(of value: NumberedValue) throws(Refusal) -> Int? {
    try check()
    let position = search(value)
    try realm.checkDamage()
    return position
  }

  private func search(_ value: NumberedValue) -> Int? {
    switch value {
    case .string(let bytes) where !NumberedText.isStorable(bytes): return nil
    // Only the list or map itself would be equal.
    case .list, .map: return nil
    default: break
    }
    let wanted = value.stored
    if isOfObjects, case .link(let table, _) = wanted, table != classNumber { return nil }
    switch (content, wanted) {
    case (.backing(let backing), _):
      if case .link(_, let row) = wanted, let stored = backing.stored, isOfObjects {
        return stored.firstPosition(ofInteger: Int64(row))
      }
      if case .int(let number) = wanted, let stored = backing.stored, type == .int {
        return stored.firstPosition(ofInteger: number)
      }
      return (0..<backing.count).first { StoredValue.order(backing.value(at: $0), wanted) == 0 }
    case (.results(let query), .link(_, let row)) where isOfObjects: return query.position(ofRow: row)
    case (.results(let query), _):
      return isOfObjects ? nil : query.values.firstIndex { StoredValue.order($0, wanted) == 0 }
    case (.snapshot(let rows), .link(_, let row)):
      return realm.core.snapshot.table(classNumber).isAlive(row) ? rows.rows.firstIndex(of: row) : nil
    case (.snapshot, _): return nil
    }
  }

  // MARK: Maps

  /// The map that this is.
  func checkedMap() throws(Refusal) -> any CollectionBacking {
    try check()
    guard case .backing(let backing) = content, backing.kind == .map else { throw otherKind("map") }
    return backing
  }

  func otherKind(_ wanted: String) -> Refusal {
    let name =
      switch kind {
      case .list: "list"
      case .set: "set"
      case .map: "map"
      case .results: "results"
      }
    return Refusal(.wrongType, "The collection is a \(name), and not a \(wanted).")
  }

  /// A key of a map.
  func checkedKey(_ bytes: UnsafeRawBufferPointer) throws(Refusal) -> String {
    if !NumberedText.isStorable(bytes) { throw Refusal(.invalidValue, "A key of a map is not UTF-8.") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value of a key; nil when the map does not have it.
  package func value(forKey key: UnsafeRawBufferPointer) throws(Refusal) -> NumberedElement? {
    let backing = try checkedMap()
    let found = backing.position(ofKey: try checkedKey(key))
    let value = found.isFound ? element(at: found.position, of: backing) : nil
    try realm.checkDamage()
    return value
  }

  package func key(at position: Int) throws(Refusal) -> String {
    let backing = try checkedMap()
    try check(position: position, below: backing.count)
    let key = backing.key(at: position)
    try realm.checkDamage()
    return key
  }
}
