import Pages

/// A place among the entries of a tree. Its opener has to close it before the transaction ends.
///
/// Of a transaction that writes it knows the key at which it is, and looks for it again when something was changed.
final class EntryCursor {
  private(set) var transaction: EntryTransaction?
  private let tree: EntryTree
  // In place so that a move copies nothing. No call from here comes back to it.
  @exclusivity(unchecked) private var cursor: PageCursor?
  private let keys = KeyRing(size: PageCursor.keyLimit)
  private var hasEntry = false
  /// The key at which it is in a transaction that writes, as the file has it.
  private var place: [UInt8] = []
  /// The move that has led beyond all entries.
  private var end: Move?
  private var changeCount = 0

  init(_ transaction: EntryTransaction, _ tree: EntryTree) {
    (self.transaction, self.tree) = (transaction, tree)
    begin()
  }

  func close() { (transaction, cursor) = (nil, nil) }

  /// Moves on to another read transaction.
  func renew(_ transaction: EntryTransaction) throws(EntryError) {
    self.transaction = transaction
    (hasEntry, end) = (false, nil)
    begin()
  }

  private func begin() {
    changeCount = transaction?.changeCount ?? 0
    guard let source = transaction?.source else {
      cursor = nil
      return
    }
    if cursor == nil { cursor = PageCursor(source) } else { cursor!.renew(source) }
  }

  // MARK: Moving

  /// Where a cursor goes.
  enum Move {
    /// To a key, or to the first one that is not less.
    case to, toOrAfter
    case last
    /// Of a cursor that has no entry: the first, or the last.
    case next, previous
  }

  /// - Parameters:
  ///   - key: What is looked for, and then the key that was found, which holds until the cursor has moved on several times.
  ///   - value: In the map.
  /// - Returns: Whether there is such an entry; when there is none, the cursor's place is undefined.
  func move(_ move: Move, _ key: inout StoredBytes, _ value: inout StoredBytes) throws(EntryError) -> Bool {
    guard transaction != nil, cursor != nil else { throw .badTransaction }
    if let end, end == move, move == .next || move == .previous { return false }
    let found = try withPageErrors { () throws(PageError) in
      try advance(move, key) ? try entry() : nil
    }
    hasEntry = found != nil
    guard let found else {
      end = move
      return false
    }
    end = nil
    if move == .to, !key.bytes.elementsEqual(found.key) { return false }
    key = StoredBytes(found.key)
    value = StoredBytes(found.value)
    return true
  }

  /// Returns whether there is an entry, perhaps of another tree.
  private func advance(_ move: Move, _ key: StoredBytes) throws(PageError) -> Bool {
    switch move {
    case .to, .toOrAfter:
      return try tree.withKey(key.start, key.count) { (key) throws(PageError) in try seek(key) }
    case .last: return try seekEnd()
    case .next:
      if !hasEntry { return try seekStart() }
      if isMoved {
        // Where the entry was deleted, the next one has its place.
        guard try seekPlace() else { return false }
        if !currentKey.elementsEqual(place) { return true }
      }
      return try step(forward: true)
    case .previous:
      if !hasEntry { return try seekEnd() }
      if isMoved, try !seekPlace() { return try seekEnd() }
      return try step(forward: false)
    }
  }

  private var isMoved: Bool { changeCount != transaction!.changeCount }

  private func seekPlace() throws(PageError) -> Bool {
    try seek(place)
  }

  private func seekStart() throws(PageError) -> Bool {
    try seek([tree.number])
  }

  /// To the last entry before the next tree.
  private func seekEnd() throws(PageError) -> Bool {
    if try seek([tree.number + 1]) { return try step(forward: false) }
    return try cursor!.moveToLast()
  }

  private func seek(_ key: [UInt8]) throws(PageError) -> Bool {
    try key.withUnsafeBufferPointer { (key) throws(PageError) in try seek(UnsafeRawBufferPointer(key)) }
  }

  private func seek(_ key: UnsafeRawBufferPointer) throws(PageError) -> Bool {
    // A cursor of a transaction holds until the next change.
    if isMoved { begin() }
    return try cursor!.move(toOrAfter: key)
  }

  private func step(forward: Bool) throws(PageError) -> Bool {
    try forward ? cursor!.moveToNext() : cursor!.moveToPrevious()
  }

  private var currentKey: UnsafeRawBufferPointer { keys.add { cursor!.writeKey(to: $0) } }

  /// The present entry; nil when it is another tree's.
  private func entry() throws(PageError) -> Entry? {
    let key = currentKey
    guard key.count > 1, key[0] == tree.number else { return nil }
    if transaction!.isWriting { place = Array(key) }
    let value = try cursor!.value()
    return Entry(key: UnsafeRawBufferPointer(rebasing: key[1...]), value: value)
  }

  /// An entry.
  struct Entry {
    /// Holds until the cursor has moved on several times, or is released.
    let key: UnsafeRawBufferPointer
    let value: UnsafeRawBufferPointer
  }

  /// - Parameter sought: What is looked for, if the operation looks for a key.
  private func entry(
    _ move: Move, _ sought: UnsafeRawBufferPointer? = nil
  ) throws(EntryError) -> Entry? {
    var key = sought.map(StoredBytes.init) ?? StoredBytes()
    var value = StoredBytes()
    return try self.move(move, &key, &value) ? Entry(key: key.bytes, value: value.bytes) : nil
  }

  func entry(at key: UnsafeRawBufferPointer) throws(EntryError) -> Entry? { try entry(.to, key) }

  func entry(atOrAfter key: UnsafeRawBufferPointer) throws(EntryError) -> Entry? {
    try entry(.toOrAfter, key)
  }

  func entry(atOrAfter key: [UInt8]) throws(EntryError) -> Entry? {
    try key.withUnsafeBufferPointer { (key) throws(EntryError) in
      try entry(atOrAfter: UnsafeRawBufferPointer(key))
    }
  }

  /// The entry after the present one; of a cursor that has none, the first.
  func nextEntry() throws(EntryError) -> Entry? { try entry(.next) }

  /// Releases what was decrypted for the transaction if that is much: of former entries nothing may be in use.
  func releaseDecrypted() throws(EntryError) {
    try withPageErrors { () throws(PageError) in try cursor!.releaseDecrypted() }
  }

  /// Number of entries of the tree, for which no value is read. The cursor is beyond all entries then.
  func entryCount() throws(EntryError) -> Int {
    try withPageErrors { () throws(PageError) in
      var count = 0
      var isThere = try seekStart()
      while isThere, currentKey[0] == tree.number {
        count += 1
        isThere = try step(forward: true)
      }
      return count
    }
  }

  // MARK: Deleting

  /// Deletes the present entry, of a transaction that writes.
  func delete() throws(EntryError) {
    guard let transaction else { throw .badTransaction }
    let key = place
    try withPageErrors { () throws(PageError) in
      try key.withUnsafeBufferPointer { (key) throws(PageError) in
        try transaction.remove(UnsafeRawBufferPointer(key))
      }
    }
  }
}
