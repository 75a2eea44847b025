/// What one write transaction of a synced file changed. Transactions that were committed together have the same version, and an
/// entry each, in their order.
package struct SyncEntry: Sendable, Hashable {
  package var version: UInt64
  package var origin: ChangeOrigin
  /// The transaction's stamp of the hybrid clock: milliseconds << 16 | counter. 0 when a sync transaction gave none.
  package var stamp: UInt64
  /// The changed tables, by their numbers.
  package var tables: [SyncTableChange]
}

/// What one write transaction changed in a table.
package struct SyncTableChange: Sendable, Hashable {
  /// The number of the table.
  package var table: Int
  /// Rows that the transaction created, and rows that it gave another primary key. Row numbers among them that have no row
  /// were deleted again in the same transaction, or never used.
  package var created = IndexRanges()
  /// For each column, the rows in which it was written. Only rows that existed before the transaction, exist after it, and
  /// kept their key are in it and in everything below that names rows.
  package var written: [Int: IndexRanges] = [:]
  /// For each column, the rows in which it lost a link because the target was deleted. What was also written is not among them;
  /// a collection may be in both.
  package var severed: [Int: IndexRanges] = [:]
  /// For each column of sets or maps and each row, the elements of the set, or keys of the map, that were written. They need not
  /// be others than before.
  package var touched: [Int: [Int: Set<ExactValue>]] = [:]
  /// The elements of sets that were removed, and the keys of maps whose values lost links, because the target was
  /// deleted. What is in `touched` is not among them.
  package var severedElements: [Int: [Int: Set<ExactValue>]] = [:]
  /// For each column of lists and each row, how the positions changed.
  package var lists: [Int: [Int: SyncListChange]] = [:]
  /// Primary keys that left the table with the rows that had them before the transaction. The rows were deleted, or have
  /// another key now.
  package var deleted: [DeletedKey] = []
  /// Whether the table's primary key became another property, or its index was rebuilt. The keys that rows had
  /// before are unknown then, and `deleted` is empty.
  package var isKeyChanged = false

  package init(table: Int) { self.table = table }
}

/// How a transaction changed a list.
package struct SyncListChange: Sendable, Hashable {
  package var positions = PositionChanges()
  /// The deleted positions whose elements linked to a row that was deleted, which is why they were deleted.
  package var severedDeletions = IndexRanges()
  /// The modified positions whose elements only lost links to rows that were deleted.
  package var severedModifications = IndexRanges()

  package init() {}

  /// Whether anything but the deletion of rows has changed the list.
  package var isWritten: Bool {
    !positions.insertions.isEmpty || positions.deletions != severedDeletions
      || positions.modifications != severedModifications
  }
}

/// The primary key of a row that was deleted, or that got another key.
package struct DeletedKey: Sendable, Hashable {
  package var key: Value
  package var row: Int

  package init(key: Value, row: Int) {
    self.key = key
    self.row = row
  }
}

// MARK: Reading

extension Snapshot {
  /// Whether the file is synced: its change log says for each transaction what sync needs, and is kept until
  /// ``SessionKey/Kind/trimBound``.
  package var isSynced: Bool { catalogue.isSynced }

  /// Returns what the transactions after a version changed, up to the version of the snapshot, in their order.
  ///
  /// - Throws: `other` when the change log no longer reaches back to the version, or a transaction was written before the file
  ///   was synced; `invalidDatabase` when the log is damaged.
  package func syncEntries(after version: UInt64) throws(StorageError) -> [SyncEntry] {
    var entries: [SyncEntry] = []
    var last = version
    var failure: StorageError?
    func add(_ logged: UInt64, _ bytes: UnsafeRawBufferPointer) -> Bool {
      if logged <= version { return true }
      guard logged == last || logged == last + 1, logged <= self.version else {
        failure = logIsMissing(after: last)
        return false
      }
      last = logged
      switch syncEntry(logged, bytes) {
      case .entry(let entry): entries.append(entry)
      case .nothing: break
      case .unsynced: failure = logIsMissing(after: logged - 1)
      case .damaged: failure = .damaged(path: file.path, "its change log, at version \(logged)")
      }
      return failure == nil
    }
    if version >= self.version { return [] }
    do throws(EntryError) {
      let cursor = try LogCursor(lease.transaction, .main)
      defer { cursor.close() }
      var logged = try cursor.seek(version + 1)
      while let entry = logged {
        let value = entry.value
        let isRead = entry.isBlock ? LogBlock.forEachEntry(value, add) : add(entry.version, value)
        if !isRead { throw EntryError(code: 0) }
        logged = try cursor.next()
      }
    } catch {
      throw failure ?? .damaged(path: file.path, "its change log")
    }
    if last != self.version { throw logIsMissing(after: last) }
    return entries
  }

  private func logIsMissing(after version: UInt64) -> StorageError {
    StorageError(
      .other, path: file.path,
      message:
        "The change log of the Realm file at path '\(file.path)' does not say what was changed after version \(version)."
    )
  }

  private enum ReadEntry {
    case entry(SyncEntry)
    /// The version of a copy, which changed nothing.
    case nothing
    case unsynced
    case damaged
  }

  private func syncEntry(_ version: UInt64, _ bytes: UnsafeRawBufferPointer) -> ReadEntry {
    var reader = ByteReader(bytes)
    guard let changes = VersionChanges(&reader), isSound(changes) else { return .damaged }
    if !SyncedPart.follows(reader) {
      let isNothing = changes.isEmpty && changes.collections.isEmpty && changes.backlinks.isEmpty
      return isNothing ? .nothing : .unsynced
    }
    guard var part = SyncedPart(&reader), part.readRest(&reader), isSound(part.elements) else {
      return .damaged
    }
    var entry = SyncEntry(version: version, origin: part.origin, stamp: part.stamp, tables: [])
    var collections: [Int: [CollectionKey: PositionChanges]] = [:]
    for (key, positions) in changes.collections { collections[key.table, default: [:]][key] = positions }
    for number in Set(changes.tables.keys).union(part.keys.keys).sorted() {
      guard var table = tableChange(number, changes.tables[number], part.keys[number]) else {
        return .damaged
      }
      if let changes = changes.tables[number] {
        let gone = changes.deleted.union(IndexRanges(table.deleted.map(\.row)))
        table.add(part.elements, collections[number] ?? [:], catalogue.tables[number], except: gone)
      }
      entry.tables.append(table)
    }
    return .entry(entry)
  }

  /// Returns what an entry says of one table; nil when the parts of the entry contradict each other.
  private func tableChange(
    _ number: Int, _ changes: TableChanges?, _ keys: SyncedPart.RemovedKeys?
  ) -> SyncTableChange? {
    guard number < tables.count else { return nil }
    var table = SyncTableChange(table: number)
    table.isKeyChanged = keys?.isKeyChanged ?? false
    table.deleted = keys?.removed ?? []
    guard let changes else { return table.deleted.isEmpty ? table : nil }
    let removed = IndexRanges(table.deleted.map(\.row))
    guard removed.last ?? -1 < changes.firstNewRow else { return nil }
    // The table had no key when rows were deleted, and has one now.
    if catalogue.tables[number].primaryKey != nil, !changes.deleted.subtracting(removed).isEmpty {
      table.isKeyChanged = true
    }
    table.created = removed.subtracting(changes.deleted)
    table.created.append(changes.insertedRange)
    let isUnwritten = changes.deleted.union(removed)
    for (column, rows) in changes.modified {
      let rows = rows.subtracting(isUnwritten)
      if !rows.isEmpty { table.written[column] = rows }
    }
    return table
  }
}
