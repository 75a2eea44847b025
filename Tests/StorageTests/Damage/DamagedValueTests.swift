import Testing

@testable import Storage

/// Bytes that are no values.
@Suite struct DamagedValueTests {
  private func isSound(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { MixedCheck { table, row in table == 1 && row < 5 }.isSound($0) }
  }

  @Test func mixedValuesAreChecked() {
    let values: [Value] = [
      .int(4), .string("four"), .bool(true), .double(4), .link(table: 1, row: 4),
      .list([.int(1), .null, .list([.string("deep")])]),
      .dictionary([Value.DictionaryEntry(key: "key", value: .dictionary([]))]),
    ]
    for value in values {
      var bytes = value.mixedBytes
      #expect(isSound(bytes))
      bytes.append(0)
      if case .string = value { continue }
      #expect(!isSound(bytes), "\(value) with more behind it")
    }
    #expect(!isSound(Value.link(table: 1, row: 5).mixedBytes))
    #expect(!isSound(Value.link(table: 2, row: 0).mixedBytes))
    #expect(!isSound([]))
    #expect(!isSound([NestedHeader.listTag, 255, 255, 255, 255]))
    #expect(!isSound([8]))
  }

  @Test func nestingHasALimit() {
    func nested(_ levels: Int) -> [UInt8] {
      (0..<levels).reduce(into: Value.int(1).mixedBytes) { bytes, _ in
        let size = UInt32(bytes.count)
        bytes =
          [NestedHeader.listTag, 1, 0, 0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: size >> ($0 * 8)) }
          + bytes
      }
    }
    #expect(isSound(nested(1_200)))
    let deep = nested(100_000)
    let isDeepSound = isSound(deep)
    #expect(!isDeepSound)
    // Decoding gives up, too, instead of overflowing the stack.
    _ = deep.withUnsafeBytes { Value(mixed: $0) }
  }

  @Test func rangesThatOverflowAreRefused() {
    func ranges(_ numbers: [UInt64]) -> IndexRanges? {
      var writer = ByteWriter()
      for number in numbers { writer.appendVariable(number) }
      return writer.bytes.withUnsafeBytes {
        var reader = ByteReader($0)
        return reader.readRanges()
      }
    }
    #expect(ranges([2, 3, 4, 1, 1])?.members == [3, 4, 5, 6, 8])
    #expect(ranges([1, UInt64(Int.max), 1]) == nil)
    #expect(ranges([1, 1, UInt64(Int.max)]) == nil)
    #expect(ranges([2, 1, 1 << 39, 1, 1 << 39]) == nil)
    #expect(ranges([.max, 1, 1]) == nil)
    #expect(ranges([1 << 40, 1, 1]) == nil)
  }

  /// Whatever single bit of a stored chunk is wrong, either it is found or all values can be read.
  @Test func everyBitOfAChunk() {
    let wide = WideChunk.allocate(.bytes, isNullable: true)
    defer { wide.deallocate() }
    let texts = (0..<40).map { Array("text \($0 * $0)".utf8) }
    texts.withContiguousBytes { bytes in
      for (index, text) in bytes.enumerated() where index % 5 != 0 {
        wide.setNotNull(index)
        wide.setBytes(index, text)
      }
      let encoder = ChunkEncoder(
        wide, layout: .bytes, count: 40, presence: nil, keepsLongValuesOutside: true)
      var stored = [UInt8](repeating: 0, count: encoder.size)
      stored.withUnsafeMutableBytes { encoder.write(to: $0.baseAddress!) }
      let check = ChunkCheck(layout: .bytes, allowsLongValues: true)
      #expect(stored.withUnsafeBytes { check.fault(in: $0) } == nil)
      for bit in 0..<stored.count * 8 {
        stored[bit / 8] ^= 1 << UInt8(bit % 8)
        stored.withUnsafeBytes { bytes in
          guard check.fault(in: bytes) == nil else { return }
          let chunk = Chunk(bytes.baseAddress!)
          for index in 0..<chunk.count {
            guard let value = chunk.bytes(index), let start = value.baseAddress else { continue }
            let isInside =
              start >= bytes.baseAddress! && start + value.count <= bytes.baseAddress! + bytes.count
            #expect(isInside, "bit \(bit), value \(index)")
          }
        }
        stored[bit / 8] ^= 1 << UInt8(bit % 8)
      }
    }
  }
}

extension [[UInt8]] {
  /// The elements' bytes, which stay where they are during the call.
  fileprivate func withContiguousBytes(_ body: ([UnsafeRawBufferPointer]) -> Void) {
    let arena = ByteArena()
    let state = UnsafeMutablePointer<SnapshotState>.allocate(capacity: 1)
    state.initialize(to: SnapshotState())
    defer { state.deallocate() }
    body(map { text in text.withUnsafeBytes { arena.copy($0, state) } })
  }
}
