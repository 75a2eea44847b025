import Storage

/// How the members of records become the properties of a class.
final class ClassBinding {
  let number: Int
  let name: String
  let columns: [Column]
  let key: PrimaryKey?
  /// Whether something may refer to its objects by their numbers in the source.
  let mayBeLinkedTo: Bool
  private let numbers: [ExactText: Int]
  /// The members of the last record: those of the next one are mostly the same.
  private var last: [(name: String, column: Int)] = []
  private var isPresent: [Bool]

  init(_ reader: ClassReader) {
    number = reader.number
    name = reader.name
    columns = reader.description.columns
    key = reader.key
    isPresent = Array(repeating: false, count: columns.count)
    var numbers: [ExactText: Int] = [:]
    for column in reader.columns { numbers[ExactText(columns[column].name)] = column }
    self.numbers = numbers
    let table = reader.number
    mayBeLinkedTo = reader.snapshot.catalogue.tables.contains { other in
      other.columns.contains { $0.target == table && $0.type == .link || $0.type == .mixed }
    }
  }

  var names: [String] { numbers.keys.map(\.text).sorted() }

  func isKey(_ column: Int) -> Bool { key?.columns.contains(column) ?? false }

  func column(_ name: String, at position: Int) -> Int? {
    if position < last.count, last[position].name.isExactly(name) { return last[position].column }
    guard let column = numbers[ExactText(name)] else { return nil }
    if position == last.count { last.append((name, column)) }
    return column
  }

  func beginObject() {
    for column in isPresent.indices { isPresent[column] = false }
  }

  func note(_ column: Int) { isPresent[column] = true }

  /// Calls the body with each property that the object does not have.
  func forEachMissing(_ body: (Int) throws -> Void) rethrows {
    for column in columns.indices
    where !isPresent[column] && !columns[column].isRemoved && !columns[column].name.isEmpty {
      try body(column)
    }
  }
}
