// Deferred maintenance of the indexes over several columns. A key is not known before all its values are: so a row's keys are
// removed before the first of them changes, and those of all such rows are added together when the transaction reads such an
// index or ends. New rows have no keys that were added, so that nothing is removed for them.

extension Writer {
  /// Removes a row from the compound indexes of its table, before one of its values changes.
  ///
  /// - Parameters:
  ///   - forEver: Whether the row is being deleted.
  ///   - isSame: Whether the value stays as it is. Evaluated only if the row is indexed.
  func withdrawKeys(
    _ table: Table, _ row: Int, forEver: Bool = false, unless isSame: @autoclosure () -> Bool = false
  ) {
    let transaction = transaction
    let number = table.number
    let firstNewRow = transaction.withdrawnKeys[number]?.firstNewRow ?? table.state.pointee.firstNewRow
    if row >= firstNewRow { return }
    if forEver {
      if transaction.withdrawnKeys[number]?.rows.remove(row) != nil { return }
    } else {
      if transaction.withdrawnKeys[number]?.rows.contains(row) == true || isSame() { return }
      transaction.withdrawnKeys[number, default: WithdrawnKeys(firstNewRow: firstNewRow)].rows.insert(row)
    }
    var key = CompoundKey()
    for index in snapshot.catalogue.tables[number].indexes {
      table.write(&key, index.columns, row)
      key.bytes.withUnsafeBytes {
        changes(ofIndex: IndexNumber.compound(table: number, index)).remove(bytes: $0, row: row)
      }
    }
  }

  /// Enters what the compound indexes of all tables do not have.
  func enterKeys() {
    if !snapshot.hasCompoundIndexes { return }
    for (number, description) in snapshot.catalogue.tables.enumerated() where description.hasIndexes {
      enterKeys(table: number)
    }
  }

  /// Adds the removed keys of one table again.
  func enterKeys(table number: Int) {
    snapshot.completeIndexes(ofTable: number)
  }

  /// Fills a compound index that has come to the catalogue, whatever is in it already. It must not be looked into before the
  /// transaction has ended. Cost: that of reading its columns and sorting the keys.
  package func buildIndex(table number: Int, _ index: CompoundIndex) {
    enterKeys(table: number)
    dropIndex(IndexNumber.compound(table: number, index))
    let table = snapshot.table(number)
    var entry = KeyEntry(table, index, changes(ofIndex: IndexNumber.compound(table: number, index)))
    table.forEachRow { entry.enter($0) }
  }

  /// Empties a compound index that goes from the catalogue.
  package func dropIndex(table: Int, _ index: CompoundIndex) {
    dropIndex(IndexNumber.compound(table: table, index))
  }
}
