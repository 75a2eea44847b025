import SwiftRuntime
import TestSupport
import Testing

@testable import Storage

/// Short strings that are put together from their bytes, beside the library's own way.
@Suite struct ShortStringTests {
  private func made(_ bytes: [UInt8]) -> String? {
    // Nothing before and behind them may be looked at: the bytes have their own memory.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    return String(shortASCII: UnsafeRawBufferPointer(memory))
  }

  @Test(.enabled(if: ShortString.isKnown), arguments: TestLength.seeds([81, 82], short: 1))
  func stringsOfEachLength(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for length in 0...20 {
      for _ in 0..<50 {
        let bytes = (0..<length).map { _ in UInt8.random(in: 0..<128, using: &random) }
        let expected = String(decoding: bytes, as: UTF8.self)
        guard let string = made(bytes) else {
          #expect(length > 15)
          continue
        }
        #expect(length <= 15)
        #expect(string == expected && string.hashValue == expected.hashValue)
        #expect(Array(string.utf8) == bytes && string.count == expected.count)
        #expect(string + "é" + string == expected + "é" + expected)
        #expect((string < "M") == (expected < "M") && string.uppercased() == expected.uppercased())
        var copy = string
        copy.append("x")
        #expect(copy.utf8.count == length + 1 && string == expected)
        #expect(
          unsafeBitCast(string, to: SIMD2<UInt64>.self) == unsafeBitCast(expected, to: SIMD2<UInt64>.self))
      }
    }
  }

  @Test func othersAreLeftAlone() {
    for length in 1...15 {
      for place in 0..<length {
        for byte in [0x80, 0xC3, 0xFF] as [UInt8] {
          var bytes = [UInt8](repeating: 97, count: length)
          bytes[place] = byte
          #expect(made(bytes) == nil)
        }
      }
    }
  }
}
