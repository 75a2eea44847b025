import Foundation
import Storage

// Writing collections from arrays, dictionaries and other collections.
extension ObjectCreation {
  mutating func writeList(_ place: PropertyPlace, _ value: Any) {
    let elements = elements(place, value)
    let (table, column, row) = (place.table, place.column, place.row)
    let oldCount = place.isNew ? 0 : table.count(column, row)
    if place.skipsEqual {
      let target = place.property.kind.type == .object ? realm.linkTarget(table, column) : nil
      let common = min(oldCount, elements.count)
      for position in 0..<common {
        if let target, target.isEmbedded, let source = ObjectSource(elements[position]),
          case .link(_, let child) = table.element(column, row, at: position)
        {
          source.checkCount(target.schema)
          _ = update(target, child, source)
          continue
        }
        let new = storedElement(place, elements[position])
        if !new.isExactly(table.element(column, row, at: position)) {
          table.replaceElement(column, row, at: position, new)
        }
      }
      let added = elements[common...].map { storedElement(place, $0) }
      table.removeElements(column, row, common..<oldCount)
      table.insertElements(column, row, at: common, added)
      return
    }
    // All elements are made before the old ones go: they may come from this very list.
    let stored = elements.map { storedElement(place, $0) }
    if !place.isNew { table.removeAllElements(column, row) }
    table.insertElements(column, row, at: 0, stored)
  }

  mutating func writeSet(_ place: PropertyPlace, _ value: Any) {
    let stored = elements(place, value).map { storedElement(place, $0) }
    let (table, column, row) = (place.table, place.column, place.row)
    if place.skipsEqual {
      let present = table.elements(column, row).map { ExactValue($0) }
      if Set(stored.map { ExactValue($0) }) == Set(present) { return }
    }
    if !place.isNew { table.removeAllElements(column, row) }
    for element in stored { table.insertIntoSet(column, row, element) }
  }

  mutating func writeMap(_ place: PropertyPlace, _ value: Any) {
    checkMismatch(place, value)
    guard let entries = Enumeration.entries(value) else {
      trap(ValueError.notEnumerable(value, place.property.kind, place.name))
    }
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
          _ = update(target, child, source)
          stored.append((entry.key, .link(table: target.table.number, row: child)))
          continue
        }
      }
      stored.append((entry.key, storedElement(place, entry.value)))
    }
    if place.skipsEqual {
      let keys = Set(stored.map { ExactText($0.key) })
      for position in (0..<table.count(column, row)).reversed() {
        let key = table.key(column, row, at: position)
        if !keys.contains(ExactText(key)) {
          table.removeElements(column, row, position..<position + 1)
        }
      }
    } else if !place.isNew {
      table.removeAllElements(column, row)
    }
    for (key, value) in stored {
      if place.skipsEqual {
        let (position, isFound) = table.position(column, row, ofKey: key)
        if isFound, table.element(column, row, at: position).isExactly(value) { continue }
      }
      table.setMapValue(column, row, key: key, value)
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
        // Only maps can hold links to nothing.
        stored = kind.collection == .map ? .null : nil
      }
    default: stored = place.property.elementType?.stored(value, realm)
    }
    guard let stored else { trap(ValueError.invalidValue(value, kind, place.name)) }
    return stored
  }
}

extension RealmCollectionValue {
  /// The stored form of a value of any type; nil when it does not fit.
  static func stored(_ value: Any, _ realm: RealmCore) -> StoredValue? {
    _rlmCoerceElement(value)?._rlmStore(realm)
  }
}
