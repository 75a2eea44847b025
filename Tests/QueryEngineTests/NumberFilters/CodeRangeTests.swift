import Storage
import TestSupport
import Testing

@testable import QueryEngine

/// Ranges of numbers of each width, beside looking at them one by one.
@Suite struct CodeRangeTests {
  private func isWanted(_ code: UInt64, _ low: UInt64, _ high: UInt64, _ isNegated: Bool) -> Bool {
    (low...high).contains(code) != isNegated
  }

  private func set(_ mask: ChunkMask, _ bits: [Bool]) {
    mask.clear()
    for (place, bit) in bits.enumerated() where bit { mask.insert(place) }
  }

  @Test(arguments: [1, 2, 4, 8], [61, 62] as [UInt64])
  func takesTheNumbersInside(width: Int, seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let largest = UInt64.max >> UInt64(64 - 8 * width)
    let codes = UnsafeMutableRawPointer.allocate(byteCount: chunkCapacity * 8, alignment: 8)
    let mask = ChunkMask.allocate()
    let scratch = ByteMask()
    defer {
      codes.deallocate()
      mask.deallocate()
    }
    for round in 0..<200 {
      // Few different numbers, so that the ends of ranges are met, or all that there can be.
      let limit = round % 3 == 0 ? min(largest, 9) : largest
      let numbers = (0..<chunkCapacity).map { _ in UInt64.random(in: 0...limit, using: &random) }
      for (place, number) in numbers.enumerated() {
        withUnsafeBytes(of: number.littleEndian) {
          (codes + place * width).copyMemory(from: $0.baseAddress!, byteCount: width)
        }
      }
      let isNegated = Bool.random(using: &random)
      let low = UInt64.random(in: 0...limit, using: &random)
      let high =
        switch round % 4 {
        case 0: UInt64.max
        case 1: low
        default: UInt64.random(in: low...largest, using: &random)
        }
      let range = CodeRange(low, high, isNegated: isNegated)
      let expected = numbers.map { isWanted($0, low, high, isNegated) }
      if width < 8 { #expect(range.countAll(codes, width: width) == expected.count { $0 }) }
      let count = round % 5 == 0 ? Int.random(in: 1...chunkCapacity, using: &random) : chunkCapacity
      let before = (0..<chunkCapacity).map { $0 < count && Bool.random(using: &random) }
      set(mask, before)
      range.filter(mask, codes, width: width, count: count, scratch)
      #expect((0..<chunkCapacity).allSatisfy { mask.contains($0) == (before[$0] && expected[$0]) })
    }
  }

  @Test func numbersBeyondAWidthAreNowhere() {
    let codes = UnsafeMutableRawPointer.allocate(byteCount: chunkCapacity * 8, alignment: 8)
    let mask = ChunkMask.allocate()
    let scratch = ByteMask()
    defer {
      codes.deallocate()
      mask.deallocate()
    }
    codes.initializeMemory(as: UInt8.self, repeating: 0xFF, count: chunkCapacity * 8)
    for width in [1, 2, 4] {
      let beyond = UInt64(1) << UInt64(8 * width)
      #expect(CodeRange(beyond - 1, beyond, isNegated: false).countAll(codes, width: width) == chunkCapacity)
      for isNegated in [false, true] {
        let range = CodeRange(beyond, beyond + 5, isNegated: isNegated)
        #expect(range.countAll(codes, width: width) == (isNegated ? chunkCapacity : 0))
        set(mask, (0..<chunkCapacity).map { $0 % 3 == 0 })
        range.filter(mask, codes, width: width, count: chunkCapacity, scratch)
        #expect(mask.count == (isNegated ? chunkCapacity / 3 : 0))
      }
    }
  }

  @Test(arguments: [63, 64] as [UInt64])
  func takesTheIndicesInside(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let mask = ChunkMask.allocate()
    defer { mask.deallocate() }
    for round in 0..<200 {
      let isNegated = Bool.random(using: &random)
      let low = UInt64.random(in: 0..<UInt64(chunkCapacity + 70), using: &random)
      let high = round % 3 == 0 ? .max : UInt64.random(in: low...UInt64(chunkCapacity + 90), using: &random)
      let range = CodeRange(low, high, isNegated: isNegated)
      let expected = (0..<chunkCapacity).map { isWanted(UInt64($0), low, high, isNegated) }
      #expect(range.countOfIndices == expected.count { $0 })
      let before = (0..<chunkCapacity).map { _ in Bool.random(using: &random) }
      set(mask, before)
      range.filterIndices(mask)
      #expect((0..<chunkCapacity).allSatisfy { mask.contains($0) == (before[$0] && expected[$0]) })
    }
  }
}
