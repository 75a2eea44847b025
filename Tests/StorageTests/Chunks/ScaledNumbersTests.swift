import TestSupport
import Testing

@testable import Storage

/// Doubles that are stored as integers divided by a power of ten, compared with what was put in, to the bit.
@Suite struct ScaledNumbersTests {
  /// The stored form of some numbers, nil for null; the rows that are not present count for nothing.
  private func withStored(
    _ model: [Double?], presence: [Bool]? = nil, _ body: (Chunk, UnsafeMutableRawBufferPointer) throws -> Void
  ) rethrows {
    let wide = WideChunk.allocate(.double, isNullable: model.contains(nil))
    defer { wide.deallocate() }
    for (index, number) in model.enumerated() {
      if let number {
        wide.setNotNull(index)
        wide.setDouble(index, number)
      }
    }
    var bits = [UInt8](repeating: 0, count: chunkBitmapSize)
    for (index, isPresent) in (presence ?? []).enumerated() where isPresent {
      bits[index / 8] |= 1 << UInt8(index % 8)
    }
    try bits.withUnsafeBytes { bits in
      let encoder = ChunkEncoder(
        wide, layout: .double, count: model.count, presence: presence.map { _ in bits.baseAddress! },
        keepsLongValuesOutside: true)
      let stored = UnsafeMutableRawBufferPointer.allocate(byteCount: encoder.size, alignment: 8)
      defer { stored.deallocate() }
      encoder.write(to: stored.baseAddress!)
      #expect(fault(stored) == nil)
      try body(Chunk(UnsafeRawPointer(stored.baseAddress!)), stored)
    }
  }

  private func fault(_ stored: UnsafeMutableRawBufferPointer) -> String? {
    ChunkCheck(layout: .double, allowsLongValues: false).fault(in: UnsafeRawBufferPointer(stored))
  }

  private func expectSame(_ chunk: Chunk, _ model: [Double?], presence: [Bool]? = nil) {
    for (index, number) in model.enumerated() where presence?[index] ?? true {
      let found = chunk.isNull(index) ? nil : chunk.double(index)
      #expect(found?.bitPattern == number?.bitPattern, "\(index): \(found as Any) is not \(number as Any)")
    }
  }

  @Test(arguments: TestLength.seeds([61, 62, 63], short: 2))
  func numbersOfAllWidths(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var encodings: Set<ChunkEncoding> = []
    for count in [1, 2, 17, 300, chunkCapacity] {
      for power in 0...7 {
        for span in [0, 1, 255, 256, 65_535, 65_536, 1 << 31, 1 << 33] as [Int64] {
          let divisor = (0..<power).reduce(1.0) { product, _ in product * 10 }
          let base = Int64.random(in: -2_000_000_000...2_000_000_000, using: &random)
          let isNullable = Bool.random(using: &random)
          let model: [Double?] = (0..<count).map { _ in
            isNullable && Int.random(in: 0..<4, using: &random) == 0
              ? nil : Double(base + Int64.random(in: 0...span, using: &random)) / divisor
          }
          let presence =
            Bool.random(using: &random)
            ? nil : (0..<count).map { _ in Int.random(in: 0..<3, using: &random) > 0 }
          withStored(model, presence: presence) { chunk, _ in
            encodings.insert(chunk.encoding)
            if power <= 6 && span < 1 << 32 { #expect(chunk.encoding.isScaled) }
            expectSame(chunk, model, presence: presence)
            let wide = WideChunk.allocate(.double, isNullable: isNullable)
            defer { wide.deallocate() }
            wide.copy(chunk, layout: .double) { _ in UnsafeRawBufferPointer(start: nil, count: 0) }
            expectSame(wide.chunk, model, presence: presence)
          }
        }
      }
    }
    #expect(encodings == [.scaled0, .scaled1, .scaled2, .scaled4, .float64])
  }

  /// As they are written in a program, or read from a text.
  @Test func decimalNumbersAsText() {
    let texts = ["0.1", "12.34", "99.99", "1e-6", "123456.789012", "-7.5", "1000000000.25", "0"]
    let model = texts.map { Double($0) }
    withStored(model) { chunk, _ in
      #expect(chunk.encoding == .float64, "the span is too large")
      expectSame(chunk, model)
    }
    let near = (0..<960).map { Double("\($0 / 100).\($0 % 100 < 10 ? "0" : "")\($0 % 100)") }
    withStored(near) { chunk, stored in
      #expect(chunk.encoding == .scaled2 && stored.count == ChunkHeader.size + 960 * 2)
      expectSame(chunk, near)
    }
  }

  @Test(
    arguments: [
      -0.0, .nan, .infinity, -.infinity, 1e300, 0x1p51, 0x1p53, 1.0 / 3, .leastNonzeroMagnitude,
      -.greatestFiniteMagnitude, 1e-7,
    ] as [Double])
  func numbersThatAreNone(number: Double) {
    for others in [[], [1.5], [0, 2, 4]] as [[Double]] {
      let model: [Double?] = others + [number] + others
      withStored(model) { chunk, _ in
        #expect(chunk.encoding == .float64)
        expectSame(chunk, model)
      }
    }
  }

  @Test func nullsAlone() {
    withStored(Array(repeating: nil, count: chunkCapacity)) { chunk, stored in
      #expect(chunk.encoding == .scaled0 && !chunk.hasStatistics)
      #expect(stored.count == ChunkHeader.size + chunkBitmapSize)
      expectSame(chunk, Array(repeating: nil, count: chunkCapacity))
    }
  }

  @Test(arguments: TestLength.seeds([64, 65], short: 1))
  func rangesAreThoseOfTheNumbers(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for power in [0, 1, 3, 6] {
      let divisor = (0..<power).reduce(1.0) { product, _ in product * 10 }
      let base = Int64.random(in: -(1 << 50)...1 << 50, using: &random)
      let model = (0..<200).map { _ in Double(base + Int64.random(in: 0...90, using: &random)) / divisor }
      withStored(model) { chunk, _ in
        #expect(chunk.encoding == .scaled1)
        let numbers = ScaledNumbers(chunk)
        for _ in 0..<200 {
          var bounds = (0..<2).map { _ in Double(base + Int64.random(in: -5...95, using: &random)) / divisor }
          if Bool.random(using: &random) { bounds[0] = bounds[0].nextUp }
          if Bool.random(using: &random) { bounds[1] = bounds[1].nextDown }
          if Int.random(in: 0..<10, using: &random) == 0 { bounds = [-.infinity, .infinity] }
          let found = numbers.codes(from: bounds[0], through: bounds[1], in: chunk)
          for index in 0..<200 {
            let isInside = found?.contains(UInt64(numbers.code(index))) ?? false
            #expect(isInside == (bounds[0] <= model[index] && model[index] <= bounds[1]))
          }
        }
      }
    }
  }

  /// Whoever can write to a file can give it a checksum that is right.
  @Test func damage() {
    withStored([1.25, 2.5, 700]) { _, stored in
      let base = stored.baseAddress!
      func expect<Value: BitwiseCopyable>(_ value: Value, at offset: Int, _ reason: String) {
        let former = base.loadUnaligned(fromByteOffset: offset, as: Value.self)
        base.storeBytes(of: value, toByteOffset: offset, as: Value.self)
        #expect(fault(stored) == reason)
        base.storeBytes(of: former, toByteOffset: offset, as: Value.self)
      }
      #expect(fault(stored) == nil)
      for divisor in [0, -100, 20, .nan, .infinity, 1e7] as [Float] {
        expect(divisor, at: ChunkHeader.divisor, "its power of ten is unknown")
      }
      for integer in [.max, .min, 1 << 51] as [Int64] {
        expect(integer, at: ChunkHeader.minimum, "its numbers are too large")
        expect(integer, at: ChunkHeader.maximum, "its numbers are too large")
      }
      expect(0 as UInt8, at: ChunkHeader.flags, "its minimum is missing")
      expect(ChunkEncoding.scaled2.rawValue, at: 0, "its size is wrong")
      expect(ChunkEncoding.integer2.rawValue, at: 0, "its encoding is unknown")
      #expect(fault(UnsafeMutableRawBufferPointer(rebasing: stored[..<38])) == "its size is wrong")
    }
  }
}
