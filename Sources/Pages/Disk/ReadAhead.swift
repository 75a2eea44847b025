import LibC
import Synchronization

/// Has the system read an extent of several pages at once where they are not in its memory: the map is read in no order, so each page
/// would be one read of the disk.
///
/// To ask costs a part of what it costs to verify an extent that is in memory. So after some extents that were, only one in some is
/// asked for, until one is missing. Safe from several threads, of which each may miss what another one found.
final class ReadAhead: Sendable {
  /// Number of extents that are asked for one after the other.
  private static let patience = 8
  private static let sampling = 64
  /// Number of pages of an extent that are looked for.
  private static let pageLimit = 16

  private let found = Atomic(0)

  /// To be called before an extent is read for the first time.
  @inline(__always)
  func prepare(_ start: UnsafeRawPointer, _ size: Int) {
    let mask = UInt(FileLayout.block - 1)
    let (first, end) = (UInt(bitPattern: start) & ~mask, UInt(bitPattern: start) &+ UInt(size))
    if end &- first <= UInt(FileLayout.block) { return }
    let count = found.load(ordering: .relaxed)
    found.store(count &+ 1, ordering: .relaxed)
    if count < Self.patience || count % Self.sampling == 0 { ask(first, end) }
  }

  @inline(never)
  private func ask(_ first: UInt, _ end: UInt) {
    guard let start = UnsafeMutableRawPointer(bitPattern: first) else { return }
    let count = min(Int(end - first + UInt(FileLayout.block - 1)) / FileLayout.block, Self.pageLimit)
    let isMissing = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { states in
      mincore(start, count * FileLayout.block, states.baseAddress) == 0 && states.contains { $0 & 1 == 0 }
    }
    if !isMissing { return }
    madvise(start, Int(end - first), MADV_WILLNEED)
    found.store(0, ordering: .relaxed)
  }
}
