/// Memory of the last keys that a cursor has read: in a file they may be in two parts.
///
/// Invariant: a key stays where it is until seven more have been added.
final class KeyRing {
  private static let count = 8
  private let base: UnsafeMutableRawPointer
  private let size: Int
  private var next = 0

  /// - Parameter size: Maximum size of a key.
  init(size: Int) {
    self.size = size
    base = .allocate(byteCount: Self.count * size, alignment: 8)
  }

  deinit { base.deallocate() }

  /// Adds a key. Returns where it is.
  ///
  /// - Parameter write: Writes it, and returns its size.
  @inline(__always)
  func add(_ write: (UnsafeMutableRawPointer) -> Int) -> UnsafeRawBufferPointer {
    let place = base + next * size
    next = (next + 1) % Self.count
    return UnsafeRawBufferPointer(start: place, count: write(place))
  }
}
