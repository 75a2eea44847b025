import Storage

// What the catalogue says of a column besides its type and indexes. A program whose class does not mention a rule leaves it
// as the file has it, since others rely on it.
extension SchemaUpdate {
  /// The column with the rules of its property.
  func withRules(_ property: ClassProperty, _ table: Int, _ column: Int, in catalogue: Catalogue) -> Column {
    var stored = catalogue.tables[table].columns[column]
    let former = formerColumn(table, column)
    stored.isSequence = property.isPrimaryKey && property.choosesIncrement ?? former?.isSequence ?? false
    stored.isUnique = property.choosesUnique ?? former?.isUnique ?? false
    stored.linkRule = property.deleteRule ?? former?.linkRule ?? .nullify
    if stored.target >= 0 && catalogue.tables[stored.target].isEmbedded { stored.linkRule = .nullify }
    return stored
  }

  /// Makes sequences go on behind the numbers that are there, when these may be others than it has given.
  func continueSequences(changedKeys: Set<Int>) {
    for schema in classes.schemas where schema.primaryKey != nil {
      guard let table = snapshot.catalogue.table(named: schema.className),
        let column = snapshot.catalogue.tables[table].primaryKey,
        snapshot.catalogue.tables[table].columns[column].isSequence
      else { continue }
      if changedKeys.contains(table) || formerColumn(table, column)?.isSequence == false {
        snapshot.table(table).raiseSequenceToHighest(column)
      }
    }
  }

  /// What a column was before, also when it had another name; nil for a new one.
  func formerColumn(_ table: Int, _ column: Int) -> Column? {
    guard oldCatalogue.tables.indices.contains(table),
      oldCatalogue.tables[table].columns.indices.contains(column)
    else { return nil }
    return oldCatalogue.tables[table].columns[column]
  }
}
