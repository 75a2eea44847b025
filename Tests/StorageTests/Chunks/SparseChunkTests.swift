import Foundation
import TestSupport
import Testing

@testable import Storage

/// Chunks most of whose rows are gone.
@Suite struct SparseChunkTests {
  private static let layouts: [ChunkLayout] = [
    .integer, .bits, .float, .double, .fixed12, .fixed16, .bytes,
  ]

  /// A chunk of random values, and the strings that it points to.
  private final class Source {
    let wide: WideChunk
    private let strings: [[UInt8]]
    private let memory: UnsafeMutableBufferPointer<UInt8>

    init(_ layout: ChunkLayout, isNullable: Bool, _ random: inout SeededGenerator) {
      wide = WideChunk.allocate(layout, isNullable: isNullable)
      let variety = Int.random(in: 1...300, using: &random)
      strings = (0..<variety).map { _ in
        (0..<Int.random(in: 0...40, using: &random)).map { _ in .random(in: 0...255, using: &random) }
      }
      memory = .allocate(capacity: 41 * variety)
      for (number, string) in strings.enumerated() {
        for (place, byte) in string.enumerated() { memory[number * 41 + place] = byte }
      }
      for index in 0..<chunkCapacity {
        if isNullable && Int.random(in: 0..<3, using: &random) == 0 { continue }
        wide.setNotNull(index)
        set(index, layout, &random)
      }
    }

    deinit {
      wide.deallocate()
      memory.deallocate()
    }

    private func set(_ index: Int, _ layout: ChunkLayout, _ random: inout SeededGenerator) {
      switch layout {
      case .bits: wide.setBool(index, Bool.random(using: &random))
      case .bytes:
        let number = Int.random(in: 0..<strings.count, using: &random)
        wide.setBytes(
          index,
          UnsafeRawBufferPointer(start: memory.baseAddress! + number * 41, count: strings[number].count))
      default:
        let unit = WideChunk.unit(layout)
        for place in 0..<unit {
          (wide.values + index * unit + place).storeBytes(
            of: UInt8.random(in: 0...255, using: &random), as: UInt8.self)
        }
      }
    }
  }

  private static func bitmap(_ rows: [Int]) -> [UInt8] {
    var bits = [UInt8](repeating: 0, count: chunkBitmapSize)
    for row in rows { bits[row >> 3] |= 1 << (row & 7) }
    return bits
  }

  private static func isSame(_ a: WideChunk, _ b: WideChunk, _ index: Int, _ layout: ChunkLayout) -> Bool {
    let isNull = a.nullBitmap.map { bitIsSet($0, index) } ?? false
    if isNull != b.nullBitmap.map({ bitIsSet($0, index) }) ?? false { return false }
    if isNull { return true }
    switch layout {
    case .bits: return a.chunk.bit(index) == b.chunk.bit(index)
    case .bytes: return a.chunk.bytes(index)!.elementsEqual(b.chunk.bytes(index)!)
    default:
      let unit = WideChunk.unit(layout)
      return memcmp(a.values + index * unit, b.values + index * unit, unit) == 0
    }
  }

  private func encode(
    _ source: Source, _ layout: ChunkLayout, count: Int, _ presence: [UInt8]
  ) -> [UInt8]? {
    presence.withUnsafeBytes { presence -> [UInt8]? in
      guard
        let encoder = SparseChunk.Encoder(
          source.wide, layout: layout, count: count, presence: presence.baseAddress!)
      else { return nil }
      var bytes = [UInt8](repeating: 0xAA, count: encoder.size)
      bytes.withUnsafeMutableBytes { encoder.write(to: $0.baseAddress!) }
      return bytes
    }
  }

  @Test(arguments: layouts) func valuesOfTheRowsThatAreLeft(layout: ChunkLayout) {
    var random = SeededGenerator(printing: UInt64(layout.rawValue) + 1)
    for round in 0..<20 {
      let isNullable = Bool.random(using: &random)
      let source = Source(layout, isNullable: isNullable, &random)
      let count = round % 3 == 0 ? chunkCapacity : Int.random(in: 8...chunkCapacity, using: &random)
      let rows = (0..<count).shuffled(using: &random).prefix(Int.random(in: 1...count / 4, using: &random))
      let presence = Self.bitmap(Array(rows))
      guard let bytes = encode(source, layout, count: count, presence) else {
        Issue.record("\(rows.count) of \(count) rows")
        continue
      }
      bytes.withUnsafeBytes { bytes in
        let sparse = SparseChunk(bytes.baseAddress!)!
        #expect(sparse.fault(size: bytes.count, layout: layout) == nil)
        #expect(sparse.count == count)
        let wide = WideChunk.allocate(layout, isNullable: isNullable)
        defer { wide.deallocate() }
        sparse.spread(to: wide, layout: layout)
        #expect(rows.allSatisfy { Self.isSame(wide, source.wide, $0, layout) })
        let others = Set(0..<chunkCapacity).subtracting(rows)
        let empty = WideChunk.allocate(layout, isNullable: isNullable)
        defer { empty.deallocate() }
        #expect(others.allSatisfy { Self.isSame(wide, empty, $0, layout) })
        presence.withUnsafeBytes {
          #expect(sparse.fault(presence: $0.baseAddress!, isNullable: isNullable) == nil)
        }
        let more = Self.bitmap(Array(rows) + [others.filter { $0 < count }.randomElement(using: &random)!])
        more.withUnsafeBytes {
          #expect(sparse.fault(presence: $0.baseAddress!, isNullable: true)?.contains("has no value") == true)
        }
      }
    }
  }

  /// Whatever is in a damaged one: it is found, or can be read.
  @Test(arguments: layouts) func damage(layout: ChunkLayout) {
    var random = SeededGenerator(printing: UInt64(layout.rawValue) + 101)
    var found = 0
    for _ in 0..<60 {
      let source = Source(layout, isNullable: true, &random)
      let rows = (0..<chunkCapacity).shuffled(using: &random).prefix(100)
      guard var bytes = encode(source, layout, count: chunkCapacity, Self.bitmap(Array(rows))) else {
        continue
      }
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        // Mostly what says where things are.
        let limit = Bool.random(using: &random) ? bytes.count : min(bytes.count, 200)
        bytes[Int.random(in: 1..<limit, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      }
      bytes.withUnsafeBytes { bytes in
        let sparse = SparseChunk(bytes.baseAddress!)!
        guard sparse.fault(size: bytes.count, layout: layout) == nil else {
          found += 1
          return
        }
        let wide = WideChunk.allocate(layout, isNullable: true)
        defer { wide.deallocate() }
        sparse.spread(to: wide, layout: layout)
        for index in 0..<chunkCapacity where layout == .bytes {
          if let bytes = wide.chunk.bytes(index) { #expect(bytes.reduce(0) { $0 &+ Int($1) } >= 0) }
        }
      }
    }
    #expect(found > 10)
  }

  /// A chunk is written anew only when it takes half the space.
  @Test func steps() {
    #expect(SparseChunk.step(present: 241, of: 960) == 0)
    #expect(SparseChunk.step(present: 240, of: 960) == 1)
    #expect(SparseChunk.step(present: 121, of: 960) == 1)
    #expect(SparseChunk.step(present: 120, of: 960) == 2)
    #expect(SparseChunk.step(present: 1, of: 960) == 8)
    #expect(SparseChunk.step(present: 0, of: 960) == 0)
    #expect(SparseChunk.step(present: 1, of: 3) == 0)
  }
}
