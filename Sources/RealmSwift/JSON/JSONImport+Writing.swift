import Foundation
import Storage

// Writing the object that was read.
extension JSONImport {
  func write() throws {
    // Keys of several properties, and those that the file gives, are found and made there.
    if needsCreation || classTable.compositeKey != nil || classTable.keySequence != nil {
      return try create()
    }
    if let (_, column) = classTable.primaryKeyProperty {
      guard let key = stored(classTable.schema.primaryKeyIndex!) else { return try create() }
      let table = classTable.table
      if let row = table.snapshot.firstRow(table: table.number, column: column, equalTo: IndexKey(key)) {
        if policy == .error {
          throw refusal(.duplicatePrimaryKey(classTable.className, key.scalarValue ?? "(null)"))
        }
        return update(row)
      }
    }
    for index in properties.indices where properties[index].hasDefault {
      if case .absent = fields[index] { return try create() }
    }
    insert()
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

  private func insert() {
    let row = classTable.table.insertRow()
    for index in properties.indices where properties[index].column >= 0 { set(index, row) }
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

  private func create() throws {
    var values: [String: Any] = [:]
    for index in properties.indices {
      if case .absent = fields[index] { continue }
      values[properties[index].property.name] =
        converted[index]?.value ?? stored(index)?.scalarValue ?? NSNull()
    }
    if let error = realm.createReportingTakenKey(classTable, values, policy: policy) { throw refusal(error) }
  }
}
