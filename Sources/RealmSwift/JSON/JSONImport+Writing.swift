import Foundation
import Storage

// Writing the object that was read.
extension JSONImport {
  func write() throws {
    if let requiredKey, case .absent = fields[requiredKey] {
      let key = properties[requiredKey].property
      throw scanner.fault(ValueError.missingValue(key, classTable.schema), at: start)
    }
    // Keys of several properties, and those that the file gives, are found and made there.
    if classTable.compositeKey != nil || classTable.keySequence != nil { return try create() }
    if let (_, column) = classTable.primaryKeyProperty {
      guard let key = stored(classTable.schema.primaryKeyIndex!) else { return try create() }
      let table = classTable.table
      if let row = table.snapshot.firstRow(table: table.number, column: column, equalTo: IndexKey(key)) {
        if policy == .error {
          throw refusal(
            .duplicatePrimaryKey(classTable.className, key: "\(key.scalarValue ?? "(null)")"))
        }
        update(row)
        return try writeStructured(row, isNew: false)
      }
    }
    var needsDefaults = false
    for index in properties.indices {
      guard case .absent = fields[index] else { continue }
      switch properties[index].defaultValue {
      case .none: break
      case .scalar: needsDefaults = true
      case .structured: return try create()
      }
    }
    let row = insert(needsDefaults ? classTable.schema.type.init() : nil)
    try writeStructured(row, isNew: true)
  }

  private func refusal(_ error: ProgrammerError) -> any Error { scanner.fault(error.message, at: start) }

  /// Nil for what is absent or structured.
  private func stored(_ index: Int) -> StoredValue? {
    switch fields[index] {
    case .absent: nil
    case .null: .null
    case .integer(let number): .int(number)
    case .bool(let flag): .bool(flag)
    case .double(let number): properties[index].type == .date ? .date(number) : .double(number)
    case .text(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    case .converted: if case .stored(let value)? = converted[index] { value } else { nil }
    }
  }

  /// - Parameter fresh: An object with the values that the text does not have.
  private func insert(_ fresh: ObjectBase?) -> Int {
    let table = classTable.table
    let row = table.insertRow()
    for index in properties.indices where properties[index].column >= 0 {
      guard case .absent = fields[index] else {
        set(index, row)
        continue
      }
      let property = properties[index]
      if case .scalar = property.defaultValue, let fresh {
        table.setValue(property.column, row, property.property.storedScalar(fresh) ?? .null)
      } else if property.property.kind.collection == .none && property.type != .object {
        // What is in an index has to be there.
        table.setNull(property.column, row)
      }
    }
    return row
  }

  private func update(_ row: Int) {
    let table = classTable.table
    table.prefetch(row, columns: classTable.updatedColumns)
    var columns: UInt64 = 0
    for (index, property) in properties.enumerated()
    where property.column >= 0 && index != classTable.schema.primaryKeyIndex {
      guard let value = stored(index) else { continue }
      columns |= 1 << UInt64(property.column)
      if policy == .modified && table.value(property.column, row).isExactly(value) { continue }
      set(index, row)
    }
    classTable.updatedColumns = columns
  }

  @inline(__always)
  private func set(_ index: Int, _ row: Int) {
    let table = classTable.table
    let column = properties[index].column
    switch fields[index] {
    case .absent: break
    case .null: table.setNull(column, row)
    case .integer(let number): table.setInteger(column, row, number)
    case .bool(let flag): table.setBool(column, row, flag)
    case .double(let number): table.setDouble(column, row, number)
    case .text(let bytes): table.setString(column, row, utf8: bytes)
    case .converted: if let value = stored(index) { table.setValue(column, row, value) }
    }
  }

  /// Writes the links, collections and mixed values of an object that has its other values.
  private func writeStructured(_ row: Int, isNew: Bool) throws {
    if !needsCreation { return }
    let object = classTable.accessor(row)
    let takenKey = realm.withCreation(policy, reportsTakenKeys: true) { creation in
      for index in properties.indices where properties[index].column >= 0 {
        guard case .structured(let value)? = converted[index] else { continue }
        creation.write(
          object, classTable, properties[index].property, properties[index].column, value, isNew: isNew)
      }
      return creation.takenKey
    }
    if let takenKey { throw refusal(takenKey) }
  }

  private func create() throws {
    var values: [String: Any] = [:]
    for index in properties.indices {
      if case .absent = fields[index] { continue }
      values[properties[index].property.name] =
        converted[index]?.value ?? stored(index)?.scalarValue ?? NSNull()
    }
    let takenKey = realm.withCreation(policy, reportsTakenKeys: true) { creation in
      _ = creation.object(classTable, .dictionary(values))
      return creation.takenKey
    }
    if let takenKey { throw refusal(takenKey) }
  }
}
