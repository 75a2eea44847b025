import Foundation
import Storage

// Writing collections from arrays, dictionaries and other collections.
//
// An element may be an object that leads back to the one that is being written, whose values then change this very collection, or
// delete the embedded object that is being written. So nothing that was read of it before an element is made holds afterwards.
extension ObjectCreation {
  mutating func writeList(_ place: PropertyPlace, _ value: Any) {
    let elements = elements(place, value)
    let (table, column, row) = (place.table, place.column, place.row)
    if place.skipsEqual, place.property.kind.type == .object {
      let target = realm.linkTarget(table, column)
      if target.isEmbedded { return writeEmbeddedList(place, elements, target) }
    }
    // All elements are made before the old ones go: they may come from this very list.
    let stored = elements.map { storedElement(place, $0) }
    guard place.object._isAlive else { return discard(stored) }
    let oldCount = table.count(column, row)
    if !place.skipsEqual {
      if oldCount > 0 { table.removeAllElements(column, row) }
      table.insertElements(column, row, at: 0, stored)
      return
    }
    let common = min(oldCount, stored.count)
    for position in 0..<common where !stored[position].isExactly(table.element(column, row, at: position)) {
      table.replaceElement(column, row, at: position, stored[position])
    }
    table.removeElements(column, row, common..<oldCount)
    table.insertElements(column, row, at: common, Array(stored[common...]))
  }

  /// Writes embedded objects over those that are there, whose identity stays.
  private mutating func writeEmbeddedList(_ place: PropertyPlace, _ elements: [Any], _ target: ClassTable) {
    let (table, column, row) = (place.table, place.column, place.row)
    for (position, element) in elements.enumerated() {
      if position < table.count(column, row), let source = ObjectSource(element),
        case .link(_, let child) = table.element(column, row, at: position)
      {
        source.checkCount(target.schema)
        _ = update(target, child, source)
      } else {
        let new = storedElement(place, element)
        guard place.object._isAlive else { return discard([new]) }
        if position < table.count(column, row) {
          table.replaceElement(column, row, at: position, new)
        } else {
          table.appendElement(column, row, new)
        }
      }
      guard place.object._isAlive else { return }
    }
    let count = table.count(column, row)
    if count > elements.count { table.removeElements(column, row, elements.count..<count) }
    if count < elements.count {
      let stored = elements.map { storedElement(place, $0) }
      guard place.object._isAlive else { return discard(stored) }
      table.removeAllElements(column, row)
      table.insertElements(column, row, at: 0, stored)
    }
  }

  mutating func writeSet(_ place: PropertyPlace, _ value: Any) {
    let stored = elements(place, value).map { storedElement(place, $0) }
    guard place.object._isAlive else { return }
    let (table, column, row) = (place.table, place.column, place.row)
    if place.skipsEqual {
      let present = table.elements(column, row).map { ExactValue($0) }
      if Set(stored.map { ExactValue($0) }) == Set(present) { return }
    }
    if table.count(column, row) > 0 { table.removeAllElements(column, row) }
    table.insertIntoSet(column, row, stored)
  }

  mutating func writeMap(_ place: PropertyPlace, _ value: Any) {
    checkMismatch(place, value)
    guard let entries = Enumeration.entries(value) else {
      trap(ValueError.notEnumerable(value, place.property.kind, place.name))
    }
    let stored = storedEntries(place, entries)
    guard place.object._isAlive else { return discard(stored.map(\.value)) }
    let (table, column, row) = (place.table, place.column, place.row)
    if place.skipsEqual {
      let keys = Set(stored.map { ExactText($0.key) })
      for position in (0..<table.count(column, row)).reversed() {
        let key = table.key(column, row, at: position)
        if !keys.contains(ExactText(key)) {
          table.removeElements(column, row, position..<position + 1)
        }
      }
    } else if table.count(column, row) > 0 {
      table.removeAllElements(column, row)
    }
    for (key, value) in stored {
      let value = isGone(value) ? .null : value
      if place.skipsEqual {
        let (position, isFound) = table.position(column, row, ofKey: key)
        if isFound, table.element(column, row, at: position).isExactly(value) { continue }
      }
      table.setMapValue(column, row, key: key, value)
    }
  }

  private mutating func storedEntries(
    _ place: PropertyPlace, _ entries: [(key: String, value: Any)]
  ) -> [(key: String, value: StoredValue)] {
    let (table, column, row) = (place.table, place.column, place.row)
    let target = place.property.kind.type == .object ? realm.linkTarget(table, column) : nil
    var stored: [(key: String, value: StoredValue)] = []
    stored.reserveCapacity(entries.count)
    for entry in entries {
      entry.key.checkKey()
      if let target, target.isEmbedded, place.skipsEqual, let source = ObjectSource(entry.value) {
        let (position, isFound) = table.position(column, row, ofKey: entry.key)
        if isFound, case .link(_, let child) = table.element(column, row, at: position) {
          source.checkCount(target.schema)
          let object = update(target, child, source)
          if !place.object._isAlive { return stored }
          if object._isAlive {
            stored.append((entry.key, .link(table: target.table.number, row: child)))
            continue
          }
        }
      }
      stored.append((entry.key, storedElement(place, entry.value)))
    }
    return stored
  }

  /// Whether a value leads to an embedded object that was deleted meanwhile.
  private func isGone(_ value: StoredValue) -> Bool {
    guard case .link(let table, let row) = value else { return false }
    return !realm.snapshot.table(table).isAlive(row)
  }

  /// Deletes embedded objects that were made for an object that is there no longer.
  func discard(_ values: [StoredValue]) {
    for case .link(let table, let row) in values where realm.snapshot.catalogue.tables[table].isEmbedded {
      realm.snapshot.table(table).deleteRow(row)
    }
  }

  private func checkMismatch(_ place: PropertyPlace, _ value: Any) {
    if let mismatch = ValueError.collectionMismatch(value, place.property.kind, place.name) { trap(mismatch) }
  }

  private func elements(_ place: PropertyPlace, _ value: Any) -> [Any] {
    checkMismatch(place, value)
    guard let elements = Enumeration.elements(value) else {
      trap(ValueError.notEnumerable(value, place.property.kind, place.name))
    }
    return elements
  }

  /// The stored form of an element. Stops the program when it does not fit.
  private mutating func storedElement(_ place: PropertyPlace, _ value: Any) -> StoredValue {
    let kind = place.property.kind
    let stored: StoredValue?
    switch kind.type {
    case .any:
      stored = mixed(value, level: 1)?.withinNesting(level: 1, in: realm)
    case .object:
      if let value = Coercion.unwrap(value) {
        let target = realm.linkTarget(place.table, place.column)
        stored =
          ObjectSource(value).map { .link(table: target.table.number, row: linkedRow(target, $0)) }
          ?? place.property.elementType?.stored(value, realm)
      } else {
        // Only maps can hold links to nothing. In lists, null is the default value of a custom type.
        stored =
          kind.collection == .map
          ? .null : kind.isCustom ? place.property.elementType?.stored(value, realm) : nil
      }
    default: stored = place.property.elementType?.stored(value, realm)
    }
    if let stored { return stored }
    if let persisted = Coercion.persisted(value) { return storedElement(place, persisted) }
    trap(ValueError.invalidValue(value, kind, place.name))
  }
}

extension RealmCollectionValue {
  /// Returns the stored form of a value of any type; nil when it does not fit.
  ///
  /// What an enum or a custom type cannot be made of is stored as well, if it fits the type that is stored.
  static func stored(_ value: Any, _ realm: RealmCore) -> StoredValue? {
    if let unconverted = UnconvertedValue.exact(value) {
      return unconverted.scalar(_rlmKind) ?? stored(unconverted.stored, realm)
    }
    if let element = _rlmCoerceElement(value) { return element._rlmStore(realm) }
    if PersistedType.self == Self.self { return nil }
    return (PersistedType.self as? any RealmCollectionValue.Type)?.stored(value, realm)
  }
}
