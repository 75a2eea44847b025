import LibC
import Synchronization

/// Bits that any thread sets, and none clears.
///
/// Invariant: `words` has room for all bits, until `deallocate`. Memory that was never touched costs nothing.
struct AtomicBits: @unchecked Sendable {
  private let words: UnsafeMutablePointer<UInt64>

  init(count: Int) {
    words = calloc(count >> 6 + 1, 8)!.assumingMemoryBound(to: UInt64.self)
  }

  func deallocate() { free(words) }

  @inline(__always) func isSet(_ bit: UInt) -> Bool {
    word(bit).pointee.load(ordering: .relaxed) & (1 &<< UInt64(bit & 63)) != 0
  }

  func set(_ bit: UInt) {
    word(bit).pointee.bitwiseOr(1 &<< UInt64(bit & 63), ordering: .relaxed)
  }

  @inline(__always) private func word(_ bit: UInt) -> UnsafePointer<Atomic<UInt64>> {
    UnsafeRawPointer(words + Int(bit &>> 6)).assumingMemoryBound(to: Atomic<UInt64>.self)
  }
}
