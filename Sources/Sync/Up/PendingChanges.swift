package import Storage

/// What a realm file has and the server does not: computed from the change log alone, so that no second list exists that could
/// contradict the data.
///
/// Entries are added in the order of their versions. The rules:
/// - A user's write of a value makes it pending, with the stamp of the transaction.
/// - A write of the same value by sync cancels that: the server's value has won. Not for counters, of which a difference is
///   pending.
/// - A deletion by sync cancels whatever is pending on the row.
/// - An insertion by sync cancels a pending deletion of its key.
///
/// Rows that are not there any more are skipped when the changes are read.
package struct PendingChanges: Sendable {
  /// Rows that the user has created in one transaction.
  struct CreatedRows: Sendable {
    var rows: Range<Int>
    var stamp: Stamp
  }

  /// A key whose object the user has deleted.
  package struct Deletion: Sendable, Hashable {
    package var key: Value
    package var stamp: Stamp
  }

  /// What is pending in one table.
  struct TableChanges: Sendable {
    /// Ascending, because row numbers are never used again.
    var created: [CreatedRows] = []
    /// Rows that got another primary key, which makes them other objects.
    var renamed: [Int: Stamp] = [:]
    /// Rows that got another primary key, whether they are among the created or the renamed ones.
    var rekeyed: Set<Int> = []
    /// For each row, the stamps of its written properties, by their slots.
    var written: [Int: [Int: Stamp]] = [:]
    var deletions: [IndexKey: Deletion] = [:]
    var elements = PendingElements()

    var isEmpty: Bool {
      created.isEmpty && renamed.isEmpty && written.isEmpty && deletions.isEmpty && elements.isEmpty
    }

    func creation(of row: Int) -> Stamp? {
      if !renamed.isEmpty, let stamp = renamed[row] { return stamp }
      var (low, high) = (0, created.count)
      while low < high {
        let middle = (low + high) / 2
        if created[middle].rows.upperBound > row { high = middle } else { low = middle + 1 }
      }
      return low < created.count && created[low].rows.contains(row) ? created[low].stamp : nil
    }
  }

  private(set) var tables: [Int: TableChanges] = [:]
  /// A table whose primary key became another property: its objects cannot be told apart any more.
  package private(set) var tableWithChangedKey: Int?
  /// The version up to which the entries were added.
  package private(set) var version: UInt64
  /// The greatest stamp of the user's transactions; the least if there is none.
  var newestStamp = Stamp.never
  /// For each table, the rows with lists in which something waits.
  package var waitingLists: [Int: Set<Int>] = [:]

  /// Nothing is pending at a version.
  package init(after version: UInt64) { self.version = version }

  /// Everything in the file at a version is pending, as if it had been created then: no server has it yet.
  ///
  /// - Parameter rowLimits: For each synced table, the number that all its rows are below.
  package init(everythingAt version: UInt64, stamp: Stamp, rowLimits: [Int: Int]) {
    self.version = version
    for (table, limit) in rowLimits where limit > 0 {
      tables[table, default: TableChanges()].created = [CreatedRows(rows: 0..<limit, stamp: stamp)]
    }
  }

  /// Adds everything in a table, as if it had been created with a stamp: no server has it yet.
  ///
  /// - Parameter rowLimit: The number that all its rows are below.
  mutating func addAll(table: Int, rowLimit: Int, stamp: Stamp) {
    guard rowLimit > 0 else { return }
    tables[table, default: TableChanges()].created = [CreatedRows(rows: 0..<rowLimit, stamp: stamp)]
  }

  /// Takes note that nothing was written up to a version but what was added.
  package mutating func advance(to version: UInt64) { self.version = max(self.version, version) }

  /// Adds what the next transaction changed.
  ///
  /// - Parameters:
  ///   - counters: For each table, the slots of counters.
  ///   - key: Returns the primary key of a row that is there; nil if there is no such row.
  package mutating func add(
    _ changes: [SyncTableChange], version: UInt64, origin: ChangeOrigin, stamp: Stamp,
    counters: [Int: Set<Int>] = [:], key: (_ table: Int, _ row: Int) -> IndexKey?
  ) {
    self.version = version
    for change in changes {
      var table = tables.removeValue(forKey: change.table) ?? TableChanges()
      switch origin {
      case .user: table.addWrites(change, stamp)
      case .sync: table.cancel(change, counters[change.table] ?? []) { key(change.table, $0) }
      }
      if !table.isEmpty { tables[change.table] = table }
      if change.isKeyChanged { tableWithChangedKey = change.table }
    }
  }

  // MARK: Reading

  /// Whether nothing of a row is pending.
  package func isClean(table: Int, row: Int) -> Bool {
    if !waitingLists.isEmpty, waitingLists[table]?.contains(row) ?? false { return false }
    guard let changes = tables[table] else { return true }
    return changes.written[row] == nil && changes.creation(of: row) == nil
      && changes.elements.isClean(row: row)
  }

  /// Returns the stamp with which the row's creation is pending.
  package func creation(table: Int, row: Int) -> Stamp? { tables[table]?.creation(of: row) }

  /// The rows of a table that have another primary key than the server knows, which makes them other objects.
  func rekeyedRows(table: Int) -> Set<Int> { tables[table]?.rekeyed ?? [] }

  /// Returns the stamp with which the latest write of a value is pending, which the creation of its row is not.
  package func written(table: Int, row: Int, slot: Int) -> Stamp? { tables[table]?.written[row]?[slot] }

  /// Returns the stamp with which the deletion of a key is pending.
  package func deletion(table: Int, key: IndexKey) -> Stamp? { tables[table]?.deletions[key]?.stamp }

  /// Whether a table has anything that may have to be sent.
  package func isEmpty(table: Int) -> Bool { tables[table] == nil }
}

extension PendingChanges.TableChanges {
  fileprivate mutating func addWrites(_ change: SyncTableChange, _ stamp: Stamp) {
    for rows in change.created.ranges {
      if created.last.map({ $0.rows.upperBound <= rows.lowerBound }) ?? true {
        created.append(.init(rows: rows, stamp: stamp))
      } else {
        for row in rows {
          renamed[row] = stamp
          written[row] = nil
          elements.forget(row: row)
        }
      }
    }
    for (column, rows) in change.written {
      for range in rows.ranges {
        for row in range { written[row, default: [:]][column] = stamp }
      }
    }
    elements.add(change.touched, stamp)
    for deleted in change.deleted {
      if change.created.contains(deleted.row) {
        rekeyed.insert(deleted.row)
      } else {
        written[deleted.row] = nil
        elements.forget(row: deleted.row)
      }
      deletions[IndexKey(deleted.key)] = .init(key: deleted.key, stamp: stamp)
    }
  }

  fileprivate mutating func cancel(
    _ change: SyncTableChange, _ counters: Set<Int>, key: (Int) -> IndexKey?
  ) {
    if !written.isEmpty {
      for (column, rows) in change.written where !counters.contains(column) {
        for range in rows.ranges {
          for row in range { cancel(row, column) }
        }
      }
    }
    if !change.touched.isEmpty {
      let created = Set(change.touched.values.flatMap(\.keys).filter { creation(of: $0) != nil })
      elements.cancel(change.touched) { created.contains($0) }
    }
    // A deleted row is not there any more, so that its creation is not sent either.
    for deleted in change.deleted {
      written[deleted.row] = nil
      elements.forget(row: deleted.row)
    }
    if deletions.isEmpty { return }
    for rows in change.created.ranges {
      for row in rows {
        if let key = key(row) { deletions[key] = nil }
      }
    }
  }

  private mutating func cancel(_ row: Int, _ column: Int) {
    guard var columns = written.removeValue(forKey: row) else { return }
    columns[column] = nil
    if !columns.isEmpty { written[row] = columns }
  }
}
