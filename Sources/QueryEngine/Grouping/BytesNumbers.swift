import LibC

/// Numbers byte strings in the order in which they are first seen.
///
/// Invariant: the bytes stay where they are as long as this is used; they are those of a snapshot whose content stamp does
/// not change meanwhile.
struct BytesNumbers {
  /// What tells strings apart: those of up to 16 bytes without a look at where they lie, which would be somewhere else for each.
  private struct Entry {
    let first: UInt64
    let last: UInt64
    let bytes: UnsafeRawBufferPointer
  }

  private var entries: ContiguousArray<Entry> = []
  private var hashes: ContiguousArray<UInt64> = []
  /// As in `WordNumbers`.
  private var places = ContiguousArray<UInt32>(repeating: .max, count: 64)

  mutating func number(of bytes: UnsafeRawBufferPointer) -> UInt32 {
    let (first, last) = Self.ends(bytes)
    let hash = Self.hash(bytes, first, last)
    let mask = places.count &- 1
    var place = Int(truncatingIfNeeded: hash >> 1) & mask
    while true {
      let number = places[place]
      if number == .max { return add(Entry(first: first, last: last, bytes: bytes), hash, at: place) }
      let entry = entries[Int(number)]
      if entry.first == first, entry.last == last, entry.bytes.count == bytes.count,
        Self.agreeBetweenEnds(entry.bytes, bytes)
      {
        return number
      }
      place = (place &+ 1) & mask
    }
  }

  private mutating func add(_ entry: Entry, _ hash: UInt64, at place: Int) -> UInt32 {
    let number = UInt32(entries.count)
    entries.append(entry)
    hashes.append(hash)
    places[place] = number
    if entries.count &* 2 > places.count { grow() }
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

  /// The first and the last eight bytes, which overlap in shorter strings.
  @inline(__always)
  private static func ends(_ bytes: UnsafeRawBufferPointer) -> (first: UInt64, last: UInt64) {
    guard let base = bytes.baseAddress else { return (0, 0) }
    let count = bytes.count
    func word<Word: FixedWidthInteger>(_: Word.Type, at place: Int) -> UInt64 {
      UInt64(truncatingIfNeeded: base.loadUnaligned(fromByteOffset: place, as: Word.self))
    }
    if count >= 8 { return (word(UInt64.self, at: 0), word(UInt64.self, at: count &- 8)) }
    if count >= 4 { return (word(UInt32.self, at: 0), word(UInt32.self, at: count &- 4)) }
    if count == 0 { return (0, 0) }
    return (word(UInt8.self, at: 0), word(UInt8.self, at: count / 2) &<< 8 | word(UInt8.self, at: count &- 1))
  }

  /// Whether strings of the same length with the same ends are equal.
  @inline(__always)
  private static func agreeBetweenEnds(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    a.count <= 16 || memcmp(a.baseAddress! + 8, b.baseAddress! + 8, a.count &- 16) == 0
  }

  @inline(__always)
  private static func hash(_ bytes: UnsafeRawBufferPointer, _ first: UInt64, _ last: UInt64) -> UInt64 {
    var hash = mix(UInt64(truncatingIfNeeded: bytes.count) ^ first)
    var place = 8
    while place < bytes.count &- 8 {
      hash = mix(hash ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place &+= 8
    }
    return mix(hash ^ last)
  }

  @inline(__always)
  private static func mix(_ word: UInt64) -> UInt64 {
    let product = (word ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}
