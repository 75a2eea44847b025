import TestSupport
import Testing

@testable import EarlierFiles

/// What is computed over a value, its key and its version.
@Suite struct ChecksumTests {
  private func sum(_ value: [UInt8], key: [UInt8], version: UInt16 = 7) -> UInt32 {
    value.withUnsafeBytes { value in key.withUnsafeBytes { Checksum.of(value, key: $0, version: version) } }
  }

  @Test func theInstructionAndTheTableAgree() {
    var random = SeededGenerator(seed: 5)
    for size in Array(0..<130) + [992, 4_050, 15_392] {
      let value = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
      let key = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let portable = value.withUnsafeBytes { value in key.withUnsafeBytes { Checksum.portable(value, $0, 7) }
      }
      #expect(sum(value, key: key) == portable, "\(size) bytes")
    }
  }

  /// It is part of the formats 2 to 6.
  @Test func itStaysWhatItIs() {
    #expect(sum([], key: [1]) == 381_920_955)
    #expect(sum(Array(0..<100), key: Array("key of a value".utf8), version: 0x1234) == 3_680_348_698)
  }

  @Test func everyBitCounts() {
    var value = (0..<77).map { UInt8($0 * 3) }
    var key: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3]
    let sound = sum(value, key: key)
    for bit in 0..<value.count * 8 {
      value[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(sum(value, key: key) != sound, "bit \(bit) of the value")
      value[bit / 8] ^= 1 << UInt8(bit % 8)
    }
    for bit in 0..<key.count * 8 {
      key[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(sum(value, key: key) != sound, "bit \(bit) of the key")
      key[bit / 8] ^= 1 << UInt8(bit % 8)
    }
    for bit in 0..<16 { #expect(sum(value, key: key, version: 7 ^ 1 << UInt16(bit)) != sound) }
    // Zeros at the end, of which neither has a bit that counts by itself.
    #expect(sum(value + [0], key: key) != sound)
    #expect(sum(value, key: key + [0]) != sound)
    #expect(sum(value + [0], key: key) != sum(value, key: key + [0]))
  }
}
