import Storage

// Comparing the classes of a realm with the tables of its file.
extension SchemaChange {
  /// All differences, in the order of the classes' names. Classes that only the file has are none.
  ///
  /// Allocates nothing when there is no difference, and no index over several properties.
  static func all(from catalogue: Catalogue, to classes: ModelClasses) -> [SchemaChange] {
    var changes: [SchemaChange] = []
    for schema in classes.schemas {
      guard let table = catalogue.table(named: schema.className) else {
        changes.append(.classAdded(schema))
        continue
      }
      compare(schema, table, catalogue, &changes)
    }
    return changes
  }

  private static func compare(
    _ schema: ClassSchema, _ table: Int, _ catalogue: Catalogue, _ changes: inout [SchemaChange]
  ) {
    let description = catalogue.tables[table]
    if description.isEmbedded != schema.isEmbedded {
      changes.append(.embeddednessChanged(schema, table: table))
    }
    for property in schema.properties {
      if let column = description.column(named: property.columnName) {
        compare(schema, property, table, column, catalogue, &changes)
      } else {
        changes.append(.propertyAdded(schema, property, table: table))
      }
    }
    for (column, stored) in description.columns.enumerated() where !stored.isRemoved {
      if !schema.properties.contains(where: { $0.columnName == stored.name }) {
        changes.append(.propertyRemoved(schema, table: table, column: column))
      }
    }
    let oldKey = description.primaryKey.map { description.columns[$0].name }
    let newKey = schema.primaryKey?.columnName
    switch (oldKey, newKey) {
    case (nil, nil): break
    case (nil, _?): changes.append(.primaryKeyAdded(schema, table: table))
    case (_?, nil): changes.append(.primaryKeyRemoved(schema, table: table))
    case (let old?, let new?):
      if old != new { changes.append(.primaryKeyChanged(schema, from: old, to: new, table: table)) }
    }
    if schema.indexes.areChosen || !description.indexes.isEmpty {
      compareIndexes(schema, table, description, &changes)
    }
  }

  private static func compareIndexes(
    _ schema: ClassSchema, _ table: Int, _ description: TableDescription, _ changes: inout [SchemaChange]
  ) {
    let missing = schema.indexes.compound.filter { !description.has($0, of: schema) }
    let others = description.indexes.filter { index in
      !schema.keeps(index, of: description)
        || index.columns.contains { column in
          !schema.properties.contains {
            $0.columnName == description.columns[column].name && $0.canBeInCompoundIndex
          }
        }
    }
    changes += missing.map { .compoundIndexAdded(schema, $0, table: table) }
    changes += others.map { .compoundIndexRemoved(schema, $0, table: table) }
  }

  private static func compare(
    _ schema: ClassSchema, _ property: ClassProperty, _ table: Int, _ column: Int, _ catalogue: Catalogue,
    _ changes: inout [SchemaChange]
  ) {
    let stored = catalogue.tables[table].columns[column]
    let hasSameTarget =
      stored.target < 0 || property.kind.targetName == catalogue.tables[stored.target].name
    if stored.type != property.kind.type.valueType || stored.collection != property.kind.collection
      || !hasSameTarget
    {
      changes.append(.typeChanged(schema, property, table: table, column: column))
      return
    }
    if stored.isNullable != property.isNullable {
      changes.append(
        property.isNullable
          ? .madeOptional(schema, property, table: table, column: column)
          : .madeRequired(schema, property, table: table, column: column))
    }
    // A key is indexed because it is a key.
    if stored.isIndexed != property.isIndexed && !property.isPrimaryKey && !stored.isPrimaryKey {
      changes.append(
        property.isIndexed
          ? .indexAdded(schema, property, table: table, column: column)
          : .indexRemoved(schema, property, table: table, column: column))
    }
    if property.isFullText {
      if !stored.isFullText {
        changes.append(.wordIndexAdded(schema, property, table: table, column: column))
      }
    } else if stored.wordRule != 0 {
      changes.append(.wordIndexRemoved(schema, property, table: table, column: column))
    }
    if let choice = property.choosesIncrement, choice != stored.isSequence {
      changes.append(.incrementChanged(schema, property, table: table, column: column))
    }
    if let choice = property.choosesUnique, choice != stored.isUnique {
      changes.append(.uniquenessChanged(schema, property, table: table, column: column))
    }
    if let rule = property.deleteRule, rule != stored.linkRule {
      changes.append(.deleteRuleChanged(schema, property, rule, table: table, column: column))
    }
  }
}

extension ClassProperty {
  /// Whether the column can hold null. Links and mixed values always can.
  var isNullable: Bool { kind.isNullable || kind.type == .object || kind.type == .any }

  /// The property's column, in a file where the classes have these tables.
  func column(_ tableNumber: (String) -> Int) -> Column {
    var column = Column(
      name: columnName, type: kind.type.valueType!, collection: kind.collection, isNullable: isNullable,
      isIndexed: isIndexed, isPrimaryKey: isPrimaryKey, isFullText: isFullText,
      target: kind.targetName.map(tableNumber) ?? -1)
    column.isSequence = choosesIncrement ?? false
    column.isUnique = choosesUnique ?? false
    column.linkRule = deleteRule ?? .nullify
    return column
  }
}
