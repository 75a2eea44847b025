import Storage

/// The slots of what is stored in the embedded objects of a class.
struct EmbeddedSlots: Sendable, Hashable {
  /// By the columns that lead from the class to a value. A link that is written stands for everything behind it.
  private var slots: [[Int]: [Int]] = [:]
  /// By the columns that lead from the class to embedded objects that are one value with all that they hold.
  private var documents: [[Int]: Int] = [:]

  init(_ properties: [LocalProperty]) {
    for property in properties where property.embedded != nil {
      let columns = property.columns
      slots[columns, default: []].append(property.slot)
      if property.embedded?.isDocument == true { documents[columns] = property.slot }
      // A new object, or none, in place of one is a write of all its values.
      for length in 1..<columns.count { slots[Array(columns[..<length]), default: []].append(property.slot) }
    }
  }

  var isEmpty: Bool { slots.isEmpty }

  /// Returns the slots of what a write of a column has changed.
  ///
  /// - Parameter columns: The columns that lead from the class to the value, the written one included.
  subscript(columns: [Int]) -> [Int] {
    if let found = slots[columns] { return found }
    if documents.isEmpty { return [] }
    return (1..<columns.count).compactMap { documents[Array(columns[..<$0])] }
  }
}

/// What embedded objects belong to. The parent of an embedded object never changes.
struct EmbeddedParents {
  /// For each embedded table, the columns that may lead to its rows.
  private var origins: [Int: [(table: Int, column: Int)]] = [:]
  private let snapshot: Snapshot
  private static let greatestDepth = 1 << 16

  init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    let tables = snapshot.catalogue.tables
    for (number, table) in tables.enumerated() where !table.isRemoved {
      for (column, description) in table.columns.enumerated()
      where !description.isRemoved && description.type == .link && tables[description.target].isEmbedded {
        origins[description.target, default: []].append((number, column))
      }
    }
  }

  /// Whether the rows of a table are embedded objects.
  func isEmbedded(_ table: Int) -> Bool { snapshot.catalogue.tables[table].isEmbedded }

  /// Returns the row that an embedded object belongs to, which is not embedded itself, the columns that lead from there to it, and
  /// the row of the first embedded object on that way; nil for a row that is not there any more.
  func owner(of row: Int, table: Int) -> (table: Int, row: Int, path: [Int], outermost: Int)? {
    var place = (table: table, row: row)
    var outermost = row
    var path: [Int] = []
    while isEmbedded(place.table) {
      // In a damaged file the way may be a circle.
      guard path.count < Self.greatestDepth, snapshot.isAlive(table: place.table, row: place.row),
        let parent = parent(of: place)
      else { return nil }
      path.append(parent.column)
      outermost = place.row
      place = (parent.table, parent.row)
    }
    return (place.table, place.row, path.reversed(), outermost)
  }

  private func parent(of place: (table: Int, row: Int)) -> (table: Int, column: Int, row: Int)? {
    for origin in origins[place.table] ?? [] {
      let rows = snapshot.backlinks(
        to: place.row, of: place.table, from: origin.table, column: origin.column)
      if let row = rows.first { return (origin.table, origin.column, row) }
    }
    return nil
  }
}
