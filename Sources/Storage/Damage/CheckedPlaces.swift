import Synchronization

/// Which values of a file, and which of its pages, have been found sound, so that each is looked at once.
///
/// What was in the file when it was opened is looked at when it is first touched. What has been written since, by
/// whichever process, is trusted, and so is the memory of a write transaction.
///
/// Invariants: `bits` has a bit for each 32 bytes of the `size` bytes of the map from `base` on. No two values begin
/// within the same 32: the smallest entries of LMDB are larger. Bits are only ever set, by any thread.
final class CheckedPlaces: @unchecked Sendable {
  private let environment: EntryStore
  private let base: UInt
  private let size: UInt
  private let mapSize: UInt
  private let pageSize: Int
  private let bits: AtomicBits
  /// The results of the last walks that determined which pages are in use.
  private let walks = Mutex(Walks())
  private struct Walks: @unchecked Sendable { var last: CheckedTrees? }
  /// The tables that were found to have as many rows as they should.
  private let wholeTables = Mutex(NumberTable<Void>())
  /// Nil when no leaf pages are left to be looked at.
  let leaves: CheckedLeaves?
  /// Nil when the file is not encrypted. Otherwise no value lies in the map as it is read, and whether one has been
  /// looked at is noted with its content.
  let openedValues: OpenedValues?
  /// Of what is being written.
  let sealSum = SealSum()
  private static let granule: UInt = 5

  /// - Parameters:
  ///   - map: Where it begins.
  ///   - fileSize: In bytes.
  init(
    _ environment: EntryStore, map: UnsafeRawPointer, fileSize: Int, mapSize: Int, pageSize: Int,
    leaves: CheckedLeaves?, openedValues: OpenedValues? = nil
  ) {
    self.environment = environment
    self.mapSize = UInt(mapSize)
    base = UInt(bitPattern: map)
    size = UInt(fileSize)
    self.pageSize = pageSize
    self.leaves = leaves
    self.openedValues = openedValues
    bits = AtomicBits(count: fileSize >> Int(Self.granule))
  }

  deinit { bits.deallocate() }

  /// How the values of the file are sealed.
  var sealing: FileFormat.Sealing { openedValues.map { .encryption($0.cipher) } ?? .checksum }

  /// Where LMDB's map begins.
  var map: UnsafeRawPointer { UnsafeRawPointer(bitPattern: base)! }

  /// Whether a value needs no look: it has had one, or was written since the file was opened.
  @inline(__always) func isChecked(_ address: UnsafeRawPointer) -> Bool {
    let offset = UInt(bitPattern: address) &- base
    if offset >= size { return openedValues == nil || OpenedValue.isChecked(address) }
    return bits.isSet(offset &>> Self.granule)
  }

  /// Whether a value may have been copied, unread, with its page, when a write transaction changed something else on
  /// it. Such copies are looked at every time.
  @inline(__always) func isCopy(_ value: UnsafeRawBufferPointer) -> Bool {
    value.count < pageSize / 2 && UInt(bitPattern: value.baseAddress) &- base >= mapSize
      && openedValues == nil
  }

  /// Whether both is not so, and a stored value can be used as it is.
  @inline(__always) func isTrusted(_ value: UnsafeRawBufferPointer) -> Bool {
    openedValues == nil && isChecked(value.baseAddress!) && !isCopy(value)
  }

  /// Returns whether the checksum of a value that may not have been verified is wrong, as far as a quick check finds that: the
  /// deletion of large values does not read or decrypt them.
  func isDamaged(_ value: UnsafeRawBufferPointer, _ key: UnsafeRawPointer, _ keySize: Int) -> Bool {
    openedValues == nil && value.count <= 4 * pageSize && !Seal.isSound(value, key: key, keySize)
  }

  func noteChecked(_ address: UnsafeRawPointer) {
    let offset = UInt(bitPattern: address) &- base
    if offset >= size {
      if openedValues != nil { OpenedValue.noteChecked(address) }
      return
    }
    bits.set(offset &>> Self.granule)
  }

  /// Whether all rows of a table were found (see `Snapshot.checkAbsentRows`).
  func hasAllRows(ofTable table: Int) -> Bool { wholeTables.withLock { $0[table] != nil } }

  func noteAllRows(ofTable table: Int) { wholeTables.withLock { $0[table] = () } }

  /// Whether all of a value is in the map or in memory, and its pages, if it has its own, are as many as it needs.
  func isSound(_ value: UnsafeRawBufferPointer) -> Bool {
    let offset = UInt(bitPattern: value.baseAddress) &- base
    if offset >= size { return true }
    if offset & UInt(pageSize - 1) != UInt(LMDBPage.headerSize) { return true }
    return Self.isSoundOverflow(
      value, page: UInt64(offset) / UInt64(pageSize), pageSize: pageSize, pageLimit: pageLimit)
  }

  /// Whether a writer may have LMDB free a value of the newest version, of which it frees as many pages as the first one
  /// says. Pages that the value does not need must be unused.
  func canBeFreed(_ value: UnsafeRawBufferPointer) -> Bool {
    let offset = UInt(bitPattern: value.baseAddress) &- base
    if offset >= size || offset & UInt(pageSize - 1) != UInt(LMDBPage.headerSize) { return true }
    guard isSound(value) else { return false }
    let first = UInt64(offset) / UInt64(pageSize)
    let end = first + UInt64(Self.firstPage(value).overflowCount)
    let needed = first + UInt64(LMDBPage.overflowCount(valueSize: value.count, pageSize: pageSize))
    return needed == end || areUnused(needed..<end, after: first)
  }

  /// Whether pages belong to nothing in the newest version. Looks at all its pages, which is seldom needed: a value
  /// has more pages than it needs only when the transaction that made it also made it smaller.
  private func areUnused(_ pages: Range<UInt64>, after first: UInt64) -> Bool {
    walks.withLock { walks in
      if walks.last?.version != environment.newestVersion {
        guard let trees = try? FileCheck.checkTrees(environment, path: "", .pages) else { return false }
        walks.last = trees
      }
      guard let walk = walks.last?.walk else { return false }
      // What the present transaction has made, and LMDB already written to the file, is nowhere in that version.
      return !walk.isInUse(first) || pages.allSatisfy { !walk.isInUse($0) && !walk.isFree($0) }
    }
  }

  /// The number of pages of the newest version, by any process.
  private var pageLimit: UInt64 { UInt64(environment.lastPage) + 1 }

  /// The first of a value's own pages.
  private static func firstPage(_ value: UnsafeRawBufferPointer) -> LMDBPage {
    LMDBPage(base: value.baseAddress! - LMDBPage.headerSize)
  }

  /// Whether the first of a value's own pages says what it should: LMDB frees as many pages as that says.
  ///
  /// They may be more than it needs: a value that became smaller in the transaction that made it stays where it is. All of
  /// them lie within the file. See `canBeFreed` for what else is asked of them.
  static func isSoundOverflow(
    _ value: UnsafeRawBufferPointer, page number: UInt64, pageSize: Int, pageLimit: @autoclosure () -> UInt64
  ) -> Bool {
    let page = firstPage(value)
    let needed = UInt64(LMDBPage.overflowCount(valueSize: value.count, pageSize: pageSize))
    let stored = UInt64(page.overflowCount)
    return page.number == number && page.kind == LMDBPage.Kind.overflow
      && (stored == needed || stored > needed && number + stored <= pageLimit())
  }
}
