import CSwiftRuntime
package import Storage

// Writing single values, in a write transaction. All of it goes through the calls of `Table` that properties of objects use,
// which keep indexes, words, backlinks and the change log right.
extension NumberedRealm {
  /// Writes a value of a type after the checks that an access needs.
  @inline(__always)
  private func write(
    _ object: NumberedObject, _ column: Int, _ type: ValueType, _ body: (Table) -> Void
  ) throws(Refusal) {
    guard let known = fastClass(object.classNumber),
      UInt(bitPattern: column) < UInt(bitPattern: known.pointee.columnCount)
    else { throw refusal(writing: object, column, type) }
    let kind = known.pointee.columns + column
    let table = Table(known.pointee.state)
    guard kind.pointee.single == type.rawValue, !kind.pointee.isPrimaryKey || core.migration != nil,
      table.isWriting, table.isAlive(object.row), !damage.isFound
    else { throw refusal(writing: object, column, type) }
    if kind.pointee.isPrimaryKey { noteChangedKey(table) }
    body(table)
    if damage.isFound { throw damageRefusal }
  }

  /// Primary keys may change in a migration, at whose end they are compared.
  private func noteChangedKey(_ table: Table) {
    core.migration?.tablesWithChangedKeys.insert(table.number)
  }

  package func setInteger(_ object: NumberedObject, _ column: Int, _ value: Int64) throws(Refusal) {
    try write(object, column, .int) { $0.setInteger(column, object.row, value) }
  }

  package func setBool(_ object: NumberedObject, _ column: Int, _ value: Bool) throws(Refusal) {
    try write(object, column, .bool) { $0.setBool(column, object.row, value) }
  }

  package func setFloat(_ object: NumberedObject, _ column: Int, _ value: Float) throws(Refusal) {
    try write(object, column, .float) { $0.setFloat(column, object.row, value) }
  }

  package func setDouble(_ object: NumberedObject, _ column: Int, _ value: Double) throws(Refusal) {
    try write(object, column, .double) { $0.setDouble(column, object.row, value) }
  }

  /// - Parameter value: Seconds since the reference date, 2001-01-01.
  package func setDate(_ object: NumberedObject, _ column: Int, _ value: Double) throws(Refusal) {
    try write(object, column, .date) { $0.setDouble(column, object.row, value) }
  }

  package func setObjectId(_ object: NumberedObject, _ column: Int, _ value: Fixed12) throws(Refusal) {
    try write(object, column, .objectId) { $0.setFixed12(column, object.row, value) }
  }

  package func setDecimal128(_ object: NumberedObject, _ column: Int, _ value: Fixed16) throws(Refusal) {
    try write(object, column, .decimal128) { $0.setFixed16(column, object.row, value) }
  }

  package func setUUID(_ object: NumberedObject, _ column: Int, _ value: Fixed16) throws(Refusal) {
    try write(object, column, .uuid) { $0.setFixed16(column, object.row, value) }
  }

  package func setString(
    _ object: NumberedObject, _ column: Int, utf8 bytes: UnsafeRawBufferPointer
  ) throws(Refusal) {
    if !NumberedText.isStorable(bytes) { throw invalidText(object, column, bytes, .string) }
    try write(object, column, .string) { $0.setString(column, object.row, utf8: bytes) }
  }

  package func setData(
    _ object: NumberedObject, _ column: Int, _ bytes: UnsafeRawBufferPointer
  ) throws(Refusal) {
    if bytes.count > NumberedText.sizeLimit { throw invalidText(object, column, bytes, .data) }
    try write(object, column, .data) { $0.setData(column, object.row, bytes) }
  }

  /// Another reason comes first: that of a property that takes no text at all.
  private func invalidText(
    _ object: NumberedObject, _ column: Int, _ bytes: UnsafeRawBufferPointer, _ type: ValueType
  ) -> Refusal {
    do throws(Refusal) {
      let kind = try checkedColumn(object.classNumber, column)
      if kind.single != type.rawValue { return refusal(writing: object, column, type) }
      return unstorable(bytes, name(object.classNumber, column))
    } catch {
      return error
    }
  }

  /// Adds to an integer; wraps around at the ends of its range.
  package func add(_ object: NumberedObject, _ column: Int, _ difference: Int64) throws(Refusal) {
    let value: Int64
    do throws(Refusal) {
      value = try integer(object, column)
    } catch {
      // Where nothing could be written anyway, that is the reason.
      if error.code == .isNull { try checkWrite() }
      throw error
    }
    try setInteger(object, column, value &+ difference)
  }

  // MARK: Any type

  /// Sets a single value of any type that the property can hold. A link to an embedded object is refused.
  package func set(_ object: NumberedObject, _ column: Int, _ value: NumberedValue) throws(Refusal) {
    let kind = try checkedColumn(object.classNumber, column)
    let table = try checkedTable(of: object)
    try checkWrite()
    if kind.isPrimaryKey {
      if core.migration == nil { throw changesKey }
      noteChangedKey(table)
    }
    try checkAccepts(value, object.classNumber, column)
    store(value, table, column, object.row)
    try checkDamage()
  }

  /// Puts a new embedded object with the defaults of its class in the place of the present one, which is deleted.
  package func setEmbedded(_ object: NumberedObject, _ column: Int) throws(Refusal) -> NumberedObject {
    let kind = try checkedColumn(object.classNumber, column)
    let table = try checkedTable(of: object)
    try checkWrite()
    guard kind.single == ValueType.link.rawValue else {
      throw wrongType(object.classNumber, column, asked: PropertyType.object.name)
    }
    let target = Int(kind.target)
    if !tables.pointee.classes[target].isEmbedded {
      throw Refusal(
        .embedded,
        "Class '\(className(target))' of property \(name(object.classNumber, column)) is not embedded: create an object and link to it."
      )
    }
    let embedded = insertEmbedded(target)
    table.setLink(column, object.row, embedded.row)
    try checkDamage()
    return embedded
  }

  /// A new row of an embedded class with the defaults of the class. The caller puts it into its place at once.
  package func insertEmbedded(_ number: Int) -> NumberedObject {
    let table = tables.pointee.classes[number].table
    let row = table.insertRow()
    storeDefaults(number, row) { _ in false }
    return NumberedObject(classNumber: number, row: row)
  }

  // MARK: Deleting

  /// Deletes an object, with what it owns.
  package func delete(_ object: NumberedObject) throws(Refusal) {
    let table = try checkedTable(of: object)
    try checkWrite()
    table.deleteRow(object.row)
    try checkDamage()
  }
}
