import Storage

/// Which of the unsigned numbers that stand side by side in a chunk lie in a range, or outside of it.
///
/// Each is tested by one subtraction and one unsigned comparison, whichever operator it was.
struct CodeRange {
  private let low: UInt64
  private let high: UInt64
  private let isNegated: Bool

  /// The numbers from `low` to `high`, or all others.
  init(_ low: UInt64, _ high: UInt64, isNegated: Bool) {
    self.low = low
    self.high = high
    self.isNegated = isNegated
  }

  /// Clears the bits of a mask whose numbers are not wanted.
  ///
  /// - Parameters:
  ///   - mask: None is set from the count on.
  ///   - width: How many bytes a number has: 1, 2, 4 or 8.
  ///   - scratch: For use meanwhile.
  @inline(__always)
  func filter(
    _ mask: ChunkMask, _ codes: UnsafeRawPointer, width: Int, count: Int, _ scratch: ByteMask
  ) {
    if isBeyond(width) {
      if !isNegated { mask.clear() }
      return
    }
    switch width {
    case 1: filterBytes(mask, codes, count, low: UInt8(low), high: UInt8(clamping: high))
    case 2: filter(mask, codes, count, scratch, low: UInt16(low), high: UInt16(clamping: high))
    case 4: filter(mask, codes, count, scratch, low: UInt32(low), high: UInt32(clamping: high))
    case 8: filter(mask, codes, count, scratch, low: low, high: high)
    default: mask.clear()
    }
  }

  /// The same where each number is its index.
  func filterIndices(_ mask: ChunkMask) {
    for word in 0..<maskWordCount {
      let start = UInt64(word) &* 64
      var inside: UInt64 = 0
      if low < start &+ 64 && high >= start {
        inside = ~0
        if low > start { inside &= ~0 << (low &- start) }
        if high < start &+ 63 { inside &= ~0 >> (start &+ 63 &- high) }
      }
      mask.words[word] &= isNegated ? ~inside : inside
    }
  }

  /// How many of a whole chunk's numbers are wanted; nil for numbers of eight bytes.
  @inline(__always)
  func countAll(_ codes: UnsafeRawPointer, width: Int) -> Int? {
    if isBeyond(width) { return isNegated ? chunkCapacity : 0 }
    let inside: Int
    switch width {
    case 1: inside = countBytes(codes, low: UInt8(low), high: UInt8(clamping: high))
    case 2: inside = countInside(codes, low: UInt16(low), high: UInt16(clamping: high))
    case 4: inside = countInside(codes, low: UInt32(low), high: UInt32(clamping: high))
    default: return nil
    }
    return isNegated ? chunkCapacity - inside : inside
  }

  /// The same where each number is its index.
  var countOfIndices: Int {
    let end = min(high, UInt64(chunkCapacity - 1))
    let inside = low > end ? 0 : Int(end - low) + 1
    return isNegated ? chunkCapacity - inside : inside
  }

  /// Whether no number of so many bytes is in the range.
  @inline(__always) private func isBeyond(_ width: Int) -> Bool {
    assert([1, 2, 4, 8].contains(width))
    return width < 8 && low >> UInt64(width * 8) != 0
  }

  @inline(__always)
  private func filter<Code: FixedWidthInteger & UnsignedInteger>(
    _ mask: ChunkMask, _ codes: UnsafeRawPointer, _ count: Int, _ scratch: ByteMask, low: Code, high: Code
  ) {
    let span = high &- low
    let bytes = scratch.bytes
    let inside: UInt8 = isNegated ? 0 : 1
    let outside = 1 - inside
    for index in 0..<count {
      let code = codes.loadUnaligned(fromByteOffset: index &* MemoryLayout<Code>.size, as: Code.self)
      bytes.storeBytes(of: code &- low <= span ? inside : outside, toByteOffset: index, as: UInt8.self)
    }
    scratch.filter(mask, count: count)
  }

  private func filterBytes(
    _ mask: ChunkMask, _ values: UnsafeRawPointer, _ count: Int, low: UInt8, high: UInt8
  ) {
    let lows = SIMD16<UInt8>(repeating: low)
    let spans = SIMD16<UInt8>(repeating: high &- low)
    let flip: UInt64 = isNegated ? ~0 : 0
    let whole = count / 64
    for word in 0..<whole {
      var bits: UInt64 = 0
      for part in 0..<4 {
        let codes = values.loadUnaligned(fromByteOffset: word &* 64 &+ part &* 16, as: SIMD16<UInt8>.self)
        bits |= ByteMask.pack(codes &- lows .<= spans) << UInt64(part &* 16)
      }
      mask.words[word] &= bits ^ flip
    }
    if whole == maskWordCount { return }
    var bits: UInt64 = 0
    for index in whole &* 64..<count
    where values.load(fromByteOffset: index, as: UInt8.self) &- low <= high &- low {
      bits |= 1 << UInt64(index & 63)
    }
    mask.words[whole] &= bits ^ flip
    for word in whole &+ 1..<max(maskWordCount, whole + 1) { mask.words[word] = 0 }
  }

  /// Returns how many of a whole chunk's numbers are in the range: sixteen at a time, without branches, which would be unpredictable.
  ///
  /// The three functions are alike, but only operators of concrete vectors become single instructions.
  private func countBytes(_ codes: UnsafeRawPointer, low: UInt8, high: UInt8) -> Int {
    let (lows, spans) = (SIMD16(repeating: low), SIMD16(repeating: high &- low))
    let counts = Self.reduce(codes, SIMD16<UInt8>()) {
      $0 &-= unsafeBitCast($1 &- lows .<= spans, to: SIMD16<UInt8>.self)
    }
    return Int(SIMD16<UInt16>(truncatingIfNeeded: counts).wrappedSum())
  }

  private func countInside(_ codes: UnsafeRawPointer, low: UInt16, high: UInt16) -> Int {
    let (lows, spans) = (SIMD16(repeating: low), SIMD16(repeating: high &- low))
    let counts = Self.reduce(codes, SIMD16<UInt16>()) {
      $0 &-= unsafeBitCast($1 &- lows .<= spans, to: SIMD16<UInt16>.self)
    }
    return Int(counts.wrappedSum())
  }

  private func countInside(_ codes: UnsafeRawPointer, low: UInt32, high: UInt32) -> Int {
    let (lows, spans) = (SIMD16(repeating: low), SIMD16(repeating: high &- low))
    let counts = Self.reduce(codes, SIMD16<UInt32>()) {
      $0 &-= unsafeBitCast($1 &- lows .<= spans, to: SIMD16<UInt32>.self)
    }
    return Int(counts.wrappedSum())
  }

  /// What is inside is a number of all bits, which is -1; a lane counts at most 60.
  @inline(__always) private static func reduce<Vector: BitwiseCopyable>(
    _ codes: UnsafeRawPointer, _ start: Vector, _ add: (inout Vector, Vector) -> Void
  ) -> Vector {
    var counts = start
    for block in 0..<chunkCapacity / 16 {
      add(
        &counts,
        codes.loadUnaligned(fromByteOffset: block &* MemoryLayout<Vector>.size, as: Vector.self))
    }
    return counts
  }
}
