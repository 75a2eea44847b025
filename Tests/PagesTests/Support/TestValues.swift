import LibC
package import Pages

/// What an entry must be: a value made of its stamp and size.
package struct TestValue: Equatable {
  package var stamp: UInt32
  package var size: Int

  package init(stamp: UInt32, size: Int) { (self.stamp, self.size) = (stamp, size) }

  private static let noise: [UInt8] = {
    var word: UInt64 = 0x9E37_79B9_7F4A_7C15
    return (0..<1 << 17).map { _ in
      word ^= word << 13
      word ^= word >> 7
      word ^= word << 17
      return UInt8(truncatingIfNeeded: word)
    }
  }()

  private var offset: Int { Int(stamp &* 37 & 0x7FFF) }

  package func write(_ target: UnsafeMutableRawPointer) {
    precondition(offset + size <= Self.noise.count, "too large a value")
    Self.noise.withUnsafeBytes { _ = memcpy(target, $0.baseAddress! + offset, size) }
    target.storeBytes(of: stamp, as: UInt32.self)
  }

  package func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count == size, bytes.loadUnaligned(as: UInt32.self) == stamp else { return false }
    return Self.noise.withUnsafeBytes {
      memcmp(bytes.baseAddress! + 4, $0.baseAddress! + offset + 4, size - 4) == 0
    }
  }
}

/// The key of a file, if its name says that it is encrypted.
package func encryptionKey(_ path: String) -> [UInt8]? {
  path.contains("sealed") ? (0..<64).map { $0 &* 37 &+ 11 } : nil
}

/// A key of 9 bytes, in the order of its number.
package func key(_ number: Int) -> [UInt8] {
  [7] + withUnsafeBytes(of: UInt64(number).bigEndian, Array.init)
}

package func number(ofKey key: [UInt8]) -> Int {
  Int(key.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 1, as: UInt64.self)) })
}

package typealias TestContents = [Int: TestValue]

package struct WrongContents: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Compares all entries with what they must be, and some found by their keys.
package func check(_ source: PageSource, _ contents: TestContents) throws {
  var cursor = PageCursor(source)
  var count = 0
  var last = -1
  var isThere = try cursor.moveToFirst()
  while isThere {
    let number = number(ofKey: cursor.key)
    if number <= last { throw WrongContents("\(number) follows \(last)") }
    last = number
    guard let value = contents[number] else { throw WrongContents("entry \(number) should not be there") }
    if !value.matches(try cursor.value()) { throw WrongContents("the value of \(number)") }
    count += 1
    isThere = try cursor.moveToNext()
  }
  if count != contents.count { throw WrongContents("\(count) entries instead of \(contents.count)") }
}

extension PageVersion {
  /// Holds a version for as long as it is looked at.
  package static func with<Result>(
    _ store: PageStore, _ body: (PageVersion) throws -> Result
  ) throws -> Result {
    let version = try PageVersion(store)
    defer { version.release() }
    return try body(version)
  }
}
