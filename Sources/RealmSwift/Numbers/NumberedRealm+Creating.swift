import Foundation
import Storage

// Creating objects, and updating those with the same primary key. Nothing is written before everything was accepted.
extension NumberedRealm {
  /// Creates an object, or updates the one with the same primary key as far as the policy allows. Properties that are not
  /// given have their defaults in a new object, and stay in another one.
  package func create(
    _ number: Int, _ policy: Realm.UpdatePolicy, _ given: NumberedValues
  ) throws(Refusal) -> (object: NumberedObject, isNew: Bool) {
    let known = try checkedClass(number)
    try checkWrite()
    if known.isEmbedded {
      throw Refusal(.embedded, "Embedded objects cannot be created directly")
    }
    if policy != .error && known.primaryKey < 0 && !known.hasCompositeKey {
      throw Refusal(.primaryKey, ProgrammerError.noPrimaryKeyForUpdate(className(number)).message)
    }
    let columns = try checkGiven(given, number, known)
    let key = try rowOfKey(given, number, known)
    try checkDamage()
    if let row = key.row {
      if policy == .error { throw duplicate(row, number, known) }
      update(number, row, given, skipsEqual: policy == .modified)
      try checkDamage()
      return (NumberedObject(classNumber: number, row: row), false)
    }
    let row = insert(number, known, given, columns, key)
    try checkDamage()
    return (NumberedObject(classNumber: number, row: row), true)
  }

  /// Throws unless all values are accepted, each property once.
  private func checkGiven(
    _ given: NumberedValues, _ number: Int, _ known: NumberedClass
  ) throws(Refusal) -> ColumnSet {
    var columns = ColumnSet()
    for (index, column) in given.columns.enumerated() {
      let column = Int(column)
      guard column >= 0, column < known.columnCount, !known.columns[column].isRemoved else {
        throw Refusal(
          .noSuchProperty, "Class '\(className(number))' has no property with the number \(column).")
      }
      if !columns.insert(column) {
        throw Refusal(.badArgument, "Property \(name(number, column)) is given twice.")
      }
      // A key that the file numbers may be null, which stands for none.
      if known.columns[column].isSequence && given.values[index].isNull { continue }
      try checkAccepts(given.values[index], number, column)
    }
    return columns
  }

  // MARK: Keys

  /// What is known of the primary key of an object to be created.
  private struct Key {
    /// The object that has it.
    var row: Int?
    /// Whether the file gives the object its key.
    var isNumbered = false
    /// Columns of the key that were not given, with what they get.
    var generated: [(column: Int, value: StoredValue)] = []
  }

  @inline(__always)
  private func rowOfKey(_ given: NumberedValues, _ number: Int, _ known: NumberedClass) throws(Refusal) -> Key
  {
    let column = known.primaryKey
    if column < 0 { return known.hasCompositeKey ? compositeKey(given, number) : Key() }
    let value = given.value(of: column)
    if known.columns[column].isSequence {
      switch value {
      case nil, .null, .int(0): return Key(isNumbered: true)
      default: break
      }
    }
    if let value { return Key(row: row(number, column, value)) }
    return try missingKey(number, column)
  }

  private func missingKey(_ number: Int, _ column: Int) throws(Refusal) -> Key {
    let kind = tables.pointee.classes[number].columns[column]
    if kind.isNullable { return Key(row: row(number, column, .null)) }
    guard kind.type == .objectId || kind.type == .uuid else {
      throw Refusal(.primaryKey, "Missing value for property \(name(number, column)), the primary key.")
    }
    return Key(generated: [(column, defaultValue(kind.type))])
  }

  private func row(_ number: Int, _ column: Int, _ value: NumberedValue) -> Int? {
    core.snapshot.firstRow(table: number, column: column, equalTo: IndexKey(value.stored))
  }

  private func compositeKey(_ given: NumberedValues, _ number: Int) -> Key {
    guard let compositeKey = core.dynamicClassTable(number).compositeKey else { return Key() }
    var key = Key()
    let values = compositeKey.parts.map { part -> StoredValue in
      if let value = given.value(of: part.column) { return value.stored }
      let kind = tables.pointee.classes[number].columns[part.column]
      let value = kind.isNullable ? .null : defaultValue(kind.type)
      key.generated.append((part.column, value))
      return value
    }
    key.row = compositeKey.row(values, in: core.snapshot)
    return key
  }

  /// The refusal of a key that an object has.
  private func duplicate(_ row: Int, _ number: Int, _ known: NumberedClass) -> Refusal {
    let columns =
      core.dynamicClassTable(number).compositeKey?.parts.map(\.column) ?? [known.primaryKey]
    let values = columns.map { known.table.value($0, row).scalarValue }
    let text = known.hasCompositeKey ? CompositeKey.text(values) : values[0].map { "\($0)" } ?? "(null)"
    return Refusal(.duplicateKey, ProgrammerError.duplicatePrimaryKey(className(number), key: text).message)
  }

  /// The object with a primary key; nil when there is none.
  package func find(_ number: Int, key: NumberedValue) throws(Refusal) -> NumberedObject? {
    let known = try checkedClass(number)
    let column = known.primaryKey
    if column < 0 {
      let reason =
        known.hasCompositeKey
        ? "The primary key of '\(className(number))' has several properties: filter by them."
        : ProgrammerError.noPrimaryKey(className(number)).message
      throw Refusal(.primaryKey, reason)
    }
    try checkAccepts(key, number, column)
    let row = row(number, column, key)
    try checkDamage()
    return row.map { NumberedObject(classNumber: number, row: $0) }
  }

  // MARK: Rows

  private func insert(
    _ number: Int, _ known: NumberedClass, _ given: NumberedValues, _ columns: ColumnSet, _ key: Key
  ) -> Int {
    let table = known.table
    var columns = columns
    let row = table.insertRow()
    // The key comes first, as in objects that are added.
    if key.isNumbered {
      core.dynamicClassTable(number).keySequence?.number(row)
      _ = columns.insert(known.primaryKey)
    } else if known.primaryKey >= 0, known.columns[known.primaryKey].isSequence,
      let value = given.value(of: known.primaryKey)
    {
      core.dynamicClassTable(number).keySequence?.take(value.stored)
    }
    for (column, value) in key.generated {
      table.setValue(column, row, value)
      _ = columns.insert(column)
    }
    for index in 0..<given.columns.count {
      let column = Int(given.columns[index])
      if key.isNumbered && column == known.primaryKey { continue }
      store(given.values[index], table, column, row)
    }
    storeDefaults(number, row) { columns.contains($0) }
    return row
  }

  private func update(_ number: Int, _ row: Int, _ given: NumberedValues, skipsEqual: Bool) {
    let known = tables.pointee.classes[number]
    let table = known.table
    // What the present content owns goes when the object has the new one.
    core.writer.deletingTogether {
      for index in 0..<given.columns.count {
        let column = Int(given.columns[index])
        if column == known.primaryKey || skipsEqual && holds(given.values[index], table, column, row) {
          continue
        }
        store(given.values[index], table, column, row)
      }
    }
  }
}

/// Columns of a class.
private struct ColumnSet {
  private var first: UInt64 = 0
  private var others: Set<Int> = []

  func contains(_ column: Int) -> Bool {
    column < 64 ? first & (1 << UInt64(column)) != 0 : others.contains(column)
  }

  /// Returns false when the column was there.
  mutating func insert(_ column: Int) -> Bool {
    if column >= 64 { return others.insert(column).inserted }
    let bit: UInt64 = 1 << UInt64(column)
    defer { first |= bit }
    return first & bit == 0
  }
}
