/// Where a key or a value lies.
///
/// Invariant: as for `UnsafeRawBufferPointer`, but that the address is never asked whether it is there.
struct StoredBytes {
  var start: UnsafeMutableRawPointer!
  var count = 0

  @inline(__always)
  init() {}

  @inline(__always)
  init(start: UnsafeMutableRawPointer?, count: Int) {
    self.start = start
    self.count = count
  }

  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(start: UnsafeMutableRawPointer(mutating: bytes.baseAddress), count: bytes.count)
  }

  @inline(__always) var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
}
