import RealmSwift
import Storage

/// How a value from a source is written to a column: as it stands in the source, or after conversion.
enum CellTarget {
  case int, bool, double, date, string
  /// The value is converted first: see `ObjectWriter.set`.
  case other

  init(_ column: Column) {
    guard column.collection == .none else {
      self = .other
      return
    }
    switch column.type {
    case .int: self = .int
    case .bool: self = .bool
    case .double: self = .double
    case .date: self = .date
    case .string: self = .string
    default: self = .other
    }
  }
}

extension ObjectWriter {
  /// Writes a record as an object of a class that is not embedded.
  ///
  /// - Throws: `ValueFault`.
  func write(_ record: Record, to table: Int) throws -> Outcome {
    let binding = binding(table)
    let columns = binding.columns(for: record.names)
    let row: Int
    if let key = binding.key {
      let given = key.columns.map { column in
        record.members.firstIndex { columns[$0] == column }.map { record.value(record.cells[$0]) }
      }
      switch try place(of: given, binding, key) {
      case .known(let row):
        return try fill(row, record.object, binding, isNew: false) ? .updated : .unchanged
      case .new(let new): row = new
      }
    } else {
      let number =
        binding.mayBeLinkedTo ? record.members.firstIndex { record.names[$0] == "$row" } : nil
      row = try newRow(number.map { record.value(record.cells[$0]) }, binding)
    }
    try fill(row, record, columns, binding)
    return .added
  }

  /// Writes the members of a new object.
  private func fill(
    _ row: Int, _ record: Record, _ columns: ContiguousArray<Int?>, _ binding: ClassBinding
  ) throws {
    let table = snapshot.table(binding.number)
    binding.beginObject()
    for (name, cell) in zip(record.members, record.cells) {
      guard let column = columns[name] else {
        try refuse(record.names[name], binding)
        continue
      }
      binding.note(column)
      if write(cell, column, binding.targets[column], row, table) || binding.isKey(column) { continue }
      _ = try set(row, column, record.value(cell), binding, isNew: true)
    }
    try fillMissing(row, binding)
  }

  /// Writes a value of the column's type in its common form. Returns false, and writes nothing, for any other.
  @inline(__always)
  private func write(_ cell: Cell, _ column: Int, _ target: CellTarget, _ row: Int, _ table: Table) -> Bool {
    switch (target, cell) {
    case (.int, .int(let number)): table.setInteger(column, row, number)
    case (.int, .field(let bytes)):
      guard let number = FieldText.integer(bytes) else { return false }
      table.setInteger(column, row, number)
    case (.double, .int(let number)): table.setDouble(column, row, Double(number))
    case (.double, .number(let scanned)):
      guard let number = scanned.double else { return false }
      table.setDouble(column, row, number)
    case (.double, .field(let bytes)):
      guard let number = FieldText.double(bytes) else { return false }
      table.setDouble(column, row, number)
    case (.bool, .bool(let flag)): table.setBool(column, row, flag)
    case (.bool, .field(let bytes)):
      guard let flag = FieldText.bool(bytes) else { return false }
      table.setBool(column, row, flag)
    case (.date, .string(let bytes)), (.date, .field(let bytes)):
      // Digits alone are no date here: `set` applies the unit that the user has given.
      guard let seconds = DateText.seconds(utf8: bytes) else { return false }
      table.setDouble(column, row, seconds)
    case (.string, .string(let bytes)), (.string, .field(let bytes)):
      table.setString(column, row, utf8: bytes)
    default: return false
    }
    return true
  }
}
