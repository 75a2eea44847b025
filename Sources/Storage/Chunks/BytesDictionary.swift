import LibC

/// The distinct byte strings of a chunk, when they are so few that storing each of them once may pay.
struct BytesDictionary {
  /// More distinct values hardly repeat within a chunk of 960.
  private static let capacity = 200
  private static let slotCount = 512
  private static let freeSlot: UInt8 = 0xFF
  private static let placeCount = 256

  /// Values that were copied together lie at the same address: the code of one that was seen there.
  private struct Place {
    var address: UnsafeRawPointer?
    var count: UInt32 = 0
    var code: UInt8 = 0
  }

  private var entries: [UnsafeRawBufferPointer] = []
  /// The number of each value's entry; 0 for values that do not count.
  private(set) var codes: [UInt8] = []
  private(set) var totalSize = 0

  var count: Int { entries.count }
  func entry(_ code: Int) -> UnsafeRawBufferPointer { entries[code] }

  /// Nil when the values are too many or too different.
  ///
  /// - Parameter counts: Whether a value matters.
  @inline(__always)
  init?(_ values: WideChunk, count: Int, counts: (Int) -> Bool) {
    var isComplete = true
    codes = [UInt8](unsafeUninitializedCapacity: count) { codes, filled in
      codes.initialize(repeating: 0)
      filled = count
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.slotCount) { slots in
        slots.initialize(repeating: Self.freeSlot)
        withUnsafeTemporaryAllocation(of: Place.self, capacity: Self.placeCount) { places in
          places.initialize(repeating: Place())
          var seen = 0
          for index in 0..<count where counts(index) {
            seen &+= 1
            let bytes = values.bytes(index)
            let place = places.baseAddress.unsafelyUnwrapped + Self.place(of: bytes)
            if place.pointee.address != bytes.baseAddress || place.pointee.count != bytes.count
              || bytes.isEmpty
            {
              guard let code = code(of: bytes, seen: seen, slots) else {
                isComplete = false
                return
              }
              place.pointee = Place(address: bytes.baseAddress, count: UInt32(bytes.count), code: code)
            }
            codes[index] = place.pointee.code
          }
        }
      }
    }
    if !isComplete { return nil }
    // The codes of values that do not count must find an entry, too.
    if entries.isEmpty { entries.append(UnsafeRawBufferPointer(start: nil, count: 0)) }
  }

  @inline(__always)
  private static func place(of bytes: UnsafeRawBufferPointer) -> Int {
    Int(truncatingIfNeeded: (UInt(bitPattern: bytes.baseAddress) &* 0x9E37_79B9_7F4A_7C15) >> 56)
  }

  /// The number of a value's entry, which is made when it is new; nil when there are too many.
  @inline(never)
  private mutating func code(
    of bytes: UnsafeRawBufferPointer, seen: Int, _ slots: UnsafeMutableBufferPointer<UInt8>
  ) -> UInt8? {
    var slot = Self.hash(bytes) & (Self.slotCount - 1)
    while slots[slot] != Self.freeSlot {
      let entry = entries[Int(slots[slot])]
      if entry.count == bytes.count
        && (bytes.isEmpty || memcmp(entry.baseAddress!, bytes.baseAddress!, bytes.count) == 0)
      {
        return slots[slot]
      }
      slot = (slot + 1) & (Self.slotCount - 1)
    }
    // Values that hardly repeat among the first hundred will not later either.
    guard entries.count < Self.capacity, seen < 100 || entries.count < seen * 3 / 4,
      bytes.count <= longestInlineValue
    else { return nil }
    let code = UInt8(entries.count)
    slots[slot] = code
    entries.append(bytes)
    totalSize += bytes.count
    return code
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
    var hash = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
    var index = 0
    while index &+ 8 <= bytes.count {
      hash = (hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
      index &+= 8
    }
    while index < bytes.count {
      hash = (hash ^ UInt64(bytes[index])) &* 0x9E37_79B9_7F4A_7C15
      index &+= 1
    }
    return Int(truncatingIfNeeded: hash >> 32)
  }
}
