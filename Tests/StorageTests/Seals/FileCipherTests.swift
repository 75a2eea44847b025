import Foundation
import TestSupport
import Testing

@testable import Storage

/// Values that are encrypted one by one.
@Suite struct FileCipherTests {
  private static let key = (0..<64).map { UInt8($0) }
  private let salt = (0..<32).map { UInt8($0 * 3) }

  private func sealed(
    _ value: [UInt8], _ cipher: FileCipher, key: [UInt8], version: UInt16 = 3
  ) throws -> [UInt8] {
    var stored = [UInt8](repeating: 0, count: value.count + 28)
    try stored.withUnsafeMutableBytes { stored in
      try value.withUnsafeBytes { value in
        try key.withUnsafeBytes { key in
          try cipher.seal(
            value, FileCipher.Place(key: key.baseAddress!, keySize: key.count, version: version),
            to: stored.baseAddress!, seal: stored.baseAddress! + value.count)
        }
      }
    }
    return stored
  }

  private func opened(_ stored: [UInt8], _ cipher: FileCipher, key: [UInt8], version: UInt16 = 3) -> [UInt8]?
  {
    var value = [UInt8](repeating: 0, count: stored.count - 28 + 1)
    let isOpen = stored.withUnsafeBytes { stored in
      let content = UnsafeRawBufferPointer(start: stored.baseAddress, count: stored.count - 28)
      return key.withUnsafeBytes { key in
        cipher.open(
          content, FileCipher.Place(key: key.baseAddress!, keySize: key.count, version: version),
          seal: stored.baseAddress! + content.count, to: &value)
      }
    }
    return isOpen ? value.dropLast() : nil
  }

  @Test func whatIsSealedCanBeOpenedWithTheKeyOnly() throws {
    let cipher = FileCipher(key: Self.key, salt: salt)
    var random = SeededGenerator(seed: 9)
    for size in [0, 1, 15, 16, 17, 992, 4_050, 100_000] {
      let value = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
      let stored = try sealed(value, cipher, key: [1, 2, 3])
      #expect(opened(stored, cipher, key: [1, 2, 3]) == value)
      #expect(opened(stored, FileCipher(key: Self.key, salt: salt), key: [1, 2, 3]) == value)
      #expect(opened(stored, cipher, key: [1, 2, 4]) == nil)
      #expect(opened(stored, cipher, key: [1, 2, 3], version: 4) == nil)
      var other = Self.key
      other[63] ^= 1
      #expect(opened(stored, FileCipher(key: other, salt: salt), key: [1, 2, 3]) == nil)
      #expect(opened(stored, FileCipher(key: Self.key, salt: salt.reversed()), key: [1, 2, 3]) == nil)
      if size >= 16 { #expect(Data(stored).range(of: Data(value.prefix(16))) == nil) }
    }
  }

  @Test func everyBitCounts() throws {
    let cipher = FileCipher(key: Self.key, salt: salt)
    var stored = try sealed(Array(0..<33), cipher, key: [7])
    for bit in 0..<stored.count * 8 {
      stored[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(opened(stored, cipher, key: [7]) == nil, "bit \(bit)")
      stored[bit / 8] ^= 1 << UInt8(bit % 8)
    }
    #expect(opened(stored, cipher, key: [7]) == Array(0..<33))
  }

  @Test func keysAreCompared() {
    let cipher = FileCipher(key: Self.key, salt: salt)
    for round in 0..<200 {
      var other = Self.key
      #expect(cipher.isMade(of: other))
      other[round % 64] ^= 1
      #expect(!cipher.isMade(of: other))
    }
  }

  /// Also when two processes write the same versions.
  @Test func noncesAreDifferent() throws {
    var nonces: Set<[UInt8]> = []
    for _ in 0..<20 {
      let cipher = FileCipher(key: Self.key, salt: salt)
      for _ in 0..<100 { nonces.insert(Array(try sealed([1], cipher, key: [7])[1..<13])) }
    }
    #expect(nonces.count == 2_000)
  }
}
