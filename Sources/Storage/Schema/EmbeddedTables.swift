// A table whose rows become embedded objects: each has exactly one parent then.
extension Snapshot {
  /// Makes each row of a table have one parent: rows without any are deleted, and of those with several each further
  /// parent gets a copy. Mixed values can not hold embedded objects and lose their links.
  ///
  /// Afterwards the table can be marked as embedded.
  package func separateParents(table number: Int) {
    let table = self.table(number)
    var orphans: [Int] = []
    for row in 0..<table.rowLimit where table.isAlive(row) {
      let parents = takeParents(of: row, in: table)
      if parents.isEmpty { orphans.append(row) }
      for parent in parents.dropFirst() {
        let copy = copyRow(table, row)
        self.table(parent.table).replaceLink(parent.column, parent.row, at: parent.position, with: copy)
      }
    }
    for row in orphans { table.deleteRow(row) }
  }

  private struct Parent {
    var table: Int
    var column: Int
    var row: Int
    /// In a collection.
    var position = 0
  }

  /// Where a row is linked from, each place in a collection for itself. Links in mixed values are removed.
  private func takeParents(of row: Int, in table: Table) -> [Parent] {
    var parents: [Parent] = []
    for origin in incomingColumns(table.number) {
      let source = self.table(origin.table)
      var previous = -1
      for parent in backlinks(to: row, of: table.number, from: origin.table, column: origin.number)
      where parent != previous {
        previous = parent
        if origin.column.type == .mixed {
          source.removeLinks(origin.number, parent, to: .link(table: table.number, row: row))
        } else if origin.column.collection == .none {
          parents.append(Parent(table: origin.table, column: origin.number, row: parent))
        } else {
          for position in 0..<source.count(origin.number, parent)
          where source.element(origin.number, parent, at: position)
            == .link(table: table.number, row: row)
          {
            parents.append(
              Parent(table: origin.table, column: origin.number, row: parent, position: position))
          }
        }
      }
    }
    return parents
  }

  /// Adds a row with the values of another one. Embedded objects in it are copied, too; other links point where they did.
  private func copyRow(_ table: Table, _ row: Int) -> Int {
    let copy = table.insertRow()
    for (column, description) in catalogue.tables[table.number].columns.enumerated()
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
    guard case .link(let target, let row) = value, catalogue.tables[target].isEmbedded else { return value }
    return .link(table: target, row: copyRow(self.table(target), row))
  }
}

extension Table {
  /// Points a link, or one in a collection, to another row.
  fileprivate func replaceLink(_ column: Int, _ row: Int, at position: Int, with target: Int) {
    let description = snapshot.catalogue.tables[number].columns[column]
    if description.collection == .none {
      setLink(column, row, target)
    } else {
      replaceElement(column, row, at: position, .link(table: description.target, row: target))
    }
  }
}
