import LibC

/// Bytes of PostgreSQL's binary format that are being put together.
///
/// Invariants: `start` has room for `capacity` bytes, of which the first `count` are initialised; it belongs to this
/// object alone and is freed with it. No pointer into it outlives a call.
final class EncodedBytes {
  private var start: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = capacity
    start = .allocate(byteCount: capacity, alignment: 8)
  }

  deinit { start.deallocate() }

  /// Forgets all bytes from a position on.
  func truncate(to count: Int) {
    precondition(count <= self.count)
    self.count = count
  }

  /// Calls the body with the bytes.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Appends a number, its greatest byte first.
  @inline(__always) func append<Number: FixedWidthInteger>(_ number: Number) {
    let size = MemoryLayout<Number>.size
    if capacity - count < size { grow(by: size) }
    start.storeBytes(of: number.bigEndian, toByteOffset: count, as: Number.self)
    count += size
  }

  /// Appends bytes as they are.
  func append(_ bytes: UnsafeRawBufferPointer) {
    guard let address = bytes.baseAddress, bytes.count > 0 else { return }
    if capacity - count < bytes.count { grow(by: bytes.count) }
    (start + count).copyMemory(from: address, byteCount: bytes.count)
    count += bytes.count
  }

  /// Replaces the number at a position.
  func replace(at position: Int, by number: Int32) {
    precondition(position >= 0 && position + 4 <= count)
    start.storeBytes(of: number.bigEndian, toByteOffset: position, as: Int32.self)
  }

  @inline(never) private func grow(by size: Int) {
    let larger = max(capacity * 2, count + size)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
    moved.copyMemory(from: start, byteCount: count)
    start.deallocate()
    (start, capacity) = (moved, larger)
  }
}
