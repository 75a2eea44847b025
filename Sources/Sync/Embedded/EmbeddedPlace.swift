package import Storage

/// The place of a synchronised property that is not a column of its class: a property of an embedded object, the presence of
/// one, or all that one holds.
package struct EmbeddedPlace: Sendable, Hashable {
  /// The link columns from the table of the class to the embedded object that has the column; empty if the class itself has it.
  package var path: [Int]
  /// Whether the value says that the column, which is a link, leads to an embedded object.
  package var isPresence: Bool
  /// Whether the value is the whole embedded object that the column, which is a link, leads to.
  package var isDocument: Bool
  /// The number under which writes of the property are pending.
  package var slot: Int
  /// The value that is sent while there is no object which could have one.
  package var absent: Value

  /// Slots from here on are those of embedded objects; below are columns of the class.
  private static let firstSlot = 1 << 20

  /// Returns nil for a property that is a column of its class.
  ///
  /// - Parameter index: The position of the property in its class.
  package init?(_ property: SyncProperty, index: Int) {
    if property.path.isEmpty && !property.isPresence && !property.isDocument { return nil }
    path = property.path
    isPresence = property.isPresence
    isDocument = property.isDocument
    slot = Self.firstSlot + index
    absent = property.isOptional ? .null : Value.zero(of: property.type.valueType) ?? .null
  }
}

extension LocalProperty {
  /// The columns from the class to the value, the last one included.
  var columns: [Int] { (embedded?.path ?? []) + [column] }
}

extension Catalogue {
  /// Returns the names of columns that lead from a class to a property, with dots between them.
  func path(_ columns: [Int], from table: Int) -> String {
    var table = table
    return columns.map { number in
      let column = tables[table].columns[number]
      table = column.target
      return column.name
    }.joined(separator: ".")
  }
}

// Values of embedded objects, as the columns of their owner's table on the server have them.
extension LocalClass {
  /// Returns the embedded object that a path leads to from a row; nil if there is none.
  func holder(at path: [Int], row: Int, in snapshot: Snapshot) -> (table: Int, row: Int)? {
    var place = (table: table, row: row)
    for column in path {
      guard let next = snapshot.table(place.table).link(column, place.row) else { return nil }
      place = (snapshot.catalogue.tables[place.table].columns[column].target, next)
    }
    return place
  }

  /// Returns the value of a property of an embedded object, or whether there is an embedded object.
  func embeddedValue(
    of property: LocalProperty, _ place: EmbeddedPlace, row: Int, in snapshot: Snapshot
  ) -> Value {
    guard let holder = holder(at: place.path, row: row, in: snapshot) else { return place.absent }
    if place.isPresence {
      return .bool(snapshot.table(holder.table).link(property.column, holder.row) != nil)
    }
    if place.isDocument {
      let value = snapshot.table(holder.table).value(property.column, holder.row)
      guard case .link(let table, let row) = value else { return .null }
      return EmbeddedDocument(snapshot).value(table: table, row: row)
    }
    return embeddedClass(holder.table).value(of: property.inItsTable, row: holder.row, in: snapshot)
  }

  /// Writes a value of an embedded object, which is dropped if there is no such object; or creates or deletes an embedded object.
  func setEmbeddedValue(
    _ value: Value, of property: LocalProperty, _ place: EmbeddedPlace, row: Int, in snapshot: Snapshot,
    _ unresolved: UnresolvedLinks
  ) {
    guard let holder = holder(at: place.path, row: row, in: snapshot) else { return }
    if place.isPresence {
      setPresence(value == .bool(true), property.column, holder, in: snapshot)
    } else if place.isDocument {
      setDocument(value, property, holder, in: snapshot)
    } else {
      embeddedClass(holder.table).setValue(
        value, of: property.inItsTable, row: holder.row, in: snapshot, unresolved)
    }
  }

  private func setPresence(
    _ isPresent: Bool, _ column: Int, _ holder: (table: Int, row: Int), in snapshot: Snapshot
  ) {
    let table = snapshot.table(holder.table)
    guard isPresent else { return table.setLink(column, holder.row, nil) }
    if table.link(column, holder.row) != nil { return }
    let target = snapshot.catalogue.tables[holder.table].columns[column].target
    table.setLink(column, holder.row, snapshot.insertEmptyRow(table: target))
  }

  /// The table of an embedded object, as the functions for values of properties take it. It has no key.
  private func embeddedClass(_ table: Int) -> LocalClass {
    LocalClass(name: name, table: table, keyColumn: -1, properties: [])
  }
}

extension LocalProperty {
  /// The property as the table that has its column sees it.
  var inItsTable: LocalProperty {
    var property = self
    property.embedded = nil
    return property
  }
}

extension Snapshot {
  /// Adds a row in which all values are null or zero, in the write transaction that is open.
  ///
  /// - Parameter without: Columns that the caller writes.
  func insertEmptyRow(table number: Int, without written: Set<Int> = []) -> Int {
    let table = table(number)
    let row = table.insertRow()
    let columns = catalogue.tables[number].columns
    for (column, description) in columns.enumerated()
    where !description.isRemoved && description.collection == .none && !written.contains(column) {
      // Indexed columns of a new row have to be written.
      if let zero = Value.zero(of: description.type), !description.isNullable {
        table.setValue(column, row, zero)
      } else {
        table.setValue(column, row, .null)
      }
    }
    return row
  }
}
