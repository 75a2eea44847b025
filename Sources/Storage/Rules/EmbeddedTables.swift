// A table whose rows become embedded objects: each has exactly one parent then.
extension Writer {
  /// Makes each row of a table have one parent: rows without any are deleted, and of those with several each further
  /// parent gets a copy. Mixed values cannot hold embedded objects and lose their links.
  ///
  /// Afterwards the table can be marked as embedded.
  package func separateParents(table number: Int) {
    let table = snapshot.table(number)
    let rows = 0..<table.rowLimit
    var hasParent = [Bool](repeating: false, count: rows.count)
    /// The row that the next parent of a row gets.
    func own(_ row: Int) -> Int {
      if hasParent[row] { return copyRow(table, row) }
      hasParent[row] = true
      return row
    }
    for origin in snapshot.incomingColumns(number) {
      let source = snapshot.table(origin.table)
      if origin.type == .mixed {
        for row in rows where table.isAlive(row) {
          removeMixedLinks(source, origin.number, to: row, of: number)
        }
      } else {
        source.forEachRow { source.replaceLinks(origin.number, $0, own) }
      }
    }
    for row in rows where table.isAlive(row) && !hasParent[row] { table.deleteRow(row) }
  }

  private func removeMixedLinks(_ source: Table, _ column: Int, to row: Int, of table: Int) {
    for parent in Set(snapshot.backlinks(to: row, of: table, from: source.number, column: column)) {
      source.removeLinks(column, parent, to: .link(table: table, row: row))
    }
  }

  /// Adds a row with the values of another one. Embedded objects in it are copied, too; other links point where they did.
  private func copyRow(_ table: Table, _ row: Int) -> Int {
    let copy = table.insertRow()
    for (column, description) in snapshot.catalogue.tables[table.number].columns.enumerated()
    where !description.isRemoved {
      switch description.collection {
      case .none: table.setValue(column, copy, copied(table.value(column, row)))
      case .list:
        table.insertElements(column, copy, at: 0, table.elements(column, row).map(copied))
      case .set:
        for element in table.elements(column, row) { table.insertIntoSet(column, copy, element) }
      case .map:
        for (position, element) in table.elements(column, row).enumerated() {
          table.setMapValue(column, copy, key: table.key(column, row, at: position), copied(element))
        }
      }
    }
    return copy
  }

  private func copied(_ value: Value) -> Value {
    guard case .link(let target, let row) = value, snapshot.catalogue.tables[target].isEmbedded else {
      return value
    }
    return .link(table: target, row: copyRow(snapshot.table(target), row))
  }
}

extension Table {
  /// Points each link of a row to what the body gives for it.
  fileprivate func replaceLinks(_ column: Int, _ row: Int, _ body: (Int) -> Int) {
    if snapshot.catalogue.tables[number].columns[column].collection == .none {
      guard let old = link(column, row) else { return }
      let new = body(old)
      if new != old { setLink(column, row, new) }
      return
    }
    for (position, element) in elements(column, row).enumerated() {
      guard case .link(let target, let old) = element else { continue }
      let new = body(old)
      if new != old { replaceElement(column, row, at: position, .link(table: target, row: new)) }
    }
  }
}
