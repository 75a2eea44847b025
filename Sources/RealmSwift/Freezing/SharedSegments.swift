import Storage
import Synchronization

/// Where the segments of a frozen collection are, as far as any thread has asked for them.
///
/// Invariants: `addresses` has `count` slots, each nil or the address of its segment, which stays there as long as
/// the frozen realm. Two threads that look for a segment at once find the same one.
final class SharedSegments: @unchecked Sendable {
  private let addresses: UnsafeMutablePointer<Atomic<UnsafeRawPointer?>>
  private let count: Int

  init(_ table: Table, _ column: Int, _ row: Int) {
    count = (table.count(column, row) + chunkCapacity - 1) / chunkCapacity
    addresses = .allocate(capacity: count)
    for number in 0..<count { (addresses + number).initialize(to: Atomic(nil)) }
  }

  deinit {
    addresses.deinitialize(count: count)
    addresses.deallocate()
  }

  @inline(__always)
  func chunk(_ number: Int, or find: (Int) -> Chunk) -> Chunk {
    precondition(number < count)
    if let known = addresses[number].load(ordering: .acquiring) { return Chunk(known) }
    let chunk = find(number)
    addresses[number].store(chunk.base, ordering: .releasing)
    return chunk
  }
}
