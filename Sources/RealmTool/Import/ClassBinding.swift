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
  /// The members of the last record: most records have the same ones.
  private var last: [(name: String, column: Int)] = []
  /// Number of the last object that had each property.
  private var lastObjects: [Int]
  private var object = 0
  private var presentCount = 0
  private let liveCount: Int
  /// How values of each column are written, by column number.
  let targets: [CellTarget]
  /// Columns by name number in the source that is being read; nil for names without a column.
  private var recordSource: RecordNames.Source?
  private var recordColumns: ContiguousArray<Int?> = []

  init(_ reader: ClassReader) {
    number = reader.number
    name = reader.name
    columns = reader.description.columns
    key = reader.key
    lastObjects = Array(repeating: 0, count: columns.count)
    var numbers: [ExactText: Int] = [:]
    for column in reader.columns { numbers[ExactText(columns[column].name)] = column }
    self.numbers = numbers
    liveCount = numbers.count
    let key = self.key
    targets = columns.indices.map {
      key?.columns.contains($0) == true ? .other : CellTarget(reader.column($0))
    }
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

  /// Returns the columns by name number; nil for names without a column.
  func columns(for names: RecordNames) -> ContiguousArray<Int?> {
    if recordSource !== names.source {
      recordSource = names.source
      recordColumns = []
    }
    while recordColumns.count < names.count {
      recordColumns.append(numbers[ExactText(names[recordColumns.count])])
    }
    return recordColumns
  }

  func beginObject() {
    object += 1
    presentCount = 0
  }

  func note(_ column: Int) {
    lastObjects[column] = object
    presentCount += 1
  }

  /// Calls the body with each property that the object does not have.
  func forEachMissing(_ body: (Int) throws -> Void) rethrows {
    if presentCount == liveCount { return }
    for column in columns.indices
    where lastObjects[column] != object && !columns[column].isRemoved && !columns[column].name.isEmpty {
      try body(column)
    }
  }
}
