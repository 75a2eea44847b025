import RealmSwift
import Storage

/// What a transaction has changed in a property of an object that existed before and after it.
///
/// Of a collection it has the part that differs: positions of a list, elements of a set, entries of a map.
struct CellChange: Sendable {
  let place: CellPlace
  let collection: CollectionType
  let before: CellContent
  let after: CellContent
  /// Number of elements of a list before and behind the part that differs.
  private let prefix: Int
  private let suffix: Int

  /// Number of elements up to which those of a list are restored one by one, so that observers are notified of few changes.
  private static let steppedLimit = 1_000

  /// Returns nil when nothing has changed.
  init?(_ place: CellPlace, _ collection: CollectionType, before: CellContent, after: CellContent) {
    if before.isExactly(after, collection) { return nil }
    self.place = place
    self.collection = collection
    switch collection {
    case .none: (self.before, self.after, prefix, suffix) = (before, after, 0, 0)
    case .set:
      self.before = before.elements(notIn: after)
      self.after = after.elements(notIn: before)
      (prefix, suffix) = (0, 0)
    case .map:
      self.before = before.entries(notIn: after)
      self.after = after.entries(notIn: before)
      (prefix, suffix) = (0, 0)
    case .list:
      let limit = min(before.values.count, after.values.count)
      var prefix = 0
      while prefix < limit, before.values[prefix].isExactly(after.values[prefix]) { prefix += 1 }
      var suffix = 0
      while suffix < limit - prefix, before.fromEnd(suffix).isExactly(after.fromEnd(suffix)) { suffix += 1 }
      // A neighbour on each side shows whether the part is where it was.
      (self.prefix, self.suffix) = (max(0, prefix - 1), max(0, suffix - 1))
      self.before = before.part(self.prefix, self.suffix)
      self.after = after.part(self.prefix, self.suffix)
    }
  }

  var size: Int { 128 + before.size + after.size }

  /// Whether the property still has what the transaction left.
  ///
  /// - Parameter object: The object, which may have another row than at the time of the transaction.
  func isPresent(in object: NumberedObject, _ snapshot: Snapshot, _ resolved: (Value) -> Value) -> Bool {
    let (table, row, column) = (snapshot.table(object.classNumber), object.row, place.column)
    switch collection {
    case .none: return table.value(column, row).isExactly(resolved(after.values[0]))
    case .list:
      guard table.count(column, row) == prefix + after.values.count + suffix else { return false }
      return after.values.indices.allSatisfy {
        table.element(column, row, at: prefix + $0).isExactly(resolved(after.values[$0]))
      }
    case .set:
      return after.values.allSatisfy { table.contains(column, row, exactly: resolved($0)) }
        && before.values.allSatisfy { !table.contains(column, row, exactly: resolved($0)) }
    case .map:
      let hasAll = zip(after.keys, after.values).allSatisfy { key, value in
        table.mapValue(column, row, key)?.isExactly(resolved(value)) == true
      }
      let known = Set(after.keys.map { ExactText($0) })
      return hasAll
        && before.keys.allSatisfy {
          known.contains(ExactText($0)) || table.mapValue(column, row, $0) == nil
        }
    }
  }

  /// Restores the content of the property from before the transaction.
  func restore(in object: NumberedObject, _ snapshot: Snapshot, _ resolved: (Value) throws -> Value) throws {
    let (table, row, column) = (snapshot.table(object.classNumber), object.row, place.column)
    let wanted = try before.mapValues(resolved)
    switch collection {
    case .none: table.setValue(column, row, wanted.values[0])
    case .list:
      let column = snapshot.column(CellPlace(object, column))
      let isEmbedded = column.type == .link && snapshot.catalogue.tables[column.target].isEmbedded
      if !isEmbedded && before.values.count + after.values.count > Self.steppedLimit {
        // At once: one by one, each would move those behind it.
        table.removeElements(place.column, row, prefix..<prefix + after.values.count)
        table.insertElements(place.column, row, at: prefix, wanted.values)
      } else {
        restoreList(wanted.values, table, row)
      }
    case .set:
      for value in try after.values.map(resolved) {
        let (position, isFound) = table.position(column, row, ofElement: value)
        if isFound { table.removeElements(column, row, position..<position + 1) }
      }
      for value in wanted.values { table.insertIntoSet(column, row, value) }
    case .map:
      let kept = Set(wanted.keys.map { ExactText($0) })
      for key in after.keys where !kept.contains(ExactText(key)) {
        let (position, isFound) = table.position(column, row, ofKey: key)
        if isFound { table.removeElements(column, row, position..<position + 1) }
      }
      for (key, value) in zip(wanted.keys, wanted.values) { table.setMapValue(column, row, key: key, value) }
    }
  }

  /// Brings the part of a list that differs to its former elements. Elements move where they can: an embedded object that left
  /// its list would be deleted.
  private func restoreList(_ wanted: [Value], _ table: Table, _ row: Int) {
    let column = place.column
    if !wanted.isEmpty, wanted.count == after.values.count, !isOfLinks {
      for (offset, value) in wanted.enumerated()
      where !table.element(column, row, at: prefix + offset).isExactly(value) {
        table.replaceElement(column, row, at: prefix + offset, value)
      }
      return
    }
    var present = after.values.indices.map { table.element(column, row, at: prefix + $0) }
    var needed: [ExactValue: Int] = [:]
    for value in wanted { needed[ExactValue(value), default: 0] += 1 }
    for offset in present.indices.reversed() {
      let value = ExactValue(present[offset])
      if let count = needed[value], count > 0 {
        needed[value] = count - 1
      } else {
        table.removeElements(column, row, prefix + offset..<prefix + offset + 1)
        present.remove(at: offset)
      }
    }
    for (offset, value) in wanted.enumerated() {
      if offset < present.count, present[offset].isExactly(value) { continue }
      if let found = present[min(offset, present.count)...].firstIndex(where: { $0.isExactly(value) }) {
        table.moveElement(column, row, from: prefix + found, to: prefix + offset)
        present.insert(present.remove(at: found), at: offset)
      } else {
        table.insertElement(column, row, at: prefix + offset, value)
        present.insert(value, at: offset)
      }
    }
  }

  private var isOfLinks: Bool {
    (before.values + after.values).contains { if case .link = $0 { true } else { false } }
  }
}

extension CellContent {
  fileprivate func fromEnd(_ offset: Int) -> Value { values[values.count - 1 - offset] }

  fileprivate func part(_ prefix: Int, _ suffix: Int) -> CellContent {
    CellContent(values: Array(values[prefix..<values.count - suffix]))
  }

  fileprivate func elements(notIn other: CellContent) -> CellContent {
    let known = Set(other.values.map { ExactValue($0) })
    return CellContent(values: values.filter { !known.contains(ExactValue($0)) })
  }

  fileprivate func entries(notIn other: CellContent) -> CellContent {
    var known: [ExactText: Value] = [:]
    for (key, value) in zip(other.keys, other.values) { known[ExactText(key)] = value }
    let places = values.indices.filter { known[ExactText(keys[$0])]?.isExactly(values[$0]) != true }
    return CellContent(values: places.map { values[$0] }, keys: places.map { keys[$0] })
  }
}

extension Table {
  /// Whether a set has an element that is written like a value.
  func contains(_ column: Int, _ row: Int, exactly value: Value) -> Bool {
    let (position, isFound) = position(column, row, ofElement: value)
    return isFound && element(column, row, at: position).isExactly(value)
  }

  /// The value of a key of a map; nil when the map does not have the key.
  func mapValue(_ column: Int, _ row: Int, _ key: String) -> Value? {
    let (position, isFound) = position(column, row, ofKey: key)
    return isFound ? element(column, row, at: position) : nil
  }
}
