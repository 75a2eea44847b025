import Storage

// Changing lists, sets and maps, in a write transaction. Nothing is written before everything was accepted.
extension NumberedCollection {
  /// Throws unless the collection is of a kind and can be changed here now.
  private func checkedForWriting(_ kind: CollectionKind?) throws(Refusal) -> any CollectionBacking {
    try check()
    guard case .backing(let backing) = content else {
      throw Refusal(.readOnly, "Results cannot be changed: change the objects, or the list, set or map.")
    }
    if let kind, backing.kind != kind {
      throw otherKind(kind == .map ? "map" : kind == .set ? "set" : "list")
    }
    try checkWrite(backing.kind.noun)
    return backing
  }

  private func checkWrite(_ noun: String) throws(Refusal) {
    let core = realm.core
    if !core.isFrozen && !core.configuration.readOnly && !core.snapshot.isWriting {
      throw Refusal(.notInWrite, ProgrammerError.modifyingCollectionOutsideWrite(noun).message)
    }
    try realm.checkWrite()
  }

  /// The stored form of a value that the collection can hold.
  private func accepted(
    _ value: NumberedValue, _ backing: any CollectionBacking
  ) throws(Refusal) -> StoredValue {
    if value.isNull && isOfObjects {
      // Whatever the column says, which may be optional as single links are.
      if backing.kind == .map { return .null }
      throw Refusal(.isNull, "A \(backing.kind.noun) of objects does not accept null.")
    }
    let location = backing.location
    try realm.checkAccepts(element: value, location.row.table, location.column)
    switch value {
    case .list, .map:
      if backing.kind == .set {
        throw Refusal(.invalidValue, "Sets cannot hold lists and maps.")
      }
      if !StoredValue.allowsNesting(level: backing.nestingLevel + 1) {
        throw Refusal(
          .invalidValue,
          "Max nesting level reached: lists and dictionaries nest at most \(StoredValue.maximumNesting) levels deep."
        )
      }
    default: break
    }
    return value.stored
  }

  /// A new embedded object for the collection.
  private func insertedEmbedded(_ backing: any CollectionBacking) throws(Refusal) -> NumberedObject {
    if !isOfObjects { throw needsObjects }
    if !realm.tables.pointee.classes[classNumber].isEmbedded {
      throw Refusal(
        .embedded,
        "Class '\(realm.className(classNumber))' is not embedded: create an object and add it to the \(backing.kind.noun)."
      )
    }
    return realm.insertEmbedded(classNumber)
  }

  // MARK: Lists

  package func append(_ value: NumberedValue) throws(Refusal) {
    let list = try checkedForWriting(.list)
    list.insert(try accepted(value, list), at: list.count)
    try realm.checkDamage()
  }

  package func insert(_ value: NumberedValue, at position: Int) throws(Refusal) {
    let list = try checkedForWriting(.list)
    try check(position: position, below: list.count + 1)
    list.insert(try accepted(value, list), at: position)
    try realm.checkDamage()
  }

  package func replace(at position: Int, with value: NumberedValue) throws(Refusal) {
    let list = try checkedForWriting(.list)
    try check(position: position, below: list.count)
    list.replace(at: position, try accepted(value, list))
    try realm.checkDamage()
  }

  package func remove(at position: Int) throws(Refusal) {
    let list = try checkedForWriting(.list)
    try check(position: position, below: list.count)
    list.remove(position..<position + 1)
    try realm.checkDamage()
  }

  package func move(from source: Int, to target: Int) throws(Refusal) {
    let list = try checkedForWriting(.list)
    try check(position: source, below: list.count)
    try check(position: target, below: list.count)
    if source != target { list.move(from: source, to: target) }
    try realm.checkDamage()
  }

  package func swap(_ first: Int, _ second: Int) throws(Refusal) {
    let list = try checkedForWriting(.list)
    try check(position: first, below: list.count)
    try check(position: second, below: list.count)
    if first != second { list.swap(first, second) }
    try realm.checkDamage()
  }

  /// Inserts a new embedded object with the defaults of its class.
  package func insertEmbedded(at position: Int) throws(Refusal) -> NumberedObject {
    let list = try checkedForWriting(.list)
    try check(position: position, below: list.count + 1)
    let object = try insertedEmbedded(list)
    list.insert(.link(table: object.classNumber, row: object.row), at: position)
    try realm.checkDamage()
    return object
  }

  // MARK: Sets

  /// Returns whether the set has changed.
  package func insertIntoSet(_ value: NumberedValue) throws(Refusal) -> Bool {
    let set = try checkedSet()
    let value = try accepted(value, set)
    let found = set.position(ofElement: value)
    if !found.isFound { set.insert(value, at: found.position) }
    try realm.checkDamage()
    return !found.isFound
  }

  /// Returns whether the set has changed.
  package func removeFromSet(_ value: NumberedValue) throws(Refusal) -> Bool {
    let set = try checkedSet()
    let found = set.position(ofElement: try accepted(value, set))
    if found.isFound { set.remove(found.position..<found.position + 1) }
    try realm.checkDamage()
    return found.isFound
  }

  private func checkedSet() throws(Refusal) -> StoredCollection {
    // A set is always a column of its own.
    guard let set = try checkedForWriting(.set) as? StoredCollection else { throw otherKind("set") }
    return set
  }

  // MARK: Maps

  package func setValue(_ value: NumberedValue, forKey key: UnsafeRawBufferPointer) throws(Refusal) {
    let map = try checkedForWriting(.map)
    let key = try checkedNewKey(key)
    map.setValue(try accepted(value, map), key: key)
    try realm.checkDamage()
  }

  /// Returns whether the map had the key.
  package func removeValue(forKey key: UnsafeRawBufferPointer) throws(Refusal) -> Bool {
    let map = try checkedForWriting(.map)
    let found = map.position(ofKey: try checkedKey(key))
    if found.isFound { map.remove(found.position..<found.position + 1) }
    try realm.checkDamage()
    return found.isFound
  }

  /// Puts a new embedded object with the defaults of its class in the place of the present one, which is deleted.
  package func setEmbedded(forKey key: UnsafeRawBufferPointer) throws(Refusal) -> NumberedObject {
    let map = try checkedForWriting(.map)
    let key = try checkedNewKey(key)
    let object = try insertedEmbedded(map)
    map.setValue(.link(table: object.classNumber, row: object.row), key: key)
    try realm.checkDamage()
    return object
  }

  private func checkedNewKey(_ bytes: UnsafeRawBufferPointer) throws(Refusal) -> String {
    let key = try checkedKey(bytes)
    if let fault = key.keyFault { throw Refusal(.invalidValue, fault) }
    return key
  }

  // MARK: All elements

  package func removeAll() throws(Refusal) {
    let backing = try checkedForWriting(nil)
    let count = backing.count
    if count > 0 { backing.remove(0..<count) }
    try realm.checkDamage()
  }

  /// Sets a property of all objects.
  package func setAll(_ column: Int, _ value: NumberedValue) throws(Refusal) {
    try check()
    if !isOfObjects { throw needsObjects }
    let kind = try realm.checkedColumn(classNumber, column)
    try checkWrite("Results")
    if kind.isPrimaryKey { throw realm.changesKey }
    try realm.checkAccepts(value, classNumber, column)
    let table = realm.core.snapshot.table(classNumber)
    let rows = query.allRows
    if kind.type == .link || kind.type == .mixed {
      // A link that goes may delete what it owns, perhaps one of these objects.
      for row in rows where table.isAlive(row) { table.setValue(column, row, value.stored) }
    } else {
      table.setValue(column, rows: rows, value.stored)
    }
    try realm.checkDamage()
  }

  /// Deletes all objects.
  package func deleteObjects() throws(Refusal) {
    try check()
    if !isOfObjects { throw needsObjects }
    try checkWrite("Results")
    let table = realm.core.snapshot.table(classNumber)
    let rows = query.allRows
    realm.core.writer.deletingTogether {
      for row in rows where table.isAlive(row) { table.deleteRow(row) }
    }
    // The links of a map became null.
    if case .backing(let map) = content, map.kind == .map, map.isValid, map.count > 0 {
      map.remove(0..<map.count)
    }
    try realm.checkDamage()
  }
}

extension CollectionLocation {
  /// The column that the collection belongs to.
  var column: Int {
    switch self {
    case .stored(_, _, let column, _), .property(_, let column, _, _): column
    case .element(let parent, _, _, _), .entry(let parent, _, _, _): parent.column
    }
  }
}
