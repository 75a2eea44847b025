import Storage

/// Brings the tables of a file in line with the realm's classes, within a write transaction.
///
/// Values of existing objects are kept where the type allows it; what is new is zero, empty or null.
struct AutomaticMigration {
  private let classes: ModelClasses
  private let snapshot: Snapshot

  init(_ classes: ModelClasses, _ snapshot: Snapshot) {
    self.classes = classes
    self.snapshot = snapshot
  }

  /// The tables for classes that the file does not have yet, in that order.
  func tables(_ schemas: [ClassSchema]) -> [TableDescription] {
    let numbers = tableNumbers(adding: schemas)
    return schemas.map { schema in
      TableDescription(
        name: schema.className, isEmbedded: schema.isEmbedded,
        columns: schema.properties.map { property in property.column { numbers[$0] ?? -1 } })
    }
  }

  /// The number of each class's table, new ones in that order after those that are there.
  private func tableNumbers(adding new: [ClassSchema]) -> [String: Int] {
    var numbers: [String: Int] = [:]
    for (number, table) in snapshot.catalogue.tables.enumerated() where !table.isRemoved {
      numbers[table.name] = number
    }
    for (offset, schema) in new.enumerated() {
      numbers[schema.className] = snapshot.catalogue.tables.count + offset
    }
    return numbers
  }

  /// The catalogue as it is to be, and what has to be done once it is.
  private struct Plan {
    var catalogue: Catalogue
    var indexes: [(table: Int, column: Int)] = []
    var wordIndexes: [(table: Int, column: Int)] = []
    var unwritten: [(table: Int, column: Int, chunks: [Int])] = []

    mutating func add(_ column: Column, to table: Int) {
      let number = catalogue.tables[table].columns.count
      catalogue.tables[table].columns.append(column)
      if column.isIndexed { indexes.append((table, number)) }
      if column.isFullText { wordIndexes.append((table, number)) }
    }
  }

  /// Makes the changes, and sets the schema version unless it is nil.
  ///
  /// - Throws: `fail` when a primary key has duplicates afterwards.
  func apply(_ changes: [SchemaChange], version: UInt64?) throws {
    let newClasses = changes.compactMap { change in
      if case .classAdded(let schema) = change { schema } else { nil }
    }
    let numbers = tableNumbers(adding: newClasses)
    var plan = Plan(catalogue: snapshot.catalogue)
    if let version { plan.catalogue.schemaVersion = version }
    plan.catalogue.tables += tables(newClasses)
    for change in changes { try apply(change, numbers, &plan) }
    let keys = changePrimaryKeys(changes, &plan)
    try snapshot.checkSize(of: plan.catalogue)
    snapshot.setCatalogue(plan.catalogue)
    for (table, column, chunks) in plan.unwritten {
      snapshot.fill(table: table, column: column, chunks: chunks)
    }
    for (table, column) in plan.indexes { snapshot.buildIndex(table: table, column: column) }
    for (table, column) in plan.wordIndexes { snapshot.buildWordIndex(table: table, column: column) }
    for (name, table, column) in keys where snapshot.hasDuplicates(table: table, column: column) {
      throw Realm.Error(.fail, "Primary key property '\(name)' has duplicate values after migration.")
    }
  }

  private func apply(_ change: SchemaChange, _ numbers: [String: Int], _ plan: inout Plan) throws {
    func addColumn(_ property: ClassProperty, to table: Int) {
      plan.add(property.column { numbers[$0] ?? -1 }, to: table)
    }
    func removeColumn(_ table: Int, _ column: Int) {
      snapshot.eraseColumn(table: table, column: column)
      plan.catalogue.tables[table].columns[column].isRemoved = true
    }
    switch change {
    case .classAdded, .primaryKeyAdded, .primaryKeyRemoved, .primaryKeyChanged: break
    case .embeddednessChanged(let schema, let table):
      try changeEmbeddedness(schema, table)
      plan.catalogue.tables[table].isEmbedded = schema.isEmbedded
    case .propertyAdded(_, let property, let table): addColumn(property, to: table)
    case .propertyRemoved(_, let table, let column): removeColumn(table, column)
    case .typeChanged(_, let property, let table, let column):
      removeColumn(table, column)
      addColumn(property, to: table)
    case .madeOptional(_, let property, let table, let column):
      if property.kind.collection == .none {
        plan.unwritten.append((table, column, snapshot.unwrittenChunks(table: table, column: column)))
      }
      plan.catalogue.tables[table].columns[column].isNullable = true
    case .madeRequired(_, _, let table, let column):
      snapshot.replaceNulls(table: table, column: column)
      plan.catalogue.tables[table].columns[column].isNullable = false
    case .indexAdded(_, _, let table, let column):
      plan.catalogue.tables[table].columns[column].isIndexed = true
      plan.indexes.append((table, column))
    case .indexRemoved(_, _, let table, let column):
      plan.catalogue.tables[table].columns[column].isIndexed = false
      snapshot.dropIndex(table: table, column: column)
    case .wordIndexAdded(_, _, let table, let column):
      plan.catalogue.tables[table].columns[column].wordRule = WordReader.rule
      plan.wordIndexes.append((table, column))
    case .wordIndexRemoved(_, _, let table, let column):
      plan.catalogue.tables[table].columns[column].wordRule = 0
      snapshot.dropWordIndex(table: table, column: column)
    }
  }

  /// Marks the columns of keys that were added, and unmarks those of keys that were removed. Returns the keys
  /// whose values were not unique by force before.
  private func changePrimaryKeys(
    _ changes: [SchemaChange], _ plan: inout Plan
  ) -> [(name: String, table: Int, column: Int)] {
    var keys: [(name: String, table: Int, column: Int)] = []
    for change in changes {
      let (schema, table): (ClassSchema, Int)
      switch change {
      case .primaryKeyAdded(let changed, let number), .primaryKeyRemoved(let changed, let number),
        .primaryKeyChanged(let changed, _, _, let number), .typeChanged(let changed, _, let number, _),
        .madeRequired(let changed, _, let number, _):
        (schema, table) = (changed, number)
      default: continue
      }
      for column in plan.catalogue.tables[table].columns.indices
      where !plan.catalogue.tables[table].columns[column].isRemoved {
        let name = plan.catalogue.tables[table].columns[column].name
        guard let property = schema.properties.first(where: { $0.columnName == name }) else { continue }
        let wasIndexed = plan.catalogue.tables[table].columns[column].isIndexed
        plan.catalogue.tables[table].columns[column].isPrimaryKey = property.isPrimaryKey
        plan.catalogue.tables[table].columns[column].isIndexed = property.isIndexed
        if property.isIndexed && !wasIndexed { plan.indexes.append((table, column)) }
        if wasIndexed && !property.isIndexed { snapshot.dropIndex(table: table, column: column) }
        if property.isPrimaryKey && !keys.contains(where: { $0.table == table }) {
          keys.append(("\(schema.className).\(property.name)", table, column))
        }
      }
    }
    return keys
  }

  /// Objects of a class that becomes embedded must have exactly one parent: those without one are deleted.
  private func changeEmbeddedness(_ schema: ClassSchema, _ table: Int) throws {
    guard schema.isEmbedded else { return }
    let orphans = snapshot.orphans(table: table)
    if orphans.someHaveSeveralParents {
      throw Realm.Error(
        .fail,
        "Cannot convert '\(schema.className)' to embedded: at least one object has more than one incoming link, and copying it for each is not available in this version."
      )
    }
    for row in orphans.rows { snapshot.table(table).deleteRow(row) }
  }
}
