import CXXHash

/// XXH3-128 of an extent: what its parent says about it.
struct Checksum128: Equatable, Sendable {
  var low: UInt64 = 0
  var high: UInt64 = 0

  init() {}

  init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

  @inline(__always)
  init(of start: UnsafeRawPointer, count: Int) {
    let sum = openrealm_xxh3(start, UInt(count))
    (low, high) = (sum.low, sum.high)
  }
}
