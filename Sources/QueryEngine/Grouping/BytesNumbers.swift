import Glibc

/// Numbers byte strings in the order in which they are first seen.
///
/// Invariant: the bytes stay where they are as long as this is used; they are those of a snapshot whose content stamp does
/// not change meanwhile.
struct BytesNumbers {
  private var all: ContiguousArray<UnsafeRawBufferPointer> = []
  private var hashes: ContiguousArray<UInt64> = []
  /// As in `WordNumbers`.
  private var places = ContiguousArray<UInt32>(repeating: .max, count: 64)

  mutating func number(of bytes: UnsafeRawBufferPointer) -> UInt32 {
    let hash = Self.hash(bytes)
    let mask = places.count &- 1
    var place = Int(truncatingIfNeeded: hash >> 1) & mask
    while true {
      let number = places[place]
      if number == .max { return add(bytes, hash, at: place) }
      if hashes[Int(number)] == hash, Self.areEqual(all[Int(number)], bytes) { return number }
      place = (place &+ 1) & mask
    }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer, _ hash: UInt64, at place: Int) -> UInt32 {
    let number = UInt32(all.count)
    all.append(bytes)
    hashes.append(hash)
    places[place] = number
    if all.count &* 2 > places.count { grow() }
    return number
  }

  private mutating func grow() {
    let mask = places.count &* 2 &- 1
    places = ContiguousArray(repeating: .max, count: places.count &* 2)
    for (number, hash) in hashes.enumerated() {
      var place = Int(truncatingIfNeeded: hash >> 1) & mask
      while places[place] != .max { place = (place &+ 1) & mask }
      places[place] = UInt32(number)
    }
  }

  private static func areEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    a.count == b.count && (a.isEmpty || memcmp(a.baseAddress!, b.baseAddress!, a.count) == 0)
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: bytes.count)
    var place = 0
    while place < bytes.count {
      let product = (hash ^ SortText.word(bytes, at: place) ^ 0x9E37_79B9_7F4A_7C15)
        .multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
      hash = product.high ^ product.low
      place &+= 8
    }
    return hash
  }
}
