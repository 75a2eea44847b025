import CXXHash

/// What a parent says about an extent: XXH3-128 of its content, or its tag in an encrypted file.
package struct Checksum128: Hashable, Sendable {
  package var low: UInt64 = 0
  var high: UInt64 = 0

  init() {}

  init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

  @inline(__always)
  package init(of start: UnsafeRawPointer, count: Int) {
    let sum = openrealm_xxh3(start, UInt(count))
    (low, high) = (sum.low, sum.high)
  }

  @inline(__always)
  init(at place: UnsafeRawPointer) {
    low = UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
    high = UInt64(littleEndian: place.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  @inline(__always)
  func store(at place: UnsafeMutableRawPointer) {
    place.storeBytes(of: low.littleEndian, as: UInt64.self)
    place.storeBytes(of: high.littleEndian, toByteOffset: 8, as: UInt64.self)
  }
}
