import Storage

// Collections in the model: each of them is a table of its own.
extension ModelReader {
  /// Returns nil for a column that is no collection which is synchronised.
  func collection(
    _ table: TableDescription, _ number: Int, number position: Int
  ) -> SyncCollection? {
    let column = table.columns[number]
    if column.collection != .none, column.type == .link, catalogue.tables[column.target].isEmbedded {
      return SyncCollection(
        name: column.name, column: number, number: position, kind: column.collection, element: .jsonb,
        isOptional: column.collection == .map, documents: column.target)
    }
    guard column.collection != .none, let type = serverType(of: column) else { return nil }
    return SyncCollection(
      name: column.name, column: number, number: position, kind: column.collection, element: type,
      isOptional: column.canHoldNull,
      target: column.type == .link ? catalogue.tables[column.target].name : nil)
  }

  /// Refuses collections of links to objects that are not synchronised, and what embedded objects in collections cannot hold.
  mutating func check(collection column: Column, _ name: String) {
    guard column.type == .link else { return }
    let target = catalogue.tables[column.target]
    if target.isEmbedded {
      check(embedded: column.target, isDocument: true)
    } else if !synchronised.contains(column.target) {
      refuse(
        .link,
        "'\(name)' is a \(column.collection) of links to '\(target.name)', which is not synchronised: synchronise '\(target.name)', too, or "
          + "remove the property.")
    }
  }

  /// Refuses names of collections that are too long for their tables, or that a property needs.
  mutating func checkNames(
    of collections: [SyncCollection], beside properties: [SyncProperty], of table: TableDescription
  ) {
    for collection in collections {
      let name = "\(table.name).\(collection.name)"
      let length = ServerNames.all(of: table.name, collection: collection.name).map(\.utf8.count).max() ?? 0
      if length > SQLText.nameLimit {
        refuse(
          .nameTooLong,
          "The collection '\(name)' needs a name of \(length) bytes on the server, and \(SQLText.nameLimit) are "
            + "possible: give the class or the property a shorter one.")
      }
      if properties.contains(where: { $0.name == collection.name }) {
        refuse(
          .clashingNames,
          "'\(name)' has the name of a column that the server needs for an embedded object: rename one.")
      }
    }
  }
}

extension Column {
  /// Whether an element can be null. Links in sets lead to objects, whatever the column says of single links.
  fileprivate var canHoldNull: Bool {
    switch (type, collection) {
    case (.link, .set): false
    case (.link, .map), (.mixed, _): true
    default: isNullable
    }
  }
}
