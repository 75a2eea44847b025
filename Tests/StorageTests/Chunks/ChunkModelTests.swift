import TestSupport
import Testing

@testable import Storage

/// Random values in a wide chunk and in its stored form, compared with a plain array.
@Suite struct ChunkModelTests {
  private static let counts = [1, 15, 16, 17, 64, 65, 300, chunkCapacity - 1, chunkCapacity]

  /// A wide chunk and its stored form, in memory that lasts as long as the body.
  private func withChunks(
    _ layout: ChunkLayout, isNullable: Bool, count: Int, keepsLongValuesOutside: Bool = false,
    fill: (WideChunk) -> Void, _ body: (Chunk) throws -> Void
  ) rethrows {
    let wide = WideChunk.allocate(layout, isNullable: isNullable)
    defer { wide.deallocate() }
    fill(wide)
    try body(wide.chunk)
    let encoder = ChunkEncoder(
      wide, layout: layout, count: count, presence: nil, keepsLongValuesOutside: keepsLongValuesOutside)
    let stored = UnsafeMutableRawPointer.allocate(byteCount: encoder.size, alignment: 8)
    defer { stored.deallocate() }
    encoder.write(to: stored)
    #expect(
      ChunkCheck(layout: layout, allowsLongValues: keepsLongValuesOutside)
        .fault(in: UnsafeRawBufferPointer(start: stored, count: encoder.size)) == nil)
    #expect(Chunk(stored).count == count)
    try body(Chunk(stored))
    // And back.
    let again = WideChunk.allocate(layout, isNullable: isNullable)
    defer { again.deallocate() }
    if !encoder.hasLongValues {
      again.copy(Chunk(stored), layout: layout) { _ in UnsafeRawBufferPointer(start: nil, count: 0) }
      try body(again.chunk)
    }
  }

  @Test(arguments: TestLength.seeds([21, 22, 23], short: 1))
  func integersOfAllWidths(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var encodings: Set<ChunkEncoding> = []
    for count in Self.counts {
      for span in [0, 1, 255, 256, 65_535, 65_536, 1 << 31, 1 << 40] as [Int64] {
        for isNullable in [false, true] {
          let base = Int64.random(in: -1_000_000...1_000_000, using: &random)
          var model: [Int64?] = (0..<count).map { _ in
            if isNullable, Int.random(in: 0..<4, using: &random) == 0 { return nil }
            return base + Int64.random(in: 0...span, using: &random)
          }
          // The whole span, so that the width is that of it.
          (model[0], model[count - 1]) = (base, base + span)
          withChunks(.integer, isNullable: isNullable, count: count) { wide in
            for (index, number) in model.enumerated() {
              guard let number else { continue }
              wide.setNotNull(index)
              wide.setInteger(index, number)
            }
          } _: { chunk in
            if !chunk.isWide {
              encodings.insert(chunk.encoding)
              #expect(chunk.nullCount == model.count { $0 == nil })
              #expect(chunk.minimumInteger == model.compactMap { $0 }.min())
              #expect(chunk.maximumInteger == model.compactMap { $0 }.max())
            }
            #expect((0..<count).map { chunk.isNull($0) ? nil : chunk.integer($0) } == model)
          }
        }
      }
    }
    #expect(encodings == [.integer0, .integer1, .integer2, .integer4, .integer8])
  }

  @Test(arguments: [0, -5, .min, 1 << 40, nil] as [Int64?])
  func consecutiveNumbers(beginning: Int64?) {
    for count in Self.counts {
      // Or those that end with the largest of all.
      let first = beginning ?? .max - Int64(count - 1)
      for isNullable in [false, true] {
        withChunks(.integer, isNullable: isNullable, count: count) { wide in
          for index in 0..<count {
            wide.setNotNull(index)
            wide.setInteger(index, first + Int64(index))
          }
        } _: { chunk in
          if !chunk.isWide { #expect(chunk.encoding == (count == 1 ? .integer0 : .consecutive)) }
          #expect(
            (0..<count).map { chunk.isNull($0) ? nil : chunk.integer($0) }
              == (0..<count).map { first + Int64($0) })
          if !chunk.isWide { #expect(chunk.integerBounds == first...first + Int64(count - 1)) }
        }
      }
    }
  }

  @Test func damagedConsecutiveNumbers() {
    withChunks(.integer, isNullable: false, count: 64) { wide in
      for index in 0..<64 { wide.setInteger(index, Int64(index)) }
    } _: { chunk in
      if chunk.isWide { return }
      let stored = UnsafeMutableRawBufferPointer(
        start: UnsafeMutableRawPointer(mutating: chunk.base), count: ChunkHeader.size)
      let check = ChunkCheck(layout: .integer, allowsLongValues: false)
      stored.storeBytes(of: .max - 62, toByteOffset: ChunkHeader.minimum, as: Int64.self)
      #expect(check.fault(in: UnsafeRawBufferPointer(stored)) == "its numbers are too large")
      stored.storeBytes(of: .max - 63, toByteOffset: ChunkHeader.minimum, as: Int64.self)
      #expect(check.fault(in: UnsafeRawBufferPointer(stored)) == nil)
      stored[ChunkHeader.flags] = 0
      #expect(check.fault(in: UnsafeRawBufferPointer(stored)) == "its minimum is missing")
      stored[ChunkHeader.flags] = ChunkFlags.hasStatistics
    }
  }

  /// Codes of integers are differences to the minimum, and ranges are asked for between minimum and maximum.
  @Test(arguments: [200, 60_000, 1 << 20, 1 << 40] as [Int64])
  func integersWithoutTheirMinimum(span: Int64) {
    withChunks(.integer, isNullable: false, count: 64) { wide in
      for index in 0..<64 { wide.setInteger(index, index == 5 ? span : 7) }
    } _: { chunk in
      if chunk.isWide { return }
      let stored = UnsafeMutableRawBufferPointer(
        start: UnsafeMutableRawPointer(mutating: chunk.base),
        count: ChunkHeader.size + 64 * chunk.encoding.codeWidth)
      let check = ChunkCheck(layout: .integer, allowsLongValues: false)
      #expect(check.fault(in: UnsafeRawBufferPointer(stored)) == nil)
      stored[ChunkHeader.flags] = 0
      #expect(check.fault(in: UnsafeRawBufferPointer(stored)) == "its minimum is missing")
      stored[ChunkHeader.flags] = ChunkFlags.hasStatistics
    }
  }

  @Test func almostConsecutiveNumbers() {
    for change in [1, 500, chunkCapacity - 2] {
      var model = (0..<chunkCapacity).map { Int64($0) }
      model.swapAt(change, change - 1)
      withChunks(.integer, isNullable: false, count: chunkCapacity) { wide in
        for (index, number) in model.enumerated() { wide.setInteger(index, number) }
      } _: { chunk in
        #expect(chunk.encoding != .consecutive)
        #expect((0..<chunkCapacity).map(chunk.integer) == model)
      }
    }
  }

  @Test(arguments: TestLength.seeds([24, 25], short: 1))
  func bytesOfAllLengths(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var encodings: Set<ChunkEncoding> = []
    for count in Self.counts {
      for (distinct, longest) in [(3, 20), (5_000, 20), (5_000, 254), (5_000, 3_000)] {
        for keepsLongValuesOutside in [false, true] {
          let model = (0..<count).map { _ in
            var own = SeededGenerator(seed: UInt64.random(in: 0..<UInt64(distinct), using: &random))
            let length = Int.random(in: 0...longest, using: &own)
            return (0..<length).map { _ in UInt8.random(in: 0...255, using: &own) }
          }
          let memory = model.map { bytes in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            copy.copyBytes(from: bytes)
            return copy
          }
          defer { for bytes in memory { bytes.deallocate() } }
          withChunks(
            .bytes, isNullable: false, count: count, keepsLongValuesOutside: keepsLongValuesOutside
          ) { wide in
            for (index, bytes) in memory.enumerated() { wide.setBytes(index, UnsafeRawBufferPointer(bytes)) }
          } _: { chunk in
            if !chunk.isWide { encodings.insert(chunk.encoding) }
            for (index, bytes) in model.enumerated() {
              let isOutside = !chunk.isWide && keepsLongValuesOutside && bytes.count > longestInlineValue
              #expect(chunk.bytes(index).map { Array($0) } == (isOutside ? nil : bytes))
            }
          }
        }
      }
    }
    #expect(encodings.isSuperset(of: [.heap, .dictionary, .heap32]))
  }

  /// Some values lie at the same place, as those do that were copied together; others are only the same.
  @Test(arguments: TestLength.seeds([27, 28, 29], short: 2))
  func dictionariesOfSharedBytes(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var encodings: Set<ChunkEncoding> = []
    for distinct in [1, 2, 50, 199, 200, 201, 600] {
      for isNullable in [false, true] {
        let texts = (0..<distinct).map { Array("\($0 * 7_919)".utf8.dropLast(2)) }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 1)
        defer { memory.deallocate() }
        var end = 0
        func place(_ text: [UInt8]) -> UnsafeRawBufferPointer {
          let target = UnsafeMutableRawBufferPointer(rebasing: memory[end..<end + text.count])
          target.copyBytes(from: text)
          end += text.count
          return UnsafeRawBufferPointer(target)
        }
        let shared = texts.map(place)
        let choices = (0..<chunkCapacity).map { _ in
          isNullable && Int.random(in: 0..<3, using: &random) == 0
            ? nil : Int.random(in: 0..<distinct, using: &random)
        }
        withChunks(.bytes, isNullable: isNullable, count: chunkCapacity) { wide in
          for (index, choice) in choices.enumerated() {
            guard let choice else { continue }
            wide.setNotNull(index)
            wide.setBytes(index, Bool.random(using: &random) ? shared[choice] : place(texts[choice]))
          }
        } _: { chunk in
          if !chunk.isWide { encodings.insert(chunk.encoding) }
          for (index, choice) in choices.enumerated() {
            let found = chunk.isNull(index) ? nil : chunk.bytes(index).map { Array($0) }
            #expect(found == choice.map { texts[$0] })
          }
        }
      }
    }
    #expect(encodings.contains(.dictionary) && encodings.contains(.heap))
  }

  @Test func valuesOfOneWidth() {
    var random = SeededGenerator(seed: 26)
    for count in Self.counts {
      let bits = (0..<count).map { _ in Bool.random(using: &random) }
      withChunks(.bits, isNullable: false, count: count) { wide in
        for (index, bit) in bits.enumerated() { wide.setBool(index, bit) }
      } _: { chunk in
        #expect((0..<count).map { chunk.bit($0) } == bits)
      }
      let doubles = (0..<count).map { _ in Double.random(in: -9...9, using: &random) }
      withChunks(.double, isNullable: false, count: count) { wide in
        for (index, double) in doubles.enumerated() { wide.setDouble(index, double) }
      } _: { chunk in
        #expect((0..<count).map { chunk.double($0) } == doubles)
      }
      let uuids = (0..<count).map { _ in Fixed16(high: random.next(), low: random.next()) }
      withChunks(.fixed16, isNullable: false, count: count) { wide in
        for (index, uuid) in uuids.enumerated() { uuid.store(to: wide.values + index * 16) }
      } _: { chunk in
        #expect((0..<count).map { Fixed16(chunk.fixed16($0)) } == uuids)
      }
    }
  }
}
