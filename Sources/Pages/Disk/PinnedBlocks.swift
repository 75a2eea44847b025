import LibC
import Synchronization

/// The blocks of decrypted memory that one reader pins: all that it has touched since it last released them.
///
/// Several threads may touch blocks for one reader. Invariant: a bit is set only while the count of its block includes this reader.
final class PinnedBlocks: @unchecked Sendable {
  private let mapping: Mapping
  private let bits: UnsafeMutablePointer<Atomic<UInt64>>
  private let blockLimit: Int
  private let blockShift: Int
  private let blocks = Mutex<[UInt32]>([])
  private let pinnedCount = Atomic(0)

  init(blockLimit: Int, blockShift: Int) throws(PageError) {
    (self.blockLimit, self.blockShift) = (blockLimit, blockShift)
    mapping = try Mapping(zeros: (blockLimit + 63) / 64 * 8)
    bits = mapping.start.assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// Number of bytes that are pinned.
  @inline(__always)
  var size: Int { pinnedCount.load(ordering: .relaxed) << blockShift }

  /// Whether all blocks of an extent are pinned.
  @inline(__always)
  func contains(_ reference: Reference) -> Bool { contains(reference.blocks(shift: blockShift)) }

  @inline(__always)
  private func contains(_ blocks: ClosedRange<Int>) -> Bool {
    let (first, last) = (blocks.lowerBound, blocks.upperBound)
    if last >= blockLimit { return false }
    if first &>> 6 != last &>> 6 { return containsAll(blocks) }
    let mask = UInt64.max &<< UInt64(first & 63) & UInt64.max &>> UInt64(63 &- last & 63)
    return bits[first &>> 6].load(ordering: .acquiring) & mask == mask
  }

  @inline(never)
  private func containsAll(_ blocks: ClosedRange<Int>) -> Bool {
    blocks.allSatisfy { bits[$0 >> 6].load(ordering: .acquiring) & 1 << UInt64($0 & 63) != 0 }
  }

  /// Adds those blocks that are missing.
  ///
  /// - Parameter pin: Counts this reader for a block. Its content stays from the return of this on.
  func add(_ range: ClosedRange<Int>, pin: (Int) -> Void) {
    blocks.withLock { blocks in
      for block in range where !contains(block...block) {
        pin(block)
        append(block, &blocks)
      }
    }
  }

  private func append(_ block: Int, _ blocks: inout [UInt32]) {
    blocks.append(UInt32(block))
    bits[block >> 6].bitwiseOr(1 << UInt64(block & 63), ordering: .releasing)
    pinnedCount.store(blocks.count, ordering: .relaxed)
  }

  /// Removes all blocks.
  ///
  /// - Parameter release: Is called with what this reader has counted, once.
  func removeAll(_ release: ([UInt32]) -> Void) {
    blocks.withLock { blocks in
      if blocks.isEmpty { return }
      for block in blocks { bits[Int(block) >> 6].store(0, ordering: .relaxed) }
      pinnedCount.store(0, ordering: .relaxed)
      release(blocks)
      blocks.removeAll(keepingCapacity: blocks.count < 1024)
    }
  }

  /// Takes blocks over that another reader has counted. Returns those that this one has counted already.
  func takeOver(_ others: [UInt32]) -> [UInt32] {
    blocks.withLock { blocks in
      others.filter { block in
        if contains(Int(block)...Int(block)) { return true }
        append(Int(block), &blocks)
        return false
      }
    }
  }
}
