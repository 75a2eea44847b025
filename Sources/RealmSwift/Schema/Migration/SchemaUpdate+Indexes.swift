import Storage

// Indexes over several properties, and what must be there only once.
extension SchemaUpdate {
  /// How many values that are there more than once an error lists.
  private static let listedValues = 20

  /// Gives the tables the indexes over several columns that their classes name. Where a class names none, those that are
  /// there stay.
  ///
  /// - Throws: `ruleBroken` when objects have the same values where an index does not allow it.
  func makeCompoundIndexes() throws {
    for schema in classes.schemas where schema.indexes.areChosen {
      guard let table = snapshot.catalogue.table(named: schema.className) else { continue }
      var catalogue = snapshot.catalogue
      let before = catalogue.tables[table]
      let wanted = schema.indexes.compound
      let kept = before.indexes.filter { index in
        wanted.contains { index.isAlike($0, of: schema, in: before) }
      }
      for index in before.indexes where !kept.contains(index) { snapshot.dropIndex(table: table, index) }
      // The numbers of those that go are free only when the transaction has ended.
      var taken = Set((before.indexes + formerIndexes(table)).map(\.number))
      var added: [CompoundIndex] = []
      for index in wanted where !before.has(index, of: schema) {
        let number = (0...).first { !taken.contains($0) }!
        taken.insert(number)
        added.append(
          CompoundIndex(number: number, kind: index.kind, columns: schema.columns(index, in: before)))
      }
      if kept == before.indexes && added.isEmpty { continue }
      catalogue.tables[table].indexes = kept + added
      try snapshot.checkSize(of: catalogue)
      snapshot.setCatalogue(catalogue)
      for index in added {
        snapshot.buildIndex(table: table, index)
        if index.isUnique {
          try check(snapshot.repeatedValues(table: table, index, limit: Self.listedValues), schema.className)
        }
      }
    }
  }

  /// - Throws: `ruleBroken` when objects have the same value of a property that has been made unique.
  func checkUniqueness() throws {
    for schema in classes.schemas {
      guard let table = snapshot.catalogue.table(named: schema.className) else { continue }
      for (column, stored) in snapshot.catalogue.tables[table].columns.enumerated()
      where stored.isUnique && !stored.isRemoved && formerColumn(table, column)?.isUnique != true {
        try check(
          snapshot.repeatedValues(table: table, column: column, limit: Self.listedValues), schema.className)
      }
    }
  }

  private func check(_ found: (messages: [String], count: Int), _ className: String) throws {
    if found.count == 0 { return }
    var lines = found.messages.map { "- \($0)" }
    if found.count > lines.count { lines.append("- and \(found.count - lines.count) more") }
    throw Realm.Error(
      .ruleBroken,
      "Objects of class '\(className)' have the same values where only one may have them:\n"
        + lines.joined(separator: "\n"))
  }

  private func formerIndexes(_ table: Int) -> [CompoundIndex] {
    oldCatalogue.tables.indices.contains(table) ? oldCatalogue.tables[table].indexes : []
  }
}

extension ClassSchema {
  /// The columns of an index; -1 for a property that the table does not have.
  func columns(_ index: ClassIndex, in table: TableDescription) -> [Int] {
    index.properties.map { table.column(named: properties[$0].columnName) ?? -1 }
  }
}

extension CompoundIndex {
  func isAlike(_ index: ClassIndex, of schema: ClassSchema, in table: TableDescription) -> Bool {
    kind == index.kind && columns == schema.columns(index, in: table)
  }
}

extension TableDescription {
  func has(_ index: ClassIndex, of schema: ClassSchema) -> Bool {
    indexes.contains { $0.isAlike(index, of: schema, in: self) }
  }
}
