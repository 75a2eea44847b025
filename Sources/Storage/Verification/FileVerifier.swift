import LibC

/// Looks at all that one version of a file holds: nodes, the form of every value, and whether what is written
/// twice agrees: presence with the numbers of rows, chunks with the values and collections that they announce, indexes
/// with columns, backlinks with links, words with texts.
///
/// It verifies what it reads anew, and takes none of the shortcuts of normal reading. Memory: a bit for each row of the
/// chunks that are there, and what one chunk needs.
final class FileVerifier {
  let map: FileMap
  let catalogue: Catalogue
  /// For each table the rows that are there.
  var presence: [RowBitmaps] = []
  private(set) var rowLimits: [Int] = []
  private(set) var liveCounts: [Int] = []
  /// Where the sequences are.
  private(set) var sequences = SequenceNumbers()
  /// Of each index of values, the chunks of its column that cannot be read: the index may still have their values.
  var lostChunks: [UInt32: Set<Int>] = [:]
  /// Of each index, what the columns say must be in it.
  var expected: [UInt32: PairSum] = [:]
  /// Of each place in the keys of an index over several columns, what the column says must be there.
  var expectedParts: [KeyPart: PairSum] = [:]
  /// The indexes of which that is not known, since the column is damaged.
  var uncertain: Set<UInt32> = []
  /// Receives all values that are sound; nil when they are only verified.
  var soundValues: (any SoundValues)?
  private(set) var faults: [FileFault] = []
  /// Number of faults beyond the limit, which are only counted.
  private var omittedFaultCount = 0
  private static let faultLimit = 10_000
  /// Whether there are values, to which a catalogue and counts belong.
  private let hasColumns: Bool

  /// Reads what everything else depends on.
  ///
  /// - Throws: `notFound` and the like; `invalidDatabase` when the file, its format or its catalogue cannot be read, or
  ///   the key is wrong; `unsupportedFormat`.
  init(_ map: FileMap) throws(StorageError) {
    self.map = map
    let (stored, mainFaults) = map.mainEntries()
    guard let format = stored[FileFormat.key] else { throw .damaged(path: map.path, "it has no format") }
    try FileFormat.check(format, path: map.path)
    let counts = EntryTree.allCases.map { $0 == .main ? 0 : map.entryCount(of: $0) }
    map.progress.total = counts.reduce(0, +)
    hasColumns = counts[EntryTree.allCases.firstIndex(of: .columns)!] > 0
    if let entry = stored[Catalogue.key] {
      guard let catalogue = Catalogue(entry) else { throw .damaged(path: map.path, "its catalogue") }
      self.catalogue = catalogue
    } else {
      // It has never been opened with classes.
      catalogue = Catalogue()
      if hasColumns { throw .damaged(path: map.path, "its catalogue is missing") }
    }
    for fault in mainFaults { note("\(fault), in the main tree", .unknown) }
    if let fault = map.headerFault { note(fault, .unknown) }
    readRowCounts(stored[Snapshot.rowCountsKey])
    if let entry = stored[SequenceNumbers.key] {
      if let numbers = SequenceNumbers(entry) {
        sequences = numbers
      } else {
        // Numbers of deleted objects may be given again.
        note("its sequences are damaged (\(entry.count) bytes)", .unknown)
      }
    }
    for key in stored.keys { checkLogged(key) }
  }

  private func readRowCounts(_ content: UnsafeRawBufferPointer?) {
    let isLost = content == nil && hasColumns
    if isLost { note("its row counts are damaged", .nothing) }
    for table in catalogue.tables.indices {
      if let bytes = content, bytes.count >= (table + 1) * 16 {
        rowLimits.append(Int(clamping: bytes.loadUnaligned(fromByteOffset: table * 16, as: UInt64.self)))
        liveCounts.append(Int(clamping: bytes.loadUnaligned(fromByteOffset: table * 16 + 8, as: UInt64.self)))
      } else {
        // Without them the bitmaps of presence tell; tables that are newer than the entry are empty.
        rowLimits.append(isLost ? -1 : 0)
        liveCounts.append(isLost ? -1 : 0)
      }
    }
  }

  /// Verifies the version in the key of an entry of the log of changes.
  private func checkLogged(_ key: [UInt8]) {
    guard let version = key.withUnsafeBytes({ LogKey.version($0) }), version > map.version.version else {
      return
    }
    note("the log has version \(version), which is not there yet", .nothing)
  }

  // MARK: All

  /// Looks at everything else.
  ///
  /// - Parameter presenceIsKnown: Called before values are looked at.
  func run(presenceIsKnown: () -> Void = {}) {
    readPresence()
    presenceIsKnown()
    checkColumns()
    checkIndexes()
    if omittedFaultCount > 0 {
      faults.append(FileFault(reason: "\(omittedFaultCount) more faults", loss: .unknown))
    }
  }

  var objectCount: Int { presence.reduce(0) { $0 + $1.count } }

  // MARK: Faults

  func note(
    _ reason: String, _ loss: FileFault.Loss, table: Int? = nil, column: Int? = nil, rows: Range<Int>? = nil
  ) {
    let description = table.flatMap { catalogue.tables.indices.contains($0) ? catalogue.tables[$0] : nil }
    let property = column.flatMap { column in
      description.flatMap { $0.columns.indices.contains(column) ? $0.columns[column].name : nil }
    }
    let fault = FileFault(
      className: description?.name, propertyName: property, rows: rows, reason: reason, loss: loss)
    if let joined = faults.last?.joined(with: fault) {
      faults[faults.count - 1] = joined
    } else if faults.count < Self.faultLimit {
      faults.append(fault)
    } else {
      omittedFaultCount += 1
    }
  }

  /// Notes what was wrong with the nodes of a tree, at the end of a pass over all of its entries.
  func noteFaults(of tree: EntryTree, _ iterator: EntryIterator) {
    for fault in iterator.faults { note("\(fault), in the tree of \(tree.name)", .nothing) }
  }

  /// The entries of a tree that can be found.
  func entries(of tree: EntryTree) -> EntryIterator { EntryIterator(map, tree) }

  // MARK: Rows

  func isAlive(_ table: Int, _ row: Int) -> Bool {
    presence.indices.contains(table) && presence[table].contains(row)
  }
}
