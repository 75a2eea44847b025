import Storage

// Sums over the rows of a mask.
extension ChunkMask {
  /// The sum of the unsigned numbers, side by side, whose bits are set.
  ///
  /// - Parameter width: How many bytes a number has: 1, 2 or 4; 0 when all are zero.
  func sum(of codes: UnsafeRawPointer, width: Int) -> UInt64 {
    switch width {
    case 1: sum(of: codes, as: UInt8.self)
    case 2: sum(of: codes, as: UInt16.self)
    case 4: sum(of: codes, as: UInt32.self)
    default: 0
    }
  }

  /// Returns the sum of the selected numbers, 64 at a time where all bits of a word are set.
  @inline(__always) private func sum<Code: FixedWidthInteger & UnsignedInteger>(
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
    let codes = Int64(sum(of: numbers.codes, width: numbers.width))
    return numbers.number(numbers.smallest &* Int64(count) &+ codes)
  }
}
