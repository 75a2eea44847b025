/// How a block stores differences to a base; the raw values are part of the file format.
enum IntegerPacking: UInt8 {
  /// All differences are 0 and take no space.
  case constant = 0
  case one = 1
  case two = 2
  case four = 3
  case eight = 4
  /// The differences are 0, 1, 2, … and take no space.
  case consecutive = 5

  /// The narrowest packing for differences up to the given one.
  @inline(__always) init(greatest difference: UInt64) {
    self =
      difference == 0
      ? .constant
      : difference <= 0xFF ? .one : difference <= 0xFFFF ? .two : difference <= 0xFFFF_FFFF ? .four : .eight
  }

  /// The bytes that a difference takes.
  @inline(__always) var width: Int {
    switch self {
    case .constant, .consecutive: 0
    case .one: 1
    case .two: 2
    case .four: 4
    case .eight: 8
    }
  }
}

/// Numbers stored as packed differences to a base.
///
/// Invariant: `bytes` holds as many differences of the packing's width as there are numbers; indices are below
/// their number.
struct PackedIntegers {
  let base: UInt64
  let packing: IntegerPacking
  let bytes: UnsafeRawPointer

  @inline(__always) subscript(index: Int) -> UInt64 {
    switch packing {
    case .constant: base
    case .one: base &+ UInt64(bytes.load(fromByteOffset: index, as: UInt8.self))
    case .two: base &+ UInt64(bytes.loadUnaligned(fromByteOffset: index &<< 1, as: UInt16.self))
    case .four: base &+ UInt64(bytes.loadUnaligned(fromByteOffset: index &<< 2, as: UInt32.self))
    case .eight: base &+ bytes.loadUnaligned(fromByteOffset: index &<< 3, as: UInt64.self)
    case .consecutive: base &+ UInt64(index)
    }
  }

  /// The first index in the range, in which numbers ascend, whose number is not below the given one; the
  /// range's end when there is none.
  @inline(__always) func lowerBound(_ number: UInt64, in range: Range<Int>) -> Int {
    if number <= base { return range.lowerBound }
    let difference = number &- base
    switch packing {
    case .constant: return range.upperBound
    case .one: return search(UInt8.self, difference, range)
    case .two: return search(UInt16.self, difference, range)
    case .four: return search(UInt32.self, difference, range)
    case .eight: return search(UInt64.self, difference, range)
    case .consecutive:
      return difference >= UInt64(range.upperBound)
        ? range.upperBound : max(range.lowerBound, Int(difference))
    }
  }

  @inline(__always) private func search<Difference: FixedWidthInteger & UnsignedInteger>(
    _: Difference.Type, _ difference: UInt64, _ range: Range<Int>
  ) -> Int {
    guard let difference = Difference(exactly: difference) else { return range.upperBound }
    let size = MemoryLayout<Difference>.size
    var low = range.lowerBound
    var length = range.count
    while length > 0 {  // halves without a branch to mispredict
      let half = length &>> 1
      let isBelow =
        bytes.loadUnaligned(fromByteOffset: (low &+ half) &* size, as: Difference.self) < difference
      low = isBelow ? low &+ half &+ 1 : low
      length = isBelow ? length &- half &- 1 : half
    }
    return low
  }

  /// Writes the first numbers, of which there must be so many, to memory, each so many bytes after the one before. The last
  /// one must have room, too.
  @inline(__always) func unpack(_ count: Int, to target: UnsafeMutableRawPointer, stride: Int) {
    switch packing {
    case .constant:
      for index in 0..<count { target.storeBytes(of: base, toByteOffset: index &* stride, as: UInt64.self) }
    case .one: unpack(UInt8.self, count, target, stride)
    case .two: unpack(UInt16.self, count, target, stride)
    case .four: unpack(UInt32.self, count, target, stride)
    case .eight: unpack(UInt64.self, count, target, stride)
    case .consecutive:
      for index in 0..<count {
        target.storeBytes(of: base &+ UInt64(index), toByteOffset: index &* stride, as: UInt64.self)
      }
    }
  }

  @inline(__always) private func unpack<Difference: FixedWidthInteger & UnsignedInteger>(
    _: Difference.Type, _ count: Int, _ target: UnsafeMutableRawPointer, _ stride: Int
  ) {
    for index in 0..<count {
      let difference = bytes.loadUnaligned(
        fromByteOffset: index &* MemoryLayout<Difference>.size, as: Difference.self)
      target.storeBytes(
        of: base &+ UInt64(truncatingIfNeeded: difference), toByteOffset: index &* stride, as: UInt64.self)
    }
  }

  /// Stores differences; `number` gives the numbers, none below the base.
  @inline(__always) static func write(
    _ count: Int, _ packing: IntegerPacking, base: UInt64, to bytes: UnsafeMutableRawPointer,
    number: (Int) -> UInt64
  ) {
    switch packing {
    case .constant, .consecutive: break
    case .one: write(UInt8.self, count, base, bytes, number)
    case .two: write(UInt16.self, count, base, bytes, number)
    case .four: write(UInt32.self, count, base, bytes, number)
    case .eight: write(UInt64.self, count, base, bytes, number)
    }
  }

  @inline(__always) private static func write<Difference: FixedWidthInteger & UnsignedInteger>(
    _: Difference.Type, _ count: Int, _ base: UInt64, _ bytes: UnsafeMutableRawPointer,
    _ number: (Int) -> UInt64
  ) {
    for index in 0..<count {
      bytes.storeBytes(
        of: Difference(truncatingIfNeeded: number(index) &- base),
        toByteOffset: index &* MemoryLayout<Difference>.size, as: Difference.self)
    }
  }
}
