import CLMDB
import Synchronization

/// Which values of a file, and which of its pages, have been found sound, so that each is looked at once.
///
/// What was in the file when it was opened is looked at when it is first touched. What has been written since, by
/// whichever process, is trusted, and so is the memory of a write transaction.
///
/// Invariants: `bits` has a bit for each 32 bytes of the `size` bytes of the map from `base` on. No two values begin
/// within the same 32: the smallest entries of LMDB are larger. Bits are only ever set, by any thread.
final class CheckedPlaces: @unchecked Sendable {
  private let environment: OpaquePointer
  private let base: UInt
  private let size: UInt
  private let mapSize: UInt
  private let pageSize: Int
  private let bits: AtomicBits
  /// What was found when somebody last had to know which pages are in use.
  private let walks = Mutex(Walks())
  private struct Walks: @unchecked Sendable { var last: CheckedTrees? }
  /// Nil when no leaf pages are left to be looked at.
  let leaves: CheckedLeaves?
  private static let granule: UInt = 5

  /// - Parameters:
  ///   - map: Where it begins.
  ///   - fileSize: In bytes.
  init(
    _ environment: OpaquePointer, map: UnsafeRawPointer, fileSize: Int, mapSize: Int, pageSize: Int,
    leaves: CheckedLeaves?
  ) {
    self.environment = environment
    self.mapSize = UInt(mapSize)
    base = UInt(bitPattern: map)
    size = UInt(fileSize)
    self.pageSize = pageSize
    self.leaves = leaves
    bits = AtomicBits(count: fileSize >> Int(Self.granule))
  }

  deinit { bits.deallocate() }

  /// Where LMDB's map begins.
  var map: UnsafeRawPointer { UnsafeRawPointer(bitPattern: base)! }

  /// The same, found from any small value in it.
  static func map(known: UnsafeRawPointer, pageSize: Int) -> UnsafeRawPointer {
    // A page begins with its number.
    let page = UInt(bitPattern: known) & ~UInt(pageSize - 1)
    let number = UnsafeRawPointer(bitPattern: page)!.load(as: UInt.self)
    return UnsafeRawPointer(bitPattern: page &- number &* UInt(pageSize))!
  }

  /// Whether a value needs no look: it has had one, or was written since the file was opened.
  @inline(__always) func isChecked(_ address: UnsafeRawPointer) -> Bool {
    let offset = UInt(bitPattern: address) &- base
    if offset >= size { return true }
    return bits.isSet(offset &>> Self.granule)
  }

  /// Whether a value may have been copied, unread, with its page, when a write transaction changed something else on
  /// it. Such copies are looked at every time.
  @inline(__always) func isCopy(_ value: UnsafeRawBufferPointer) -> Bool {
    value.count < pageSize / 2 && UInt(bitPattern: value.baseAddress) &- base >= mapSize
  }

  func noteChecked(_ address: UnsafeRawPointer) {
    let offset = UInt(bitPattern: address) &- base
    if offset >= size { return }
    bits.set(offset &>> Self.granule)
  }

  /// Whether all of a value is in the map or in memory, and its pages, if it has its own, are as many as it needs.
  func isSound(_ value: UnsafeRawBufferPointer) -> Bool {
    let offset = UInt(bitPattern: value.baseAddress) &- base
    if offset >= size { return true }
    if offset & UInt(pageSize - 1) != UInt(Self.headerSize) { return true }
    return Self.isSoundOverflow(
      value, page: UInt64(offset) / UInt64(pageSize), pageSize: pageSize, pageLimit: pageLimit)
  }

  /// Whether a writer may have LMDB free a value of the newest version, of which it frees as many pages as the first one
  /// says. Those that the value does not need must be nobody's.
  func canBeFreed(_ value: UnsafeRawBufferPointer) -> Bool {
    let offset = UInt(bitPattern: value.baseAddress) &- base
    if offset >= size || offset & UInt(pageSize - 1) != UInt(Self.headerSize) { return true }
    guard isSound(value) else { return false }
    let first = UInt64(offset) / UInt64(pageSize)
    let end = first + UInt64(Self.storedPageCount(value))
    let needed = first + UInt64(Self.neededPageCount(value, pageSize: pageSize))
    return needed == end || areUnused(needed..<end, after: first)
  }

  /// Whether pages belong to nothing in the newest version. Looks at all its pages, which is seldom needed: a value
  /// has more pages than it needs only when the transaction that made it also made it smaller.
  private func areUnused(_ pages: Range<UInt64>, after first: UInt64) -> Bool {
    walks.withLock { walks in
      var information = MDB_envinfo()
      mdb_env_info(environment, &information)
      if walks.last?.version != UInt64(information.me_last_txnid) {
        var descriptor: Int32 = -1
        mdb_env_get_fd(environment, &descriptor)
        let trees = try? FileCheck.checkTrees(environment, descriptor: descriptor, path: "", .pages)
        guard let trees else { return false }
        walks.last = trees
      }
      guard let walk = walks.last?.walk else { return false }
      // What the present transaction has made, and LMDB already written to the file, is nowhere in that version.
      return !walk.isInUse(first) || pages.allSatisfy { !walk.isInUse($0) && !walk.isFree($0) }
    }
  }

  /// The number of pages of the newest version, by any process.
  private var pageLimit: UInt64 {
    var information = MDB_envinfo()
    mdb_env_info(environment, &information)
    return UInt64(information.me_last_pgno) + 1
  }

  private static let headerSize = 16
  private static let overflowFlag: UInt16 = 4

  private static func neededPageCount(_ value: UnsafeRawBufferPointer, pageSize: Int) -> Int {
    (headerSize - 1 + value.count) / pageSize + 1
  }

  private static func storedPageCount(_ value: UnsafeRawBufferPointer) -> UInt32 {
    (value.baseAddress! - headerSize).loadUnaligned(fromByteOffset: 12, as: UInt32.self)
  }

  /// Whether the first of a value's own pages says what it should: LMDB frees as many pages as that says.
  ///
  /// They may be more than it needs: a value that became smaller in the transaction that made it stays where it is. All of
  /// them lie within the file. See `canBeFreed` for what else is asked of them.
  static func isSoundOverflow(
    _ value: UnsafeRawBufferPointer, page number: UInt64, pageSize: Int, pageLimit: @autoclosure () -> UInt64
  ) -> Bool {
    let page = value.baseAddress! - headerSize
    let needed = UInt64(neededPageCount(value, pageSize: pageSize))
    let stored = UInt64(storedPageCount(value))
    return page.loadUnaligned(as: UInt64.self) == number
      && page.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == overflowFlag
      && (stored == needed || stored > needed && number + stored <= pageLimit())
  }
}
