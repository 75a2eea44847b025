import Storage

// Indexes over several properties, and what must be there only once.
extension SchemaUpdate {
  /// How many values that are there more than once an error lists.
  private static let listedValues = 20

  /// Gives the tables the indexes over several columns that their classes name. Where a class names none, those that are
  /// there stay.
  ///
  /// - Throws: `ruleBroken` when objects have the same values where an index does not allow it; `fail` when there are too many.
  func makeCompoundIndexes() throws {
    for schema in classes.schemas {
      guard let table = snapshot.catalogue.table(named: schema.className) else { continue }
      let before = snapshot.catalogue.tables[table]
      let kept = before.indexes.filter { schema.keeps($0, of: before) }
      let added = newIndexes(schema, table, before, besides: kept)
      if kept == before.indexes && added.isEmpty { continue }
      for index in before.indexes where !kept.contains(index) { writer.dropIndex(table: table, index) }
      if added.contains(where: { $0.number >= IndexNumber.compoundLimit }) {
        throw Realm.Error(
          .fail,
          "Class '\(schema.className)' cannot have more than \(IndexNumber.compoundLimit) indexes over several properties, with those that it has until it is opened."
        )
      }
      var catalogue = snapshot.catalogue
      catalogue.tables[table].indexes = kept + added
      writer.setCatalogue(catalogue)
      for index in added {
        writer.buildIndex(table: table, index)
        if index.isUnique {
          try check(writer.repeatedValues(table: table, index, limit: Self.listedValues), schema.className)
        }
      }
    }
  }

  /// The indexes that a table does not have yet.
  private func newIndexes(
    _ schema: ClassSchema, _ table: Int, _ before: TableDescription, besides kept: [CompoundIndex]
  ) -> [CompoundIndex] {
    let former = formerIndexes(table)
    if !schema.indexes.areChosen {
      return former.compactMap { index in
        guard !kept.contains(where: { $0.number == index.number }), schema.keeps(index, of: before) else {
          return nil
        }
        // Its columns may have left and come back with another name, or others have come with another type.
        let columns = index.columns.compactMap { column in
          let stored = before.columns[column]
          let isThere = !stored.isRemoved && !stored.name.isEmpty
          return isThere ? column : before.column(named: oldCatalogue.tables[table].columns[column].name)
        }
        guard columns.count == index.columns.count,
          columns.allSatisfy({ before.columns[$0].canBeInCompoundIndex })
        else { return nil }
        return CompoundIndex(number: index.number, kind: index.kind, columns: columns)
      }
    }
    // The numbers of those that go are free only when the transaction has ended.
    var taken = Set((before.indexes + former).map(\.number))
    return schema.indexes.compound.filter { !before.has($0, of: schema) }.map { index in
      let number = (0...).first { !taken.contains($0) }!
      taken.insert(number)
      return CompoundIndex(number: number, kind: index.kind, columns: schema.columns(index, in: before))
    }
  }

  /// - Throws: `ruleBroken` when objects have the same value of a property that has been made unique.
  func checkUniqueness() throws {
    for schema in classes.schemas {
      guard let table = snapshot.catalogue.table(named: schema.className) else { continue }
      for (column, stored) in snapshot.catalogue.tables[table].columns.enumerated()
      where stored.isUnique && !stored.isRemoved && formerColumn(table, column)?.isUnique != true {
        try check(
          writer.repeatedValues(table: table, column: column, limit: Self.listedValues), schema.className)
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
  /// Whether an index of the file stays: one that the class names or, when it names none, all but a primary key beside the
  /// class's own.
  func keeps(_ index: CompoundIndex, of table: TableDescription) -> Bool {
    if !indexes.areChosen { return index.kind != .primaryKey || primaryKey == nil }
    return indexes.compound.contains { index.isAlike($0, of: self, in: table) }
  }

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
