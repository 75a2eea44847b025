import OfficialFiles
import Storage

/// Writes the objects of an official file to a new one, in transactions of bounded size.
struct RowConversion {
  private let file: OfficialFile
  private let target: Snapshot
  private let schema: ConvertedSchema
  private(set) var values: ValueConversion
  private var changes = 0

  /// How many values, or hundreds of bytes of them, one transaction writes.
  private static let part = 200_000
  private static let bytesOfChange = 100
  /// How many elements of a list are added at once.
  private static let elementCount = 1_000

  init(_ file: OfficialFile, _ schema: ConvertedSchema, _ values: ValueConversion, _ target: Snapshot) {
    self.file = file
    self.schema = schema
    self.values = values
    self.target = target
  }

  /// - Parameter progress: Is called with the number of written objects.
  mutating func run(_ progress: (Int) throws -> Void) throws {
    for (table, converted) in schema.classes.enumerated() {
      try converted.source.forEachBlock { block in
        try write(block, table, converted)
        values.report.objectCount += block.count
        try progress(values.report.objectCount)
      }
    }
    try removeOrphans()
  }

  private mutating func write(
    _ block: OfficialObjects, _ number: Int, _ converted: ConvertedSchema.Class
  ) throws {
    let table = target.table(number)
    let first = table.rowLimit
    for _ in 0..<block.count { _ = table.insertRow() }
    changes += block.count
    for (column, property) in converted.properties.enumerated() {
      let description = schema.tables[number].columns[column]
      try block.forEachValue(ofProperty: property) { row, value in
        if case .collection(let collection) = value, description.collection != .none {
          if collection.isEmpty { return }
          try write(collection, Cell(table: number, column: column, row: first + row), description)
        } else {
          try set(target.table(number), column, first + row, value, isMixed: description.type == .mixed)
        }
      }
    }
    if changes >= Self.part { try begin() }
  }

  /// Values that are never written are zero or null.
  @inline(__always)
  private mutating func set(
    _ table: Table, _ column: Int, _ row: Int, _ value: OfficialValue, isMixed: Bool
  ) throws {
    changes += 1 + value.byteCount / Self.bytesOfChange
    switch value {
    case .null: return
    case .int(let number) where !isMixed: table.setInteger(column, row, number)
    case .bool(let flag) where !isMixed: table.setBool(column, row, flag)
    case .data(let bytes) where !isMixed: bytes.withBytes { table.setData(column, row, $0) }
    default:
      let value = try values.value(value)
      if !value.isNull { table.setValue(column, row, value) }
    }
  }

  private struct Cell {
    let table: Int
    let column: Int
    let row: Int
  }

  private mutating func write(_ collection: OfficialCollection, _ cell: Cell, _ description: Column) throws {
    switch description.collection {
    case .none: preconditionFailure("written as a value")
    case .list: try writeList(collection, cell, description)
    case .set:
      try collection.forEachElement { element in
        guard let value = try self.element(element, description) else { return }
        if !target.table(cell.table).insertIntoSet(cell.column, cell.row, value) {
          values.report.equalElements += 1
        }
        try count(element)
      }
    case .map:
      try collection.forEachEntry { key, element in
        let value = try self.element(element, description, isMap: true) ?? .null
        target.table(cell.table).setMapValue(cell.column, cell.row, key: key.string, value)
        try count(element)
      }
    }
  }

  private mutating func writeList(
    _ collection: OfficialCollection, _ cell: Cell, _ description: Column
  ) throws {
    var elements: [Value] = []
    func add() {
      let table = target.table(cell.table)
      table.insertElements(cell.column, cell.row, at: table.count(cell.column, cell.row), elements)
      elements = []
    }
    try collection.forEachElement { element in
      guard let value = try self.element(element, description) else { return }
      elements.append(value)
      if elements.count == Self.elementCount { add() }
      try count(element)
    }
    add()
  }

  /// Nil for a link that leads nowhere.
  private mutating func element(
    _ element: OfficialValue, _ column: Column, isMap: Bool = false
  ) throws -> Value? {
    let value = try values.value(element)
    if value.isNull {
      if column.type == .link { return nil }
      return column.isNullable ? .null : Value.zero(of: column.type)
    }
    guard column.type == .mixed || value.isOf(column.type, target: column.target) else {
      if let losses = file.losses {
        losses.add(.elements, nil, column.name, "a collection has a value of another type")
        return nil
      }
      throw OfficialFileError(
        path: file.path,
        reason: .damaged(.init(what: "a collection '\(column.name)' has a value of another type")))
    }
    return value
  }

  /// Begins another transaction every now and then.
  private mutating func count(_ element: OfficialValue) throws {
    changes += 1 + element.byteCount / Self.bytesOfChange
    if changes >= Self.part { try begin() }
  }

  private mutating func begin() throws {
    changes = 0
    try Writer(target).commit(durability: .relaxed)
    try Writer(target).begin()
  }

  /// An embedded object has a parent.
  private mutating func removeOrphans() throws {
    for (table, parents) in values.parents.enumerated() {
      guard let parents else { continue }
      for row in 0..<values.rowCount(table) where !parents.has(row) && target.isAlive(table: table, row: row)
      {
        target.table(table).deleteRow(row)
        values.report.orphans += 1
        values.report.objectCount -= 1
        changes += 1
        if changes >= Self.part { try begin() }
      }
    }
  }
}

extension OfficialValue {
  /// Of text and data.
  fileprivate var byteCount: Int {
    switch self {
    case .string(let bytes), .data(let bytes): bytes.count
    default: 0
    }
  }
}

extension Value {
  /// Whether it can be an element of a column's collections.
  fileprivate func isOf(_ type: ValueType, target: Int) -> Bool {
    switch (self, type) {
    case (.int, .int), (.bool, .bool), (.float, .float), (.double, .double), (.string, .string),
      (.data, .data),
      (.date, .date), (.objectId, .objectId), (.uuid, .uuid), (.decimal128, .decimal128):
      true
    case (.link(let table, _), .link): table == target
    default: false
    }
  }
}
