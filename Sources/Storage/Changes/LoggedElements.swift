/// What an entry of a synced file's log says of collections beyond the positions, and of links that were severed.
///
///   number of columns, for each: table · column · the rows whose link, or mixed value, lost a link because its target was deleted
///   number of collections, for each: table · column · row · elements touched · elements severed · positions of severed deletions
///   · of severed modifications
/// Elements are their number, and for each its size and its bytes as a mixed value; null has none. Numbers are of variable length,
/// rows and positions are ranges.
struct LoggedElements {
  struct Column: Hashable {
    var table: Int
    var column: Int
  }

  /// The rows of values that lost links and were not written.
  private(set) var severed: [Column: IndexRanges] = [:]
  private(set) var collections: [CollectionKey: ElementChanges] = [:]

  // MARK: Writing

  /// Returns the bytes of what a transaction did; none when there is nothing to say.
  static func bytes(_ transaction: WriteTransaction, _ snapshot: Snapshot) -> [UInt8] {
    if transaction.severedCells.isEmpty && transaction.collections.isEmpty { return [] }
    let collections = transaction.collections.filter {
      $0.value.notesElements && !$0.value.elements.isEmpty
        && snapshot.isAlive(table: $0.key.table, row: $0.key.row)
    }
    if transaction.severedCells.isEmpty && collections.isEmpty { return [] }
    var writer = ByteWriter()
    let columns = Dictionary(grouping: transaction.severedCells) {
      Column(table: $0.table, column: $0.column)
    }
    writer.appendVariable(UInt64(columns.count))
    for (column, cells) in columns {
      writer.appendVariable(UInt64(column.table))
      writer.appendVariable(UInt64(column.column))
      writer.append(IndexRanges(cells.map(\.row)))
    }
    writer.appendVariable(UInt64(collections.count))
    for (key, changes) in collections {
      writer.appendVariable(UInt64(key.table))
      writer.appendVariable(UInt64(key.column))
      writer.appendVariable(UInt64(key.row))
      append(changes.elements.touched, to: &writer)
      append(changes.elements.severed.subtracting(changes.elements.touched), to: &writer)
      writer.append(changes.elements.severedDeletions)
      writer.append(changes.elements.severedModifications)
    }
    return writer.bytes
  }

  private static func append(_ elements: Set<ExactValue>, to writer: inout ByteWriter) {
    writer.appendVariable(UInt64(elements.count))
    for element in elements {
      let bytes = element.value.isNull ? [] : element.value.mixedBytes
      writer.appendVariable(UInt64(bytes.count))
      writer.bytes += bytes
    }
  }

  // MARK: Reading

  /// Reads what `bytes` returns; false when it is damaged.
  mutating func read(_ reader: inout ByteReader) -> Bool {
    guard let columnCount = reader.readInteger() else { return false }
    for _ in 0..<columnCount {
      guard let table = reader.readInteger(), let column = reader.readInteger(),
        let rows = reader.readRanges()
      else { return false }
      severed[Column(table: table, column: column)] = rows
    }
    guard let count = reader.readInteger() else { return false }
    for _ in 0..<count {
      guard let table = reader.readInteger(), let column = reader.readInteger(),
        let row = reader.readInteger(),
        let touched = Self.readElements(&reader), let severed = Self.readElements(&reader),
        let deletions = reader.readRanges(), let modifications = reader.readRanges()
      else { return false }
      var changes = ElementChanges()
      changes.touched = touched
      changes.severed = severed
      changes.severedDeletions = deletions
      changes.severedModifications = modifications
      collections[CollectionKey(table: table, column: column, row: row)] = changes
    }
    return true
  }

  private static func readElements(_ reader: inout ByteReader) -> Set<ExactValue>? {
    guard let count = reader.readInteger() else { return nil }
    var elements: Set<ExactValue> = []
    for _ in 0..<count {
      guard let bytes = reader.readInteger().flatMap({ reader.readBytes($0) }) else { return nil }
      elements.insert(ExactValue(bytes.isEmpty ? .null : Value(mixed: bytes)))
    }
    return elements
  }
}

extension Snapshot {
  /// Whether what an entry of the log says of elements names only tables, columns and rows that are there.
  func isSound(_ elements: LoggedElements) -> Bool {
    func isColumn(_ table: Int, _ column: Int) -> Bool {
      table < tables.count && column < catalogue.tables[table].columns.count
    }
    return elements.severed.allSatisfy {
      isColumn($0.key.table, $0.key.column) && $0.value.last ?? -1 < tables[$0.key.table].rowLimit
    }
      && elements.collections.keys.allSatisfy {
        isColumn($0.table, $0.column) && $0.row < tables[$0.table].rowLimit
      }
  }
}

extension SyncTableChange {
  /// Adds what the log says of collections and of severed links in the table.
  ///
  /// - Parameter gone: The rows that were deleted or got another key.
  mutating func add(
    _ elements: LoggedElements, _ positions: [CollectionKey: PositionChanges],
    _ description: TableDescription,
    except gone: IndexRanges
  ) {
    for (column, rows) in elements.severed where column.table == table {
      let rows = rows.subtracting(gone)
      if rows.isEmpty { continue }
      severed[column.column] = rows
      removeWritten(column.column, rows)
    }
    for (key, positions) in positions
    where description.columns[key.column].collection == .list && !gone.contains(key.row) {
      var list = SyncListChange()
      list.positions = positions
      if let changes = elements.collections[key] {
        list.severedDeletions = changes.severedDeletions
        list.severedModifications = changes.severedModifications
      }
      lists[key.column, default: [:]][key.row] = list
    }
    for (key, changes) in elements.collections where key.table == table && !gone.contains(key.row) {
      add(changes, column: key.column, row: key.row)
    }
  }

  private mutating func add(_ changes: ElementChanges, column: Int, row: Int) {
    if !changes.touched.isEmpty { touched[column, default: [:]][row] = changes.touched }
    if !changes.severed.isEmpty { severedElements[column, default: [:]][row] = changes.severed }
    if changes.severed.isEmpty && changes.severedDeletions.isEmpty && changes.severedModifications.isEmpty {
      return
    }
    severed[column, default: IndexRanges()].insert(row)
    if changes.touched.isEmpty && !(lists[column]?[row]?.isWritten ?? false) {
      removeWritten(column, IndexRanges(row..<row + 1))
    }
  }

  private mutating func removeWritten(_ column: Int, _ rows: IndexRanges) {
    let rest = written[column]?.subtracting(rows)
    written[column] = rest.flatMap { $0.isEmpty ? nil : $0 }
  }
}
