import Storage

extension SchemaUpdate {
  /// Gives a column that is on its way out the name of a property that was added, with all its values.
  ///
  /// - Throws: When that cannot be done, for the reasons and with the words of the official SDK; nothing is changed then.
  mutating func rename(
    _ className: String, from oldName: String, to newName: String
  ) throws(ProgrammerError) {
    let problem = "Cannot rename properties for type '\(className)' because it"
    guard let table = snapshot.catalogue.table(named: className) else {
      throw .invalidRename("\(problem) does not exist.")
    }
    guard let schema = classes.schema(named: className) else {
      throw .invalidRename("\(problem) has been removed from the Realm.")
    }
    let subject = "Cannot rename property '\(className).\(oldName)'"
    if schema.properties.contains(where: { $0.columnName == oldName }) {
      throw .invalidRename("\(subject) to '\(newName)' because the source property still exists.")
    }
    guard let column = leaving[table]?[oldName] else {
      throw .invalidRename("\(subject) because it does not exist.")
    }
    let target = snapshot.catalogue.tables[table].column(named: newName)
    if let target {
      try check("\(subject) to '\(newName)' because it would change from", table, from: column, to: target)
    }
    leaving[table]?[oldName] = nil
    provisional.removeAll { $0 == (className, oldName) }
    guard let target else {
      // On the way to another name.
      leaving[table, default: [:]][newName] = column
      provisional.append((className, newName))
      return
    }
    replace(table, target, by: column, named: newName, schema)
  }

  private func check(
    _ problem: String, _ table: Int, from column: Int, to target: Int
  ) throws(ProgrammerError) {
    let catalogue = snapshot.catalogue
    let (old, new) = (catalogue.tables[table].columns[column], catalogue.tables[table].columns[target])
    if old.type != new.type || old.collection != new.collection || old.target != new.target {
      let types = [old, new].map { SchemaChange.typeName($0, catalogue) }
      throw .invalidRename("\(problem) type '\(types[0])' to '\(types[1])'.")
    }
    if old.isNullable && !new.isNullable { throw .invalidRename("\(problem) optional to required.") }
  }

  private func replace(
    _ table: Int, _ target: Int, by column: Int, named name: String, _ schema: ClassSchema
  ) {
    writer.eraseColumn(table: table, column: target)
    var catalogue = snapshot.catalogue
    var unwritten: [Int] = []
    if catalogue.tables[table].columns[target].isNullable
      && !catalogue.tables[table].columns[column].isNullable
    {
      unwritten = makeNullable(&catalogue, table, column)
    }
    catalogue.tables[table].columns[target].isRemoved = true
    catalogue.tables[table].columns[column].name = name
    // What the block deletes and creates from here on follows them.
    if let property = schema.properties.first(where: { $0.columnName == name }) {
      let ruled = withRules(property, table, column, in: catalogue)
      catalogue.tables[table].columns[column].linkRule = ruled.linkRule
      catalogue.tables[table].columns[column].isSequence = ruled.isSequence
    }
    writer.setCatalogue(catalogue)
    writer.fill(table: table, column: column, chunks: unwritten)
  }
}
