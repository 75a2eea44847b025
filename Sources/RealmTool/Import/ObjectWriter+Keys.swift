import RealmSwift
import Storage

extension ObjectWriter {
  /// Writes an object of a class with a primary key: the one that has it already, or a new one.
  func write(
    _ members: [JSONValue.Member], _ binding: ClassBinding, _ key: PrimaryKey
  ) throws -> (row: Int, outcome: Outcome) {
    let given = key.columns.map { column in
      members.first { $0.name.isExactly(binding.columns[column].name) }?.value
    }
    switch try place(of: given, binding, key) {
    case .known(let row):
      return (row, try fill(row, members, binding, isNew: false) ? .updated : .unchanged)
    case .new(let row):
      _ = try fill(row, members, binding, isNew: true)
      return (row, .added)
    }
  }

  enum KeyedRow {
    case known(Int)
    case new(Int)
  }

  /// Returns the row of the object with a primary key, or a new row, which gets the key.
  func place(of given: [JSONValue?], _ binding: ClassBinding, _ key: PrimaryKey) throws -> KeyedRow {
    let table = snapshot.table(binding.number)
    let values: [Value]
    if binding.columns[key.columns[0]].isSequence && Self.isToBeNumbered(given[0]) {
      values = [try nextNumber(key.columns[0], binding)]
    } else {
      values = try zip(key.columns, given).map { column, value in
        guard let value else {
          let name = "'\(binding.columns[column].name)'"
          throw ValueFault(
            "\(key.isComposite ? "\(name) of the primary key" : "the primary key \(name)") of class '\(binding.name)' is missing"
          )
        }
        return try ValueReading.value(value, binding.columns[column], of: binding.name, numericDates)
      }
      if let row = key.row(values, in: snapshot) {
        if policy == .error {
          throw ValueFault(
            "there is a \(binding.name) with the primary key \(shown(given[0]!, values)) already: \(adviceToUpdate)",
            isDueToObjects: true)
        }
        return .known(row)
      }
      if binding.columns[key.columns[0]].isSequence, case .int(let number) = values[0] {
        table.raiseSequence(key.columns[0], to: number)
      }
    }
    let row = table.insertRow()
    for (column, value) in zip(key.columns, values) { table.setValue(column, row, value) }
    return .new(row)
  }

  private func nextNumber(_ column: Int, _ binding: ClassBinding) throws -> Value {
    guard let number = snapshot.table(binding.number).nextInSequence(column, limit: .max) else {
      throw ValueFault(
        "class '\(binding.name)' has no number left for the primary key '\(binding.columns[column].name)'",
        isDueToObjects: true)
    }
    return .int(number)
  }

  /// Whether an object of a class that the file numbers has no number of its own.
  private static func isToBeNumbered(_ key: JSONValue?) -> Bool {
    switch key {
    case nil, .null?, .int(0)?, .field("0")?: true
    default: false
    }
  }

  /// A key in messages.
  func shown(_ given: JSONValue, _ values: [Value]) -> String {
    values.count == 1 ? given.shown : JSONText(snapshot).key(values)
  }
}
