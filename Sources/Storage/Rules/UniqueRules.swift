// Values that only one row may have. What a transaction does on the way is its own affair: its last state counts, so that
// two rows can exchange their values.
extension Writer {
  /// Why the open write transaction cannot be committed: two rows have what only one may have.
  func repeatedValue(_ transaction: WriteTransaction) -> StorageError? {
    if !snapshot.hasUniqueRules { return nil }
    enterKeys()
    for (index, changes) in transaction.indexChanges.sorted(by: { $0.key < $1.key }) {
      // A primary key of one column has been looked for when its row was made.
      guard let rule = UniqueRule(index, snapshot.catalogue), !rule.isKey || rule.columns.count > 1 else {
        continue
      }
      let base = transaction.droppedIndexes.contains(index) ? nil : snapshot.indexReader(index)
      let pair = changes.firstRepeated(base: base) { isExempt(rule, row: $0) }
      if let pair { return error(for: pair, rule) }
    }
    return nil
  }

  /// What is there more than once of the values that only one row may have: for each value two of the rows, at most so
  /// many, and how many values there are. What an open transaction has changed is taken into account.
  package func repeatedValues(table: Int, column: Int, limit: Int) -> (messages: [String], count: Int) {
    repeatedValues(IndexNumber.values(table: table, column: column), limit: limit)
  }

  /// Returns the repeated values of an index over several columns.
  package func repeatedValues(
    table: Int, _ index: CompoundIndex, limit: Int
  ) -> (messages: [String], count: Int) {
    enterKeys(table: table)
    return repeatedValues(IndexNumber.compound(table: table, index), limit: limit)
  }

  private func repeatedValues(_ index: UInt32, limit: Int) -> (messages: [String], count: Int) {
    guard let rule = UniqueRule(index, snapshot.catalogue) else { return ([], 0) }
    let isDropped = snapshot.writing?.droppedIndexes.contains(index) == true
    let changes = snapshot.writing?.indexChanges[index] ?? IndexChanges()
    var pairs: [(Int, Int)] = []
    var count = 0
    var first = -1
    var isCounted = false
    changes.forEachGroupedRow(base: isDropped ? nil : snapshot.indexReader(index), ascending: true) {
      row, startsGroup in
      if startsGroup {
        first = row
        isCounted = isExempt(rule, row: row)
      } else if !isCounted {
        isCounted = true
        count += 1
        if pairs.count < limit { pairs.append((first, row)) }
      }
      return true
    }
    return (pairs.map { sentence(for: $0, rule) }, count)
  }

  /// Whether a row may have what others have, because one of its values is null.
  private func isExempt(_ rule: UniqueRule, row: Int) -> Bool {
    if rule.isKey { return false }
    let table = snapshot.table(rule.table)
    return rule.columns.contains { table.isNull($0, row) }
  }

  private func error(for rows: (Int, Int), _ rule: UniqueRule) -> StorageError {
    StorageError(.ruleBroken, path: snapshot.file.path, message: sentence(for: rows, rule))
  }

  private func sentence(for rows: (Int, Int), _ rule: UniqueRule) -> String {
    let table = snapshot.table(rule.table)
    let description = snapshot.catalogue.tables[rule.table]
    let values = rule.columns
      .map { "'\(description.columns[$0].name)' \(table.value($0, rows.0).text)" }.joined(separator: ", ")
    let names = [rows.0, rows.1].map { name(rule.table, $0) }
    return
      "Only one object of class '\(description.name)' can have \(values): those with \(names[0]) and \(names[1]) both have it."
  }
}

/// Columns whose values only one row may have.
struct UniqueRule {
  let table: Int
  let columns: [Int]
  /// Whether they are the primary key, of which null is a value like others.
  let isKey: Bool

  /// The rule that an index is for; nil when there is none.
  init?(_ index: UInt32, _ catalogue: Catalogue) {
    let place = IndexNumber.place(index)
    table = place.table
    if index & 1 != 0 || catalogue.tables[table].isRemoved { return nil }
    if IndexNumber.isCompound(index) {
      guard let index = catalogue.compoundIndex(index), index.isUnique else { return nil }
      columns = index.columns
      isKey = index.kind == .primaryKey
    } else {
      let column = catalogue.tables[table].columns[place.column]
      if !column.isUnique && !column.isPrimaryKey { return nil }
      columns = [place.column]
      isKey = column.isPrimaryKey
    }
  }
}

extension IndexChanges {
  /// Two rows with the same key, one of which has been added; nil when there are none.
  ///
  /// - Parameter isExempt: Whether the key of a row may be there several times, as null may.
  func firstRepeated(base: IndexReader?, isExempt: (Int) -> Bool) -> (Int, Int)? {
    integers.firstRepeated(base, .integer, isExempt) { base?.firstRow(integer: $0.key) }
      ?? bytes.firstRepeated(base, .bytes, isExempt) {
        base?.firstRow(bytes: UnsafeRawBufferPointer(start: $0.start, count: $0.length))
      }
  }
}

extension PairChanges {
  fileprivate func firstRepeated(
    _ base: IndexReader?, _ kind: IndexKeyKind, _ isExempt: (Int) -> Bool, stored: (Pair) -> Int?
  ) -> (Int, Int)? {
    var position = added.start
    var last: Pair?
    while position != added.end {
      let pair = added[position]
      let isRepeated = last.map { $0.with(row: 0) == pair.with(row: 0) } ?? false
      let other =
        isRepeated
        ? Int(last!.row) : removes(keyOf: pair.with(row: 0)) ? remainingRow(pair, base, kind) : stored(pair)
      if let other, !isExempt(Int(pair.row)) { return (other, Int(pair.row)) }
      last = pair
      added.advance(&position)
    }
    return nil
  }

  private func remainingRow(_ pair: Pair, _ base: IndexReader?, _ kind: IndexKeyKind) -> Int? {
    var row: Int?
    let region = IndexReader.Region(kind: kind, lower: pair.with(row: 0), upper: pair.with(row: .max))
    _ = scanRemaining(region, base, ascending: true) {
      row = Int($0)
      return false
    }
    return row
  }
}
