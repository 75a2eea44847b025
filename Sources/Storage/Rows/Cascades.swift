// Deleting rows, with what the rules of links delete along with them. Rows that are deleted with another one wait in a list, so
// that chains and circles of any length need no stack; a table whose columns have no rule never puts anything there.

extension Writer {
  /// Deletes a row with all that hangs on it.
  func deleteRow(_ table: Table, _ row: Int) {
    withTransaction { transaction in
      guard table.isAlive(row) else { return }
      if transaction.cascade.isRunning { return remove(table, row, transaction) }
      transaction.cascade.isRunning = true
      transaction.cascade.followsAllLinks = false
      remove(table, row, transaction)
      finish(transaction)
    }
  }

  /// Deletes an embedded object that has lost its parent.
  func releaseEmbedded(table number: Int, row: Int, from parent: (table: Int, row: Int)) {
    guard snapshot.catalogue.tables[number].isEmbedded, let transaction = snapshot.writing else { return }
    // Its parent goes as well, or else only its place is taken.
    if !transaction.cascade.isRemoving && transaction.cascade.replacedIn == nil {
      transaction.cascade.replacedIn = Cascade.Place(table: Int32(parent.table), row: parent.row)
    }
    deleteRow(snapshot.tables[number], row)
    if !transaction.cascade.isRemoving { transaction.cascade.replacedIn = nil }
  }

  private func remove(_ table: Table, _ row: Int, _ transaction: WriteTransaction) {
    let wasRemoving = transaction.cascade.isRemoving
    transaction.cascade.isRemoving = true
    removeRow(table, row, followsAllLinks: transaction.cascade.followsAllLinks)
    transaction.cascade.isRemoving = wasRemoving
  }

  /// Deletes what the body deletes, and then all that is owned by it, at once.
  ///
  /// - Parameter followsAllLinks: Whether all links count as owning ones.
  package func deletingTogether<Result>(followsAllLinks: Bool = false, _ body: () -> Result) -> Result {
    // Held: the body may run code of the program, which may end the transaction.
    let transaction = transaction
    if transaction.cascade.isRunning { return body() }
    transaction.cascade.isRunning = true
    transaction.cascade.followsAllLinks = followsAllLinks
    let result = body()
    finish(transaction)
    return result
  }

  /// Deletes what is waiting, and what waits because of that.
  @inline(__always)
  private func finish(_ transaction: WriteTransaction) {
    transaction.cascade.replacedIn = nil
    if !transaction.cascade.owned.isEmpty || !transaction.cascade.sharable.isEmpty {
      removeWaiting(transaction)
    }
    transaction.cascade.isRunning = false
  }

  @inline(never)
  private func removeWaiting(_ transaction: WriteTransaction) {
    func removeOwned() {
      while let place = transaction.cascade.owned.popLast() {
        let table = snapshot.tables[Int(place.table)]
        if table.isAlive(place.row) { remove(table, place.row, transaction) }
      }
    }
    removeOwned()
    while !transaction.cascade.sharable.isEmpty {
      let candidates = Set(transaction.cascade.sharable)
      transaction.cascade.sharable = []
      for place in candidates {
        let table = snapshot.tables[Int(place.table)]
        guard table.isAlive(place.row), !hasOwner(place) else { continue }
        remove(table, place.row, transaction)
        removeOwned()
      }
    }
  }

  /// Notes what a row that is being deleted owns by a column. Embedded objects are left out: they are always deleted.
  func noteOwned(by row: Int, of table: Table, _ column: Int, _ description: Column) {
    guard description.type == .link || description.type == .mixed, let transaction = snapshot.writing else {
      return
    }
    let replacedIn = transaction.cascade.replacedIn
    let isSharable = description.linkRule == .cascadeUnlessShared || replacedIn != nil
    func note(_ value: Value) {
      value.forEachLink { target, row in
        if snapshot.catalogue.tables[target].isEmbedded { return }
        let place = Cascade.Place(table: Int32(target), row: row)
        if let replacedIn, isPart(replacedIn, of: place) { return }
        if isSharable {
          transaction.cascade.sharable.append(place)
        } else {
          transaction.cascade.owned.append(place)
        }
      }
    }
    if description.collection == .none {
      note(table.value(column, row))
    } else {
      for element in table.elements(column, row) { note(element) }
    }
  }

  /// Whether another row links to a row by an owning column. What is embedded in a row counts as the row itself.
  private func hasOwner(_ place: Cascade.Place) -> Bool {
    let incoming = snapshot.incomingColumns(Int(place.table))
    func isOwned(byEmbedded isEmbedded: Bool) -> Bool {
      incoming.contains {
        $0.linkRule.isOwning && snapshot.catalogue.tables[$0.table].isEmbedded == isEmbedded
          && hasBacklink(to: place, from: $0)
      }
    }
    // Whom embedded objects belong to takes longer to find.
    return isOwned(byEmbedded: false) || isOwned(byEmbedded: true)
  }

  /// Whether another row's column links to a row. In a changed index the last rows are looked at first: programs
  /// that delete many rows usually begin with the first.
  private func hasBacklink(to place: Cascade.Place, from origin: IncomingColumn) -> Bool {
    let table = Int(place.table)
    let index = IndexNumber.backlinks(table: origin.table, column: origin.number)
    let key = snapshot.backlinkKey(table: table, row: place.row, origin: origin.table, column: origin.number)
    let reader = snapshot.indexReader(index)
    var isFound = false
    func look(_ source: Int) -> Bool {
      isFound = !isPart(Cascade.Place(table: Int32(origin.table), row: source), of: place)
      return !isFound
    }
    if let changes = snapshot.writing?.indexChanges[index] {
      changes.forEachRow(in: .equal(to: key), base: reader, ascending: false, look)
    } else {
      reader.forEachRow(equalTo: key, look)
    }
    return isFound
  }

  /// Whether a row is another one, or embedded in it at any depth.
  private func isPart(_ part: Cascade.Place, of whole: Cascade.Place) -> Bool {
    var place = part
    // In a damaged file the way may be a circle, which comes back to one of the places after 1, 2, 4, … steps.
    var (known, steps, nextKnown) = (place, 0, 1)
    while place != whole {
      guard let parent = parent(of: place), parent != known else { return false }
      place = parent
      steps += 1
      if steps == nextKnown { (known, nextKnown) = (place, 2 * nextKnown) }
    }
    return true
  }

  /// What a row is embedded in; nil when it is not embedded.
  private func parent(of place: Cascade.Place) -> Cascade.Place? {
    let table = Int(place.table)
    if !snapshot.catalogue.tables[table].isEmbedded { return nil }
    for origin in snapshot.incomingColumns(table) where origin.type == .link {
      let index = IndexNumber.backlinks(table: origin.table, column: origin.number)
      if let parent = snapshot.firstRow(index: index, equalTo: IndexKey(row: place.row)) {
        return Cascade.Place(table: Int32(origin.table), row: parent)
      }
    }
    return nil
  }

  /// Notes a link that forbids the deletion of a row, which is being deleted. What the server of a synchronised file has deleted
  /// is deleted: the link becomes null.
  func noteDenied(
    _ table: Table, _ row: Int, from origin: IncomingColumn, _ source: Int
  ) {
    if snapshot.writing?.origin == .sync { return }
    let key = snapshot.catalogue.tables[table.number].primaryKey.map { table.value($0, row) }
    snapshot.writing?.deniedDeletions.append(
      DeniedDeletion(
        table: table.number, row: row, key: key, originTable: origin.table, originColumn: origin.number,
        originRow: source))
  }
}
