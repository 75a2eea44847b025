import LibC

/// A cursor over the blocks of one index.
///
/// Invariants: `key` and `value` are those of the entry at which the last successful move ended; both point into
/// the file's nodes, which stay as they are for the life of a read transaction, and until the next write in a write
/// transaction. A cursor of a write transaction is closed before the transaction ends. One thread at a time.
final class BlockCursor {
  let index: UInt32
  /// Verifies blocks; nil when they are read unverified. Outlives the cursor.
  private unowned(unsafe) let verifier: (any BlockVerifier)?
  private let checkedPlaces: CheckedPlaces?
  private let tree: EntryTree
  /// Nil for an index that cannot be read: it has no entries.
  private var cursor: EntryCursor?
  /// Where the key to look for is written.
  private let target: UnsafeMutableRawPointer
  @exclusivity(unchecked) private(set) var key = StoredBytes()
  @exclusivity(unchecked) private(set) var value = StoredBytes()
  /// Number of searches, by which a walk from block to block notices that another search came between.
  @exclusivity(unchecked) private(set) var searches = 0

  /// - Parameter verifier: Verifies each block when it is first touched.
  init(
    transaction: EntryTransaction, tree: EntryTree, index: UInt32, verifier: (any BlockVerifier)? = nil
  ) throws(EntryError) {
    self.index = index
    self.tree = tree
    self.verifier = verifier
    checkedPlaces = verifier?.checkedPlaces
    target = .allocate(byteCount: IndexFormat.longestBlockKey, alignment: 8)
    if index == IndexNumber.none && verifier != nil { return }
    do {
      cursor = try transaction.openCursor(tree)
    } catch {
      if !isRecorded(error) { throw error }
    }
  }

  deinit {
    close()
    target.deallocate()
  }

  func close() {
    cursor?.close()
    cursor = nil
  }

  /// Moves on to another read transaction.
  func renew(transaction: EntryTransaction) throws(EntryError) {
    searches += 1
    try cursor?.renew(transaction)
  }

  // MARK: Moving

  /// Whether there is such an entry; when there is none, the cursor's place is undefined.
  ///
  /// Where damage is recorded, nodes that cannot be read have no entries: the caller of the snapshot finds the damage.
  @inline(__always) private func move(_ move: EntryCursor.Move) throws(EntryError) -> Bool {
    guard let cursor else { return false }
    do {
      return try cursor.move(move, &key, &value)
    } catch {
      if isRecorded(error) { return false }
      throw error
    }
  }

  /// Records an error as damage of the index. Returns false where damage is not recorded.
  @inline(never) private func isRecorded(_ error: EntryError) -> Bool {
    verifier?.noteDamage(ofIndex: index, error.fault) ?? false
  }

  @inline(__always) private func writeRegion(_ kind: IndexKeyKind) {
    target.storeBytes(of: index.bigEndian, as: UInt32.self)
    target.storeBytes(of: kind.rawValue, toByteOffset: 4, as: UInt8.self)
  }

  /// Whether the current entry is a block of this index and kind.
  @inline(__always) func isIn(_ kind: IndexKeyKind) -> Bool {
    key.count > IndexFormat.regionSize
      && key.start.loadUnaligned(as: UInt32.self) == index.bigEndian
      && key.start.load(fromByteOffset: 4, as: UInt8.self) == kind.rawValue
  }

  /// Writes the key of a block that begins with the pair to the target, and returns its size.
  @inline(__always)
  private func writeKey<Pair: IndexPair>(_ pair: Pair, _ kind: IndexKeyKind, ordinal: UInt64) -> Int {
    writeRegion(kind)
    return IndexFormat.regionSize
      + pair.writeBlockKey(to: target + IndexFormat.regionSize, ordinal: ordinal)
  }

  @inline(__always) private func search(_ size: Int) throws(EntryError) -> Bool {
    searches &+= 1
    key = StoredBytes(start: target, count: size)
    return try move(.toOrAfter)
  }

  /// The first block of a kind.
  func moveToFirst(_ kind: IndexKeyKind) throws(EntryError) -> Bool {
    writeRegion(kind)
    return try search(IndexFormat.regionSize) && isIn(kind)
  }

  /// The last block of a kind.
  func moveToLast(_ kind: IndexKeyKind) throws(EntryError) -> Bool {
    writeRegion(kind)
    target.storeBytes(of: kind.rawValue + 1, toByteOffset: 4, as: UInt8.self)
    let found = try search(IndexFormat.regionSize)
    return try move(found ? .previous : .last) && isIn(kind)
  }

  /// The last block whose first pair is not after the given one.
  ///
  /// In a group of blocks whose first keys are the same after the cut, this is linear in their number.
  @inline(__always)
  func moveToLast<Pair: IndexPair>(
    notAfter pair: Pair, _ kind: IndexKeyKind
  ) throws(EntryError) -> Bool {
    let size = writeKey(pair, kind, ordinal: .max)
    if try search(size) {
      if key.count == size && memcmp(key.start, target, size) == 0 && !pair.isCut { return true }
      guard try move(.previous) else { return false }
    } else {
      guard try move(.last) else { return false }
    }
    guard isIn(kind) else { return false }
    guard pair.isCut else { return true }
    while isInGroup(size), block(Pair.self).startsAfter(pair) {
      guard try move(.previous), isIn(kind) else { return false }
    }
    return true
  }

  /// Whether the current block's first key is the same, after the cut, as the cut key searched for last, whose
  /// written form has the given size.
  private func isInGroup(_ size: Int) -> Bool {
    key.count == size && memcmp(key.start, target, size - 8) == 0
  }

  func moveToNext(_ kind: IndexKeyKind) throws(EntryError) -> Bool { try move(.next) && isIn(kind) }
  func moveToPrevious(_ kind: IndexKeyKind) throws(EntryError) -> Bool { try move(.previous) && isIn(kind) }

  /// The key of a block: what a cursor says of it does not last.
  typealias Place = [UInt8]
  var place: Place { keyBytes }

  /// Moves back to a block at which the cursor was.
  func move(to place: Place) throws(EntryError) -> Bool {
    searches &+= 1
    return try place.withUnsafeBufferPointer { (bytes) throws(EntryError) in
      key = StoredBytes(UnsafeRawBufferPointer(bytes))
      return try move(.to)
    }
  }

  /// The first block of a kind whose first key is the same, after the cut, as that of the pair.
  func moveToGroup<Pair: IndexPair>(of pair: Pair, _ kind: IndexKeyKind) throws(EntryError) -> Bool {
    let size = writeKey(pair, kind, ordinal: 0)
    return try search(size) && isInGroup(size)
  }

  /// Deletes the current entry.
  func delete() throws(EntryError) { try cursor?.delete() }

  /// The ordinal of the current block, if its first key is cut where the pair's is, and the same up to there.
  func ordinal<Pair: IndexPair>(sharedWith pair: Pair, _ kind: IndexKeyKind) -> UInt64? {
    let size = writeKey(pair, kind, ordinal: 0)
    return isInGroup(size) ? ordinal : nil
  }

  /// That at the end of the current key.
  var ordinal: UInt64 {
    UInt64(bigEndian: key.start.loadUnaligned(fromByteOffset: key.count - 8, as: UInt64.self))
  }

  // MARK: Blocks

  /// The current block.
  @inline(__always) func block<Pair: IndexPair>(_: Pair.Type) -> Pair.Block {
    if let checkedPlaces, checkedPlaces.isTrusted(value.bytes) { return Pair.Block(value.start) }
    return checkedBlock(Pair.self)
  }

  @inline(never) private func checkedBlock<Pair: IndexPair>(_: Pair.Type) -> Pair.Block {
    let content = content
    if let checkedPlaces {
      if !checkedPlaces.isChecked(content.baseAddress!) {
        check(Pair.self, content, key)
      } else if checkedPlaces.isCopy(content), let fault = Pair.Block.fault(in: content) {
        verifier?.stop(damagedIndex: index, "a block is damaged: \(fault)")
      }
    }
    return Pair.Block(content.baseAddress!)
  }

  /// Returns the block with a content, for a block that the cursor has left and whose key is unknown.
  @inline(__always) func block<Pair: IndexPair>(_: Pair.Type, _ bytes: UnsafeRawBufferPointer) -> Pair.Block {
    if let checkedPlaces, !checkedPlaces.isChecked(bytes.baseAddress!) { check(Pair.self, bytes, nil) }
    return Pair.Block(bytes.baseAddress!)
  }

  /// The current block's content and first pair, of which the form is checked.
  func first<Pair: IndexPair>(_: Pair.Type, _ arena: KeyArena) -> (content: UnsafeRawBufferPointer, Pair) {
    let content = content
    if let verifier, let checkedPlaces, !checkedPlaces.isChecked(content.baseAddress!),
      let fault = Pair.Block.fault(in: content)
    {
      verifier.stop(damagedIndex: index, fault)
    }
    return (content, Pair.Block(content.baseAddress!).pair(0, arena))
  }

  /// The current entry's value.
  var content: UnsafeRawBufferPointer { value.bytes }

  @inline(never)
  private func check<Pair: IndexPair>(_: Pair.Type, _ bytes: UnsafeRawBufferPointer, _ key: StoredBytes?) {
    guard let verifier, let checkedPlaces else { return }
    let fault = verifier.fault(
      inBlock: bytes, key: key?.bytes, index: index, hasBytes: Pair.self == BytesPair.self)
    if let fault {
      verifier.stop(damagedIndex: index, fault)
    }
    checkedPlaces.noteChecked(bytes.baseAddress!)
  }

  /// Ends the program: reading can fail only when the file is damaged or a transaction is misused.
  func stop(_ error: EntryError) -> Never { stopDamaged(cursor?.transaction, error.fault) }

  /// A copy of the current entry's key.
  var keyBytes: [UInt8] { Array(key.bytes) }
}
