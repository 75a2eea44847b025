import Storage

/// What a client knows of the lists in the file: the program's changes that were not composed yet, and which lists have operations
/// or unseen elements.
struct ListStates {
  /// A list whose operations are kept.
  struct Kept: Hashable {
    /// The greatest version of the operations.
    var version: UInt64
    /// The stamp of the last change.
    var stamp: Stamp
  }

  let lists: [LocalList]
  private let listsByTable: [Int: [LocalList]]
  private(set) var progress = ListProgress()
  /// The progress as the file has it.
  private(set) var storedProgress: [UInt8]?
  /// What the program has changed since the version of the progress.
  private(set) var edits: [CollectionKey: SyncedList.Edit] = [:]
  /// Rows that are not there any more, or have another key, since then.
  private var goneRows: Set<CollectionKey> = []
  /// The version up to which the change log was read.
  private var scanned: UInt64 = 0
  private(set) var kept: [CollectionKey: Kept] = [:]
  /// Lists with elements whose targets are not here.
  private(set) var unresolved: Set<CollectionKey> = []

  init(_ lists: [LocalList]) {
    self.lists = lists
    listsByTable = Dictionary(grouping: lists, by: \.table)
  }

  var isEmpty: Bool { lists.isEmpty }

  private var hasDocuments: Bool { lists.contains { $0.documents != nil } }

  /// The last version whose entry of the change log is not needed any more.
  var logBound: UInt64 { isEmpty ? .max : progress.version }

  /// Whether the file has to be written before lists can be sent.
  var needsComposition: Bool { !edits.isEmpty || !goneRows.isEmpty }

  func list(_ key: CollectionKey) -> LocalList? {
    listsByTable[key.table]?.first { $0.column == key.column }
  }

  // MARK: Reading

  /// Whether no other process has written lists since this one has read them.
  func isCurrent(_ snapshot: Snapshot) throws(StorageError) -> Bool {
    if isEmpty { return true }
    return try snapshot.session(.listProgress) == storedProgress
  }

  /// Reads what the file says, unless it is what was read or written last.
  mutating func load(_ snapshot: Snapshot) throws(StorageError) {
    if isEmpty { return }
    let bytes = try snapshot.session(.listProgress)
    if let bytes, bytes == storedProgress { return }
    guard let read = bytes.map({ ListProgress($0) }) ?? ListProgress() else { throw Self.damaged(snapshot) }
    storedProgress = bytes
    progress = read
    scanned = read.version
    (edits, goneRows, kept, unresolved) = ([:], [], [:], [])
    // Lists of classes that are left out are not read until the classes are synchronised again.
    for entry in try snapshot.session(of: .listOperations) where list(entry.key.collection) != nil {
      guard let list = SyncedList(elements: SyncedList().encodedElements, operations: entry.bytes) else {
        throw Self.damaged(snapshot)
      }
      note(list, entry.key.collection)
    }
    for entry in try snapshot.session(of: .listElements) where list(entry.key.collection)?.canLink ?? false {
      guard let list = SyncedList(elements: entry.bytes, operations: nil) else {
        throw Self.damaged(snapshot)
      }
      if list.hasUnresolved { unresolved.insert(entry.key.collection) }
    }
  }

  static func damaged(_ snapshot: Snapshot) -> StorageError {
    StorageError(
      .invalidDatabase, path: snapshot.file.path,
      message:
        "The Realm file at path '\(snapshot.file.path)' has damaged lists in the state of its sync session.")
  }

  private mutating func note(_ list: SyncedList, _ key: CollectionKey) {
    kept[key] = list.operations.values.map(\.version).max().map { version in
      let stamps = list.operations.values.flatMap { [$0.positionStamp, $0.valueStamp].compactMap { $0 } }
      return Kept(version: version, stamp: stamps.max() ?? .never)
    }
  }

  /// Reads a list; an empty one when nothing is known of it.
  func read(_ key: CollectionKey, _ snapshot: Snapshot) throws(StorageError) -> SyncedList {
    guard let elements = try snapshot.session(SessionKey(.listElements, key)) else { return SyncedList() }
    let operations = try snapshot.session(SessionKey(.listOperations, key))
    guard let list = SyncedList(elements: elements, operations: operations) else {
      throw Self.damaged(snapshot)
    }
    return list
  }

  /// Writes a list, in the write transaction that is open.
  mutating func write(_ list: SyncedList, _ key: CollectionKey, _ transaction: WriteTransaction) {
    transaction.setSession(
      SessionKey(.listElements, key), list.isEmpty ? nil : list.encodedElements)
    transaction.setSession(
      SessionKey(.listOperations, key), list.operations.isEmpty ? nil : list.encodedOperations)
    note(list, key)
    if list.hasUnresolved {
      unresolved.insert(key)
    } else {
      unresolved.remove(key)
    }
  }

  // MARK: Scanning

  /// Lets the next scan begin with what the file says, because stamps are corrected otherwise from now on.
  mutating func forgetEdits() {
    progress = storedProgress.flatMap { ListProgress($0) } ?? ListProgress()
    scanned = progress.version
    (edits, goneRows) = ([:], [])
  }

  /// Adds what the program has changed up to the version of the snapshot.
  ///
  /// - Parameter creation: Returns the stamp with which the creation of a row is pending.
  mutating func scan(
    _ snapshot: Snapshot, _ state: SessionState, creation: (_ table: Int, _ row: Int) -> Stamp?
  ) throws(StorageError) {
    if isEmpty { return }
    let new = lists.filter { !progress.known.contains($0.fullName) }
    // What was inserted since the preparation has stamps of its own, by which copies of the file recognise it.
    let isFirst = new.count == lists.count && state.startOfPending == state.baseline
    if isFirst {
      try takeWhole(new, snapshot, creation)
      scanned = max(scanned, state.baseline)
    }
    if scanned < snapshot.version {
      if new.count < lists.count || isFirst {
        let parents = hasDocuments ? EmbeddedParents(snapshot) : nil
        for entry in try snapshot.syncEntries(after: scanned) { try add(entry, snapshot, state, parents) }
      }
      scanned = snapshot.version
    }
    if !isFirst { try takeWhole(new, snapshot, creation) }
  }

  /// Takes lists that were not synchronised until now.
  private mutating func takeWhole(
    _ new: [LocalList], _ snapshot: Snapshot, _ creation: (_ table: Int, _ row: Int) -> Stamp?
  ) throws(StorageError) {
    if new.isEmpty { return }
    // Later than the deletion of any former object with the key of one that is here, and than what the server has of its lists.
    let now = max(
      Stamp(rawValue: Int64(bitPattern: try snapshot.syncClock().greatest)), Stamp.never.successor)
    let kept = Dictionary(grouping: try snapshot.sessionKeys(of: .listElements)) {
      [$0.table, $0.column]
    }
    for list in new {
      let rows = (kept[[list.table, list.column]] ?? []).map(\.row)
      takeWhole(list, snapshot, keptRows: rows, now) { row in
        creation(list.table, row).flatMap { $0 > .never.successor ? $0 : nil } ?? now
      }
    }
  }

  /// Takes a list that was not synchronised until now. Everything in it is new, unless the list was synchronised before: then it is
  /// compared with the elements that are kept.
  private mutating func takeWhole(
    _ list: LocalList, _ snapshot: Snapshot, keptRows: [Int], _ now: Stamp, _ creation: (_ row: Int) -> Stamp
  ) {
    func key(_ row: Int) -> CollectionKey { CollectionKey(table: list.table, column: list.column, row: row) }
    for row in keptRows {
      if !snapshot.isAlive(table: list.table, row: row) {
        edits[key(row)] = nil
        goneRows.insert(key(row))
      } else if !goneRows.contains(key(row)) {
        var edit = SyncedList.Edit()
        edit.isAssigned = true
        edit.stamp = now
        edits[key(row)] = edit
      }
    }
    let kept = Set(keptRows)
    let table = snapshot.table(list.table)
    table.forEachRow { row in
      if table.count(list.column, row) == 0 || kept.contains(row) && !goneRows.contains(key(row)) { return }
      edits[key(row)] = SyncedList.Edit(newAt: creation(row))
    }
    progress.known.insert(list.fullName)
  }

  private mutating func add(
    _ entry: SyncEntry, _ snapshot: Snapshot, _ state: SessionState, _ parents: EmbeddedParents?
  ) throws(StorageError) {
    let stamp = state.corrected(Stamp(rawValue: Int64(bitPattern: entry.stamp)), version: entry.version)
    for change in entry.tables {
      if entry.origin == .user, let parents, parents.isEmbedded(change.table) {
        addWrites(ofObjects: change, stamp, parents)
      }
      guard let lists = listsByTable[change.table] else { continue }
      for deleted in change.deleted {
        for list in lists {
          let key = CollectionKey(table: list.table, column: list.column, row: deleted.row)
          edits[key] = nil
          if try snapshot.session(SessionKey(.listElements, key)) != nil { goneRows.insert(key) }
        }
      }
      if entry.origin == .sync { continue }
      for list in lists {
        addCreated(change.created, list, stamp, snapshot)
        for (row, var changed) in change.lists[list.column] ?? [:] {
          // An embedded object that was deleted has left the list.
          if list.documents != nil { changed.severedDeletions = IndexRanges() }
          let key = CollectionKey(table: list.table, column: list.column, row: row)
          edits[key, default: .init()].add(changed, stamp)
        }
      }
    }
  }

  /// Adds writes of embedded objects that are elements, or belong to one.
  private mutating func addWrites(
    ofObjects change: SyncTableChange, _ stamp: Stamp, _ parents: EmbeddedParents
  ) {
    // The severed links are those to embedded objects that were deleted.
    for rows in Array(change.written.values) + Array(change.severed.values) {
      for row in rows.ranges.joined() {
        guard let owner = parents.owner(of: row, table: change.table) else { continue }
        let key = CollectionKey(table: owner.table, column: owner.path[0], row: owner.row)
        guard list(key)?.documents != nil else { continue }
        edits[key, default: .init()].add(writtenObject: owner.outermost, stamp)
      }
    }
  }

  private mutating func addCreated(
    _ created: IndexRanges, _ list: LocalList, _ stamp: Stamp, _ snapshot: Snapshot
  ) {
    let table = snapshot.table(list.table)
    for range in created.ranges {
      for row in range.clamped(to: 0..<table.rowLimit)
      where table.isAlive(row) && table.count(list.column, row) > 0 {
        let key = CollectionKey(table: list.table, column: list.column, row: row)
        edits[key] = SyncedList.Edit(newAt: stamp)
      }
    }
  }

  // MARK: Composing

  /// Composes everything that was scanned, in the write transaction that is open.
  mutating func compose(
    _ snapshot: Snapshot, _ transaction: WriteTransaction, client: Int64, logBound: UInt64,
    values: (LocalList, Int) -> [ListValue]
  ) throws(StorageError) {
    for key in goneRows { write(SyncedList(), key, transaction) }
    for (key, scanned) in edits.sorted(by: { $0.key < $1.key }) {
      guard snapshot.isAlive(table: key.table, row: key.row), let list = list(key) else { continue }
      let former = goneRows.contains(key) ? SyncedList() : try read(key, snapshot)
      var edit = scanned
      if edit.isAssigned { edit.severed = former.positionsWithoutTarget(list, snapshot) }
      if list.documents != nil {
        edit.objects = snapshot.table(key.table).objects(key.column, key.row)
      }
      var synced = former
      synced.operations = synced.operations.filter { $0.value.version > logBound }
      let shown = values(list, key.row)
      synced.compose(
        edit, shown, version: snapshot.version + 1, client: client,
        counter: &progress.counter
      ) { list.shown($0, in: snapshot) }
      if list.isMixed { synced.noteCompleteness(shown: shown) }
      if synced != former { write(synced, key, transaction) }
    }
    (edits, goneRows) = ([:], [])
    progress.version = snapshot.version
  }

  /// Takes care that elements get other numbers than those which the file that this one was copied from may give under the same
  /// client's number.
  mutating func separateNumbers() { progress.counter = .random(in: 1 << 32..<1 << 39) }

  /// Lets insertions that wait be those that a copy has sent, until a whole pull has compared them.
  mutating func shareInsertions() { progress.isSharing = true }

  /// Takes note that a whole pull has compared the insertions that wait with those that copies have sent.
  mutating func endSharing() { progress.isSharing = false }

  /// Gives numbers of the present client to insertions that wait. The file is a backup of the one that has sent others under the
  /// same numbers of the former client.
  mutating func renumberInsertions(
    of former: Int64, by state: SessionState, _ snapshot: Snapshot, _ transaction: WriteTransaction
  ) throws(StorageError) {
    for key in kept.keys.sorted() where kept[key]!.version > state.acknowledged && list(key) != nil {
      var list = try read(key, snapshot)
      list.renumberInsertions(
        of: former, after: state.acknowledged, client: state.client, counter: &progress.counter)
      write(list, key, transaction)
    }
  }

  /// Stores the progress, and forgets operations that no server can need again. What is not composed yet is scanned again by the
  /// next client of the file.
  mutating func store(_ snapshot: Snapshot, _ transaction: WriteTransaction, logBound: UInt64) {
    if isEmpty || needsComposition { return }
    progress.version = max(progress.version, scanned)
    for (key, value) in kept where value.version <= logBound {
      transaction.setSession(SessionKey(.listOperations, key), nil)
      kept[key] = nil
    }
    let bytes = progress.encoded
    if bytes == storedProgress { return }
    transaction.setSession(.listProgress, bytes)
    storedProgress = bytes
  }

  /// Whether the file has the elements, with their numbers, of all that the program did to lists up to a version.
  func areComposed(upTo version: UInt64, _ snapshot: Snapshot) throws(StorageError) -> Bool {
    if isEmpty { return true }
    guard let stored = storedProgress.flatMap({ ListProgress($0) }),
      lists.allSatisfy({ stored.known.contains($0.fullName) })
    else { return false }
    let parents = hasDocuments ? EmbeddedParents(snapshot) : nil
    for entry in try snapshot.syncEntries(after: stored.version)
    where entry.version <= version && entry.origin == .user {
      for change in entry.tables {
        if parents?.isEmbedded(change.table) == true { return false }
        if listsByTable[change.table] == nil { continue }
        if !change.lists.isEmpty || !change.created.isEmpty || !change.deleted.isEmpty { return false }
      }
    }
    return true
  }

  // MARK: What waits

  /// Whether elements may be inserted by what the server does not have.
  func mayInsert(after acknowledged: UInt64) -> Bool {
    !edits.isEmpty || kept.values.contains { $0.version > acknowledged }
  }

  /// The lists of a table with operations that the server does not have.
  func pending(table: Int, after acknowledged: UInt64) -> [CollectionKey] {
    if kept.isEmpty { return [] }
    return kept.filter { $0.key.table == table && $0.value.version > acknowledged }.keys.sorted()
  }

  /// The number of lists that wait, and the stamp of the oldest change of them.
  func waiting(after acknowledged: UInt64) -> (count: Int, oldest: Stamp?) {
    let sent = kept.values.filter { $0.version > acknowledged }
    return (sent.count + edits.count, (sent.map(\.stamp) + edits.values.map(\.stamp)).min())
  }

  /// The rows of which something waits.
  func waitingRows(after acknowledged: UInt64) -> [Int: Set<Int>] {
    var rows: [Int: Set<Int>] = [:]
    for (key, value) in kept where value.version > acknowledged {
      rows[key.table, default: []].insert(key.row)
    }
    for key in edits.keys { rows[key.table, default: []].insert(key.row) }
    return rows
  }
}
