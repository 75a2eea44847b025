import LibC

/// Looks at all that one version of a file holds: pages, seals, the form of every value, and whether what is written
/// twice agrees: presence with the numbers of rows, chunks with the values and collections that they announce, indexes
/// with columns, backlinks with links, words with texts.
///
/// It reads the file's bytes, not LMDB, and keeps none of the shortcuts of normal reading. Memory: a bit for each row of the
/// chunks that are there, and what one chunk needs.
final class FileVerifier {
  let map: FileMap
  let opener: ValueOpener
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
  /// Who is to have all values that are sound; nil when they are only looked at.
  var soundValues: (any SoundValues)?
  private(set) var faults: [FileFault] = []
  /// Number of faults beyond the limit, which are only counted.
  private var omittedFaultCount = 0
  private static let faultLimit = 10_000
  private let trees: StoredTrees

  /// Reads what everything else depends on.
  ///
  /// - Throws: `notFound` and the like; `invalidDatabase` when the file, its format or its catalogue cannot be read, or
  ///   the key is wrong; `unsupportedFormat`.
  init(_ map: FileMap, encryptionKey: [UInt8]?) throws(StorageError) {
    self.map = map
    trees = StoredTrees(map)
    let opener = try trees.opener(encryptionKey: encryptionKey)
    self.opener = opener
    let (entries, mainFaults) = trees.readMain(opener)
    // Which rows there are is read twice.
    map.progress.total = trees.entryCount
    let stored = Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    func content(_ key: [UInt8]) -> UnsafeRawBufferPointer? {
      stored[key].flatMap { value in key.withUnsafeBytes { opener.open(value, key: $0) } }
    }
    if stored[Catalogue.key] == nil, trees.hasColumns {
      throw .damaged(path: map.path, "its catalogue is missing")
    } else if stored[Catalogue.key] == nil {
      // It has never been opened with classes.
      catalogue = Catalogue()
    } else if let catalogue = content(Catalogue.key).flatMap({ Catalogue($0) }) {
      self.catalogue = catalogue
    } else {
      throw .damaged(path: map.path, "its catalogue")
    }
    for fault in mainFaults { note("\(fault), in the main tree", .unknown) }
    if let fault = map.headerFault { note(fault, .unknown) }
    readRowCounts(content(Snapshot.rowCountsKey), isThere: stored[Snapshot.rowCountsKey] != nil)
    if let entry = stored[SequenceNumbers.key] {
      if let numbers = content(SequenceNumbers.key).flatMap({ SequenceNumbers($0) }) {
        sequences = numbers
      } else {
        // Numbers of deleted objects may be given again.
        note("its sequences are damaged (\(entry.count) bytes)", .unknown)
      }
    }
    readLog(entries)
    checkSession(entries)
    opener.forget()
  }

  /// Reads the log.
  private func readLog(_ entries: [StoredTrees.MainEntry]) {
    var last: (version: UInt64, entry: UnsafeRawBufferPointer)?
    for entry in entries { last = checkLog(entry.key, entry.value) ?? last }
  }

  /// Verifies the checksums of the entries of a sync session.
  private func checkSession(_ entries: [(key: [UInt8], value: UnsafeRawBufferPointer)]) {
    for (key, value) in entries {
      key.withUnsafeBytes { key in
        if SessionKey(key) != nil, opener.open(value, key: key) == nil {
          note("the state of its sync session is damaged", .unknown)
        }
      }
    }
  }

  private func readRowCounts(_ content: UnsafeRawBufferPointer?, isThere: Bool) {
    let isLost = content == nil && (isThere || trees.hasColumns)
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

  /// An entry of the log of changes; nil when it is none, or cannot be read, or is one of several that were put together.
  private func checkLog(
    _ key: [UInt8], _ value: UnsafeRawBufferPointer
  ) -> (version: UInt64, entry: UnsafeRawBufferPointer)? {
    key.withUnsafeBytes { key in
      guard let version = LogKey.version(key) else { return nil }
      guard let entry = opener.open(value, key: key) else {
        note("what version \(version) changed cannot be read", .nothing)
        return nil
      }
      if version > map.meta.version {
        note("the log has version \(version), which is not there yet", .nothing)
        return nil
      }
      return LogKey.isBlock(key) ? nil : (version, entry)
    }
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
    if !faults.isEmpty { return }
    // Nothing is lost: which pages are free matters to the next writer.
    if let fault = trees.fault { return note(fault, .nothing) }
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

  /// Notes what was wrong with the pages of a tree, at the end of a pass over all of its entries.
  ///
  /// - Parameter loss: What entries that are missing may cost, beside what is noted where they are looked for.
  func notePages(of tree: StoredTree, _ iterator: EntryIterator, _ loss: FileFault.Loss) {
    for fault in trees.faults(of: tree) + iterator.faults {
      note("\(fault), in the tree of \(tree.rawValue)", .nothing)
    }
    if let expected = trees.entryCount(of: tree), expected != iterator.entryCount {
      let count = "\(iterator.entryCount) entries instead of \(expected)"
      note("the tree of \(tree.rawValue) has \(count)", iterator.entryCount < expected ? loss : .nothing)
    }
  }

  /// The entries of a tree that can be found.
  func entries(of tree: StoredTree) -> EntryIterator {
    if trees.entryCount(of: tree) == nil, !catalogue.tables.isEmpty {
      note("the tree of \(tree.rawValue) is missing", .unknown)
    }
    return trees.entries(of: tree, opener)
  }

  // MARK: Rows

  func isAlive(_ table: Int, _ row: Int) -> Bool {
    presence.indices.contains(table) && presence[table].contains(row)
  }
}
