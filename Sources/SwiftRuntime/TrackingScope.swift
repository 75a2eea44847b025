public import CSwiftRuntime
import Observation

/// Tells whether `withObservationTracking` is at work on a thread, at the cost of one load.
///
/// Swift's library keeps its list of what was read in a thread-local pointer that other modules cannot name
/// (swift/stdlib/public/Observation/Sources/Observation/ThreadLocal.cpp). At a fixed distance from the thread's number it
/// is the same for all threads, as for all libraries that a program starts with. The place is found by watching which
/// word changes when a scope is opened. Otherwise the library is asked at every read.
///
/// Invariant: `offset` leads to readable memory on every thread: it lies within the block that the thread was started
/// with.
///
/// `public` where the compiler is to inline it into the other layers, which it does not do with what is `package`.
public enum TrackingScope {
  /// The distance of the pointer from the thread's number; 0 when it could not be found. Then every read has to ask
  /// the library.
  package static let offset: UInt = RuntimeFact.trackingScope.isDenied ? 0 : find() ?? 0

  /// Whether a scope may be open on the current thread.
  @inlinable @inline(__always)
  public static func isOpen(offset: UInt) -> Bool { offset == 0 || word(currentThread() &+ offset) != 0 }

  @inlinable @inline(__always)
  static func word(_ address: UInt) -> UInt {
    UnsafePointer<UInt>(bitPattern: address).unsafelyUnwrapped.pointee
  }

  /// Blocks further away than this from the thread's number were not there when the thread was started.
  private static let maximumDistance = 1 << 16
  /// The list is a local variable not far from where the scope's body is called.
  private static let maximumFrameSize: UInt = 1 << 12

  private static func find() -> UInt? {
    let slots = slots()
    let before = slots.map(word)
    let (inside, frame) = withObservationTracking {
      var marker = 0
      return withUnsafePointer(to: &marker) { (slots.map(word), UInt(bitPattern: $0)) }
    } onChange: {
    }
    let after = slots.map(word)
    let found = slots.indices.filter { index in
      inside[index] != before[index] && after[index] == before[index]
        && inside[index] &- frame < maximumFrameSize
    }
    guard found.count == 1, let index = found.first else { return nil }
    return slots[index] &- currentThread()
  }

  /// The addresses of all words of thread-local storage that every thread has.
  private static func slots() -> [UInt] {
    withUnsafeTemporaryAllocation(of: ThreadLocalBlock.self, capacity: 256) { blocks in
      let count = threadLocalBlocks(blocks.baseAddress!, blocks.count)
      let size = MemoryLayout<UInt>.size
      return blocks.prefix(count).flatMap { block -> [UInt] in
        let start = UInt(bitPattern: block.start)
        guard abs(Int(bitPattern: start &- currentThread())) < maximumDistance, start % UInt(size) == 0 else {
          return []
        }
        return (0..<block.size / size).map { start + UInt($0 * size) }
      }
    }
  }
}
