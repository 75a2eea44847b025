import Synchronization

/// Which values of a file have been found to have the right form, so that each is verified once.
///
/// That they are what was written is checked by the file of pages itself. What was in the file when it was opened is verified when it
/// is first touched. What has been written since, by whichever process, is trusted, and so is the memory of a write transaction.
///
/// Values are known by their addresses, also those of an encrypted file: what is decrypted of it lies as the file does, so that an address
/// stands for one place of the file. When memory there is released and the place is decrypted again, its content is what it was, or was
/// written since the file was opened.
///
/// Invariants: `bits` has a bit for each 16 bytes of the `size` bytes of the map from `base` on; no two values begin in the same
/// 16 bytes, since each value whose form is checked has a header of more. Bits are only ever set, by any thread.
final class CheckedPlaces: @unchecked Sendable {
  private let base: UInt
  private let size: UInt
  private let mapSize: UInt
  private let bits: AtomicBits
  /// The tables that were found to have as many rows as they should.
  private let wholeTables = Mutex(NumberTable<Void>())
  private static let granule: UInt = 4

  /// - Parameter fileSize: In bytes.
  init(_ entries: EntryStore, fileSize: Int) {
    mapSize = UInt(entries.mapSize)
    base = UInt(bitPattern: entries.base)
    size = UInt(fileSize)
    bits = AtomicBits(count: (fileSize + 1 << Self.granule - 1) >> Int(Self.granule))
  }

  deinit { bits.deallocate() }

  /// Whether a value needs no look: it has had one, or was written since the file was opened.
  @inline(__always) func isChecked(_ address: UnsafeRawPointer) -> Bool {
    let offset = UInt(bitPattern: address) &- base
    return offset >= size || bits.isSet(offset &>> Self.granule)
  }

  /// Whether a value may have been copied, unread, with its node, when a write transaction changed something else in
  /// it. Such copies are verified every time.
  @inline(__always) func isCopy(_ value: UnsafeRawBufferPointer) -> Bool {
    value.count < EntryStore.pageSize / 2 && UInt(bitPattern: value.baseAddress) &- base >= mapSize
  }

  /// Whether both is not so, and a value can be used as it is.
  @inline(__always) func isTrusted(_ value: UnsafeRawBufferPointer) -> Bool {
    isChecked(value.baseAddress!) && !isCopy(value)
  }

  func noteChecked(_ address: UnsafeRawPointer) {
    let offset = UInt(bitPattern: address) &- base
    if offset < size { bits.set(offset &>> Self.granule) }
  }

  /// Whether all rows of a table were found (see `Snapshot.checkAbsentRows`).
  func hasAllRows(ofTable table: Int) -> Bool { wholeTables.withLock { $0[table] != nil } }

  func noteAllRows(ofTable table: Int) { wholeTables.withLock { $0[table] = () } }
}
