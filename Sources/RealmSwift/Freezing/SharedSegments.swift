import Storage
import Synchronization

/// Where the segments of a frozen collection are, as far as any thread has asked for them.
///
/// Invariants: `addresses` has `count` slots, each nil or the address of its segment, which stays there until the frozen
/// realm lets go of what it has decrypted. Two threads that look for a segment at once find the same one.
final class SharedSegments: @unchecked Sendable {
  private let addresses: UnsafeMutablePointer<Atomic<UnsafeRawPointer?>>
  /// The snapshot's shared stamp for which each of them holds.
  private let stamps: UnsafeMutablePointer<Atomic<Int>>
  private let count: Int

  init(_ table: Table, _ column: Int, _ row: Int) {
    count = (table.count(column, row) + chunkCapacity - 1) / chunkCapacity
    addresses = .allocate(capacity: count)
    stamps = .allocate(capacity: count)
    for number in 0..<count {
      (addresses + number).initialize(to: Atomic(nil))
      (stamps + number).initialize(to: Atomic(0))
    }
  }

  deinit {
    addresses.deinitialize(count: count)
    addresses.deallocate()
    stamps.deinitialize(count: count)
    stamps.deallocate()
  }

  /// Returns a segment to a reader that is inside (see `ReadersInside`).
  @inline(__always)
  func chunk(_ number: Int, _ stamp: Int, or find: (Int) -> Chunk) -> Chunk {
    precondition(number < count)
    if stamps[number].load(ordering: .acquiring) == stamp,
      let known = addresses[number].load(ordering: .acquiring)
    {
      return Chunk(known)
    }
    let chunk = find(number)
    addresses[number].store(chunk.base, ordering: .releasing)
    stamps[number].store(stamp, ordering: .releasing)
    return chunk
  }
}
