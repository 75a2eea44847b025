import Storage

// Embedded objects in the model: each of their properties is a property of the class that holds them.
extension ModelReader {
  /// Returns the properties of the embedded object that a column leads to: first the one that says whether there is an object, then
  /// its own ones, and those of the embedded objects in it.
  ///
  /// - Parameters:
  ///   - table: The table that has the column.
  ///   - number: The number of the column.
  ///   - owner: What the path begins with; nil if the table is that of a synchronised class.
  mutating func embedded(
    _ table: TableDescription, _ number: Int, in owner: EmbeddedOwner? = nil
  ) -> [SyncProperty] {
    let column = table.columns[number]
    guard column.isEmbeddedObject(in: catalogue) else { return [] }
    var owner = owner ?? EmbeddedOwner(className: table.name)
    owner.names.append(column.name)
    if isDocument(column.target) {
      return [
        SyncProperty(
          name: owner.columnName, column: number, number: 0, type: .jsonb, isOptional: true, path: owner.path,
          isDocument: true)
      ]
    }
    var properties = [
      SyncProperty(
        name: owner.columnName, column: number, number: 0, type: .boolean, path: owner.path,
        isPresence: true)
    ]
    owner.path.append(number)
    let target = catalogue.tables[column.target]
    for number in target.columns.indices where !target.columns[number].isRemoved {
      if var property = property(target, number, number: 0) {
        check(&property, target.columns[number], of: target, in: owner)
        properties.append(property)
      }
      properties += embedded(target, number, in: owner)
    }
    return properties
  }

  /// Gives a property of an embedded object its place in the class.
  private mutating func check(
    _ property: inout SyncProperty, _ column: Column, of table: TableDescription, in owner: EmbeddedOwner
  ) {
    var owner = owner
    property.path = owner.path
    owner.names.append(column.name)
    property.name = owner.columnName
    let own = PropertyName(table.name, column.name)
    let flat = PropertyName(owner.className, property.name)
    if property.isCounter || counters.contains(flat) {
      refuse(.counter, "'\(own)' cannot be a counter: it is a property of embedded objects.")
    }
    if property.isRouting {
      refuse(
        .routing,
        "'\(own)' is a property of embedded objects: name the column of their owner instead, as in '\(flat)'."
      )
    }
    property.isCounter = false
    property.isRouting = routing.contains(flat)
  }

  /// Refuses the contents of an embedded class that cannot be synchronised.
  ///
  /// - Parameter isDocument: Whether each object is one value on the server, because it is the element of a collection or holds
  ///   collections.
  mutating func check(embedded number: Int, isDocument: Bool) {
    let tables = isDocument ? embeddedTables(in: number).union([number]).sorted() : [number]
    isInDocument = isDocument
    for number in tables where checkedTables.insert(CheckedTable(number, isDocument)).inserted {
      let table = catalogue.tables[number]
      for column in table.columns where !column.isRemoved { check(column, of: table) }
    }
    isInDocument = false
  }

  /// Whether the objects of an embedded class are one value on the server: they hold collections, or objects of their own class at any
  /// depth.
  func isDocument(_ number: Int) -> Bool {
    catalogue.tables[number].columns.contains { !$0.isRemoved && $0.collection != .none }
      || embeddedTables(in: number).contains(number)
  }

  /// The tables of what an embedded object can hold, at any depth.
  private func embeddedTables(in number: Int) -> Set<Int> {
    var (found, next): (Set<Int>, [Int]) = ([], [number])
    while let table = next.popLast() {
      for column in catalogue.tables[table].columns
      where !column.isRemoved && column.type == .link && catalogue.tables[column.target].isEmbedded
        && found.insert(column.target).inserted
      {
        next.append(column.target)
      }
    }
    return found
  }

  /// Refuses names of columns that are too long, or that several properties of a class have.
  mutating func checkColumnNames(
    _ key: SyncProperty, _ properties: [SyncProperty], of table: TableDescription
  ) {
    var owners = [key.name: text(of: key, table)]
    for property in properties {
      let name = text(of: property, table)
      if !property.path.isEmpty, property.name.utf8.count > SQLText.nameLimit {
        refuse(
          .nameTooLong,
          "'\(name)' is the column '\(property.name)' on the server, whose name has "
            + "\(property.name.utf8.count) bytes, and can have at most \(SQLText.nameLimit): give the "
            + "properties shorter names.")
      }
      if let other = owners.updateValue(name, forKey: property.name) {
        refuse(
          .clashingNames,
          "'\(other)' and '\(name)' both need the column '\(property.name)' on the server: rename one.")
      }
    }
  }

  /// Returns the names that lead from a class to a property, with dots between them.
  private func text(of property: SyncProperty, _ table: TableDescription) -> String {
    var names = [table.name]
    var table = table
    for column in property.path {
      names.append(table.columns[column].name)
      table = catalogue.tables[table.columns[column].target]
    }
    return (names + [table.columns[property.column].name]).joined(separator: ".")
  }
}

/// An embedded class whose contents were checked.
struct CheckedTable: Hashable {
  private let number: Int
  private let isDocument: Bool

  init(_ number: Int, _ isDocument: Bool) {
    self.number = number
    self.isDocument = isDocument
  }
}

/// The class that holds an embedded object, and the way from there to the object.
struct EmbeddedOwner {
  var className: String
  var path: [Int] = []
  var names: [String] = []

  /// The name on the server of the column that the names lead to.
  var columnName: String { names.joined(separator: "_") }
}

extension Column {
  /// Whether the values are single embedded objects.
  func isEmbeddedObject(in catalogue: Catalogue) -> Bool {
    type == .link && collection == .none && catalogue.tables[target].isEmbedded
  }
}
