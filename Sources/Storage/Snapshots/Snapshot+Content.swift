// What a snapshot keeps of its version in memory: the catalogue, and how many rows each table has.
extension Snapshot {
  struct Content {
    /// Nil when it is the one that is there already.
    var catalogue: (stamp: UInt64, Catalogue)?
    var rowCounts: [RowCounts]
  }

  /// The numbers of rows of one table.
  struct RowCounts {
    var limit = 0
    var live = 0
  }

  /// Reads what of a version may be damaged, before anything in memory changes.
  func readContent(_ transaction: EntryTransaction) throws(StorageError) -> Content {
    let new = try readCatalogue(transaction)
    return Content(catalogue: new, rowCounts: try readRowCounts(transaction, new?.1 ?? catalogue))
  }

  func take(_ content: Content) {
    if let (stamp, catalogue) = content.catalogue {
      catalogueStamp = stamp
      install(catalogue)
    }
    take(content.rowCounts)
  }

  private func readCatalogue(
    _ transaction: EntryTransaction
  ) throws(StorageError) -> (stamp: UInt64, Catalogue)? {
    guard let bytes = try value(Catalogue.key, "its catalogue", transaction) else {
      if hasChunks(transaction) { throw .damaged(path: file.path, "its catalogue is missing") }
      return nil
    }
    guard bytes.count >= 8 else { throw .damaged(path: file.path, "its catalogue") }
    let stamp = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    if stamp == catalogueStamp && !tables.isEmpty { return nil }
    guard let loaded = Catalogue(bytes) else { throw .damaged(path: file.path, "its catalogue") }
    return (stamp, loaded)
  }

  /// Whether a file has been used. Such a file has all entries of the main tree.
  private func hasChunks(_ transaction: EntryTransaction) -> Bool {
    (try? transaction.entryCount(.columns)) ?? 0 > 0
  }

  /// An entry of the main tree.
  private func value(
    _ key: [UInt8], _ name: String, _ transaction: EntryTransaction
  ) throws(StorageError) -> UnsafeRawBufferPointer? {
    do throws(ValueFault) {
      return try transaction.value(.main, key: key)
    } catch {
      throw .damaged(path: file.path, "\(name): \(error.reason)")
    }
  }

  static let rowCountsKey = Array("rows".utf8)

  /// No table ever has more rows: finding their chunks would take all memory.
  static let largestRowLimit: UInt64 = 1 << 36

  func readRowCounts(
    _ transaction: EntryTransaction, _ catalogue: Catalogue
  ) throws(StorageError) -> [RowCounts] {
    let bytes = try value(Self.rowCountsKey, "its row counts", transaction)
    if bytes == nil && hasChunks(transaction) {
      throw .damaged(path: file.path, "its row counts are missing")
    }
    var counts: [RowCounts] = []
    for (number, table) in catalogue.tables.enumerated() {
      // Tables that are newer than the entry are empty.
      guard let bytes, bytes.count >= (number + 1) * 16 else { break }
      let limit = bytes.loadUnaligned(fromByteOffset: number * 16, as: UInt64.self)
      let live = bytes.loadUnaligned(fromByteOffset: number * 16 + 8, as: UInt64.self)
      guard limit <= Self.largestRowLimit, live <= limit else {
        throw .damaged(path: file.path, "class '\(table.name)', its row counts")
      }
      counts.append(RowCounts(limit: Int(limit), live: Int(live)))
    }
    return counts
  }

  func take(_ counts: [RowCounts]) {
    session.hasUnstoredRowLimits = false
    for (number, table) in tables.enumerated() {
      let count = number < counts.count ? counts[number] : RowCounts()
      table.state.pointee.rowLimit = count.limit
      table.state.pointee.liveCount = count.live
      table.ensureCapacity(rows: count.limit)
    }
  }

  // MARK: Catalogue

  /// Whether the file has a catalogue. A new file has none until a program opens it with classes.
  package var hasCatalogue: Bool { catalogueStamp > 0 }

  /// Makes the tables fit the catalogue; those that it newly has are empty.
  func install(_ newCatalogue: Catalogue) {
    catalogue = newCatalogue
    hasCompoundIndexes = newCatalogue.tables.contains(where: \.hasIndexes)
    hasUniqueRules = newCatalogue.tables.contains { table in
      table.indexes.contains(where: \.isUnique) || table.columns.contains { $0.isUnique && !$0.isRemoved }
    }
    incomingCache = ContiguousArray(repeating: nil, count: newCatalogue.tables.count)
    for (number, description) in newCatalogue.tables.enumerated() {
      if number == tables.count {
        tables.append(.allocate(number, description, self))
      } else {
        tables[number].resize(to: description)
      }
    }
    noteChange()
  }

  /// Makes the snapshot, and only this one, have tables that the file does not have: they are empty.
  ///
  /// - Precondition: No write transaction is open, and the snapshot never moves to another version.
  package func addEmptyTables(_ descriptions: [TableDescription]) {
    precondition(writing == nil)
    var extended = catalogue
    extended.tables += descriptions
    install(extended)
  }
}

/// A column whose links can point to rows of some table. It holds no references, which deleting a row would have to
/// count.
struct IncomingColumn {
  var table: Int
  var number: Int
  var type: ValueType
  var linkRule: LinkRule
}

extension Snapshot {
  /// The columns, of all tables, whose links can point to rows of a table.
  func incomingColumns(_ table: Int) -> [IncomingColumn] {
    if let cached = incomingCache[table] { return cached }
    var incoming: [IncomingColumn] = []
    for (origin, description) in catalogue.tables.enumerated() where !description.isRemoved {
      for (number, column) in description.columns.enumerated() where !column.isRemoved {
        if (column.type == .link && column.target == table) || column.type == .mixed {
          incoming.append(
            IncomingColumn(table: origin, number: number, type: column.type, linkRule: column.linkRule))
        }
      }
    }
    incomingCache[table] = incoming
    return incoming
  }
}
