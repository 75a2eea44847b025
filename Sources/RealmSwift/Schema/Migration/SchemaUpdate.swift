import Storage

/// Brings the tables of a file in line with the realm's classes, within a write transaction.
///
/// In two halves, between which a migration block may run. The first gives the tables all columns that the classes ask
/// for; values are kept where the type allows it, and what is new is zero, empty or null. The second takes away what the
/// classes no longer have, and makes what depends on the final values: indexes, keys that are unique, embedded objects
/// with one parent each.
///
/// A column that is on its way out keeps its content between the halves, because it may be renamed until then. It has no
/// name meanwhile, so that no query finds it; links in it are kept right, and its indexes are gone.
struct SchemaUpdate {
  let classes: ModelClasses
  let snapshot: Snapshot
  var writer: Writer { Writer(snapshot) }
  /// The differences that it makes up for.
  let changes: [SchemaChange]
  /// The tables as they were before.
  let oldCatalogue: Catalogue
  /// For each table, the columns that are on their way out, by the names that they go by.
  var leaving: [Int: [String: Int]] = [:]
  /// Tables of classes that the program does not have any more, to be removed.
  var unwantedTables: Set<Int> = []
  /// Columns that got a name that the class does not have, and must get another one.
  var provisional: [(className: String, name: String)] = []

  init(_ changes: [SchemaChange], to classes: ModelClasses, in snapshot: Snapshot) {
    self.classes = classes
    self.snapshot = snapshot
    self.changes = changes
    oldCatalogue = snapshot.catalogue
  }

  // MARK: The first half

  /// Adds what is missing, and sets the schema version unless it is nil.
  ///
  /// - Throws: `fail` when the file cannot have as many classes or properties.
  mutating func prepare(version: UInt64?) throws {
    var catalogue = snapshot.catalogue
    if let version { catalogue.schemaVersion = version }
    catalogue.tables += tables(added, in: catalogue)
    let numbers = Self.tableNumbers(catalogue)
    var unwritten: [(table: Int, column: Int, chunks: [Int])] = []
    for change in changes {
      switch change {
      case .embeddednessChanged(let schema, let table) where !schema.isEmbedded:
        catalogue.tables[table].isEmbedded = false
      case .propertyAdded(_, let property, let table):
        catalogue.tables[table].columns.append(property.column(numbers).withoutIndexes)
      case .propertyRemoved(_, let table, let column):
        leave(table, column, &catalogue)
      case .typeChanged(_, let property, let table, let column):
        leave(table, column, &catalogue)
        catalogue.tables[table].columns.append(property.column(numbers).withoutIndexes)
      case .madeOptional(_, _, let table, let column):
        unwritten.append((table, column, makeNullable(&catalogue, table, column)))
      case .madeRequired(_, _, let table, let column):
        writer.replaceNulls(table: table, column: column)
        catalogue.tables[table].columns[column].isNullable = false
      case .primaryKeyRemoved(_, let table), .primaryKeyChanged(_, _, _, let table):
        // Until the values are final, nothing is unique; the index stays for the second half to look at.
        for column in catalogue.tables[table].columns.indices
        where catalogue.tables[table].columns[column].isPrimaryKey {
          catalogue.tables[table].columns[column].isPrimaryKey = false
          catalogue.tables[table].columns[column].isIndexed = true
        }
      case .incrementChanged(_, let property, let table, let column):
        catalogue.tables[table].columns[column].isSequence = property.choosesIncrement ?? false
      case .deleteRuleChanged(_, _, let rule, let table, let column):
        catalogue.tables[table].columns[column].linkRule = rule
      default: break
      }
    }
    try writer.checkSize(of: catalogue)
    writer.setCatalogue(catalogue)
    for (table, column, chunks) in unwritten { writer.fill(table: table, column: column, chunks: chunks) }
  }

  /// The tables for classes that the file does not have yet, in that order.
  func tables(_ schemas: [ClassSchema], in catalogue: Catalogue) -> [TableDescription] {
    var numbers = Self.tableNumbers(catalogue)
    for (offset, schema) in schemas.enumerated() {
      numbers[schema.className] = catalogue.tables.count + offset
    }
    return schemas.map { schema in
      TableDescription(
        name: schema.className, isEmbedded: schema.isEmbedded,
        columns: schema.properties.map { $0.column(numbers) })
    }
  }

  private var added: [ClassSchema] {
    changes.compactMap { change in if case .classAdded(let schema) = change { schema } else { nil } }
  }

  private static func tableNumbers(_ catalogue: Catalogue) -> [String: Int] {
    var numbers: [String: Int] = [:]
    for (number, table) in catalogue.tables.enumerated() where !table.isRemoved {
      numbers[table.name] = number
    }
    return numbers
  }

  /// Takes a column out of sight.
  private mutating func leave(_ table: Int, _ column: Int, _ catalogue: inout Catalogue) {
    let stored = catalogue.tables[table].columns[column]
    leaving[table, default: [:]][stored.name] = column
    if stored.hasValueIndex { writer.dropIndex(table: table, column: column) }
    if stored.wordRule != 0 { writer.dropWordIndex(table: table, column: column) }
    catalogue.tables[table].columns[column] = stored.withoutIndexes
    for index in catalogue.tables[table].indexes where index.columns.contains(column) {
      writer.dropIndex(table: table, index)
    }
    catalogue.tables[table].indexes.removeAll { $0.columns.contains(column) }
    catalogue.tables[table].columns[column].linkRule = .nullify
    catalogue.tables[table].columns[column].isSequence = false
    catalogue.tables[table].columns[column].name = ""
  }

  /// Removes a table, which is empty, with its columns; unless links of other tables lead to it.
  private func removeTable(_ table: Int) {
    var catalogue = snapshot.catalogue
    let isTarget = catalogue.tables.indices.contains { other in
      !unwantedTables.contains(other) && !catalogue.tables[other].isRemoved
        && catalogue.tables[other].columns.contains { !$0.isRemoved && $0.target == table }
    }
    if isTarget { return }
    for column in catalogue.tables[table].columns.indices
    where !catalogue.tables[table].columns[column].isRemoved {
      writer.eraseColumn(table: table, column: column)
      catalogue.tables[table].columns[column].isRemoved = true
    }
    for index in catalogue.tables[table].indexes { writer.dropIndex(table: table, index) }
    catalogue.tables[table].indexes = []
    catalogue.tables[table].isRemoved = true
    writer.setCatalogue(catalogue)
  }

  /// Lets a column hold null. Returns the chunks that have to be filled then, because their zeros were never written.
  func makeNullable(_ catalogue: inout Catalogue, _ table: Int, _ column: Int) -> [Int] {
    let isValue = catalogue.tables[table].columns[column].collection == .none
    catalogue.tables[table].columns[column].isNullable = true
    return isValue ? writer.unwrittenChunks(table: table, column: column) : []
  }

  // MARK: The second half

  /// Takes away what the classes do not have, and makes the indexes.
  ///
  /// - Parameter changedKeys: The tables whose objects may have got other primary keys.
  /// - Throws: `fail` when a primary key has duplicates.
  func finish(changedKeys: Set<Int> = []) throws {
    stopping { () throws(ProgrammerError) in try checkNames() }
    removeLeaving()
    for table in unwantedTables { removeTable(table) }
    for case .embeddednessChanged(let schema, let table) in changes where schema.isEmbedded {
      writer.separateParents(table: table)
      var catalogue = snapshot.catalogue
      catalogue.tables[table].isEmbedded = true
      writer.setCatalogue(catalogue)
    }
    let keys = makeIndexes(changedKeys)
    continueSequences(changedKeys: changedKeys)
    for (name, table, column) in keys where writer.hasDuplicates(table: table, columns: [column]) {
      throw Realm.Error(
        .fail, "Primary key property '\(name)' has duplicate values after migration.", path: nil,
        reason: .duplicateKeys)
    }
    try makeCompoundIndexes()
    try checkUniqueness()
  }

  /// Throws when a column has a name that its class does not have.
  func checkNames() throws(ProgrammerError) {
    if let (className, name) = provisional.first {
      throw .invalidRename("Renamed property '\(className).\(name)' does not exist.")
    }
  }

  private func removeLeaving() {
    if leaving.isEmpty { return }
    var catalogue = snapshot.catalogue
    for (table, columns) in leaving {
      for (name, column) in columns {
        writer.eraseColumn(table: table, column: column)
        catalogue.tables[table].columns[column].name = name
        catalogue.tables[table].columns[column].isRemoved = true
      }
    }
    writer.setCatalogue(catalogue)
  }

  /// Gives each column the indexes that its property has. Returns the primary keys that may have a value twice.
  private func makeIndexes(_ changedKeys: Set<Int>) -> [(name: String, table: Int, column: Int)] {
    var catalogue = snapshot.catalogue
    var keys: [(name: String, table: Int, column: Int)] = []
    var indexes: [(table: Int, column: Int)] = []
    var wordIndexes: [(table: Int, column: Int)] = []
    for schema in classes.schemas {
      guard let table = catalogue.table(named: schema.className) else { continue }
      for property in schema.properties {
        guard let column = catalogue.tables[table].column(named: property.columnName) else { continue }
        let before = catalogue.tables[table].columns[column]
        catalogue.tables[table].columns[column] = withRules(property, table, column, in: catalogue)
        catalogue.tables[table].columns[column].isPrimaryKey = property.isPrimaryKey
        catalogue.tables[table].columns[column].isIndexed = property.isIndexed
        catalogue.tables[table].columns[column].wordRule = property.isFullText ? WordReader.rule : 0
        let after = catalogue.tables[table].columns[column]
        if after.hasValueIndex && !before.hasValueIndex { indexes.append((table, column)) }
        if before.hasValueIndex && !after.hasValueIndex { writer.dropIndex(table: table, column: column) }
        if after.wordRule != before.wordRule {
          if property.isFullText {
            wordIndexes.append((table, column))
          } else {
            writer.dropWordIndex(table: table, column: column)
          }
        }
        let isUnique = before.isPrimaryKey && !changedKeys.contains(table) && !lostNulls(table, column)
        if property.isPrimaryKey && !isUnique {
          keys.append(("\(schema.className).\(property.name)", table, column))
        }
      }
    }
    writer.setCatalogue(catalogue)
    for (table, column) in indexes { writer.buildIndex(table: table, column: column) }
    for (table, column) in wordIndexes { writer.buildWordIndex(table: table, column: column) }
    return keys
  }

  /// Whether nulls of a column have become zeros.
  private func lostNulls(_ table: Int, _ column: Int) -> Bool {
    changes.contains { change in
      if case .madeRequired(_, _, let changed, let property) = change {
        changed == table && property == column
      } else {
        false
      }
    }
  }
}

extension Column {
  /// The column without indexes, for which its content is not final.
  fileprivate var withoutIndexes: Column {
    var plain = self
    plain.isIndexed = false
    plain.isPrimaryKey = false
    plain.isUnique = false
    plain.wordRule = 0
    return plain
  }
}

extension ClassProperty {
  /// The property's column, in a file where the classes have these tables.
  fileprivate func column(_ tables: [String: Int]) -> Column {
    column { tables[$0] ?? -1 }
  }
}
