/// The doubles of a chunk that stores them as integers divided by a power of ten: amounts with few decimal places, times
/// of whole seconds, or one number for all.
///
/// Dividing an integer below 2⁵³ by such a power gives the double next to the decimal number, which is the one that
/// reading it as text gives. So nothing is lost, and a larger integer is never a smaller number.
///
/// Invariants: the chunk has one of these encodings and outlives the view; indices are below its count.
@frozen public struct ScaledNumbers {
  /// The integer that all differences are added to.
  public let smallest: Int64
  /// The power of ten.
  public let divisor: Double
  /// How many bytes a difference has.
  public let width: Int
  /// Where the differences begin.
  public let codes: UnsafeRawPointer

  /// The numbers of a chunk.
  @inlinable public init(_ chunk: Chunk) {
    smallest = chunk.minimumInteger
    divisor = Double(chunk.base.loadUnaligned(fromByteOffset: ChunkHeader.divisor, as: Float.self))
    width = chunk.encoding.codeWidth
    codes = chunk.values
  }

  /// One of the numbers.
  @inlinable public subscript(index: Int) -> Double { number(smallest &+ Int64(code(index))) }

  /// The number that an integer stands for.
  @inlinable @inline(__always) public func number(_ integer: Int64) -> Double { Double(integer) / divisor }

  /// The difference of one of the numbers.
  @inlinable @inline(__always) public func code(_ index: Int) -> UInt32 {
    switch width {
    case 1: UInt32(codes.load(fromByteOffset: index, as: UInt8.self))
    case 2: UInt32(codes.loadUnaligned(fromByteOffset: index &<< 1, as: UInt16.self))
    case 4: codes.loadUnaligned(fromByteOffset: index &<< 2, as: UInt32.self)
    default: 0
    }
  }

  /// The differences whose numbers are in a range, both ends included; nil when there can be none.
  ///
  /// - Parameter chunk: Has statistics of the numbers.
  package func codes(from low: Double, through high: Double, in chunk: Chunk) -> ClosedRange<UInt64>? {
    let (low, high) = (max(low, chunk.minimumDouble), min(high, chunk.maximumDouble))
    guard low <= high else { return nil }
    // Rounding may be off by one.
    var first = Int64((low * divisor).rounded())
    while number(first - 1) >= low { first -= 1 }
    while number(first) < low { first += 1 }
    var last = Int64((high * divisor).rounded())
    while number(last + 1) <= high { last += 1 }
    while number(last) > high { last -= 1 }
    guard first <= last, last >= smallest else { return nil }
    return UInt64(max(first, smallest) - smallest)...UInt64(last - smallest)
  }

  /// Copies the numbers to doubles.
  func copy(to target: UnsafeMutableRawPointer, count: Int) {
    switch width {
    case 1: copy(to: target, count, UInt8.self)
    case 2: copy(to: target, count, UInt16.self)
    case 4: copy(to: target, count, UInt32.self)
    default:
      for index in 0..<count {
        target.storeBytes(of: number(smallest), toByteOffset: index &* 8, as: Double.self)
      }
    }
  }

  @inline(__always)
  private func copy<Code: FixedWidthInteger>(to target: UnsafeMutableRawPointer, _ count: Int, _: Code.Type) {
    for index in 0..<count {
      let code = codes.loadUnaligned(fromByteOffset: index &* MemoryLayout<Code>.size, as: Code.self)
      target.storeBytes(
        of: number(smallest &+ Int64(truncatingIfNeeded: code)), toByteOffset: index &* 8, as: Double.self)
    }
  }

  /// What is wrong with the numbers of a stored chunk, or nil.
  static func fault(in chunk: Chunk) -> String? {
    let numbers = ScaledNumbers(chunk)
    guard ScaledEncoder.powers.contains(numbers.divisor) else { return "its power of ten is unknown" }
    let limit = UInt64(ScaledEncoder.limit)
    if chunk.minimumInteger.magnitude > limit || chunk.maximumInteger.magnitude > limit {
      return "its numbers are too large"
    }
    return chunk.hasStatistics || numbers.width == 0 ? nil : "its minimum is missing"
  }
}

extension ChunkEncoding {
  /// Whether it is one of `ScaledNumbers`.
  @inlinable @inline(__always) public var isScaled: Bool {
    switch self {
    case .scaled0, .scaled1, .scaled2, .scaled4: true
    default: false
    }
  }
}
