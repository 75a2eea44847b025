import Storage

// Sums over the rows of a mask.
extension ChunkMask {
  /// The sum of the unsigned numbers, side by side, whose bits are set; 64 at a time where all of these are.
  @inline(__always) func sum<Code: FixedWidthInteger & UnsignedInteger>(
    of values: UnsafeRawPointer, as _: Code.Type
  ) -> UInt64 {
    var total: UInt64 = 0
    for word in 0..<maskWordCount {
      let base = values + word &* 64 &* MemoryLayout<Code>.size
      var bits = words[word]
      if bits == ~0 {
        if MemoryLayout<Code>.size == 4 {
          for index in 0..<64 {
            total &+= UInt64(base.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
          }
        } else {
          var sum: UInt32 = 0
          for index in 0..<64 {
            sum &+= UInt32(
              truncatingIfNeeded: base.loadUnaligned(
                fromByteOffset: index &* MemoryLayout<Code>.size, as: Code.self))
          }
          total &+= UInt64(sum)
        }
        continue
      }
      while bits != 0 {
        let index = bits.trailingZeroBitCount
        total &+= UInt64(base.loadUnaligned(fromByteOffset: index &* MemoryLayout<Code>.size, as: Code.self))
        bits &= bits &- 1
      }
    }
    return total
  }

  /// The sum of the indices whose bits are set.
  var sumOfIndices: Int {
    var total = 0
    for word in 0..<maskWordCount {
      var bits = words[word]
      // 64 indices at once, and the sum of 0...63.
      total &+= word &* 64 &* bits.nonzeroBitCount
      if bits == ~0 {
        total &+= 2_016
        continue
      }
      while bits != 0 {
        total &+= bits.trailingZeroBitCount
        bits &= bits &- 1
      }
    }
    return total
  }

  /// The sum of the numbers whose bits are set: added as integers, and divided once.
  func sum(_ numbers: ScaledNumbers) -> Double {
    let codes: UInt64 =
      switch numbers.width {
      case 1: sum(of: numbers.codes, as: UInt8.self)
      case 2: sum(of: numbers.codes, as: UInt16.self)
      case 4: sum(of: numbers.codes, as: UInt32.self)
      default: 0
      }
    return numbers.number(numbers.smallest &* Int64(count) &+ Int64(codes))
  }

  /// Whether exactly the first bits are set.
  func isPrefix(_ count: Int) -> Bool {
    for word in 0..<maskWordCount {
      let bits = count - word * 64
      let expected: UInt64 = bits >= 64 ? ~0 : bits <= 0 ? 0 : (1 << UInt64(bits)) - 1
      if words[word] != expected { return false }
    }
    return true
  }
}
