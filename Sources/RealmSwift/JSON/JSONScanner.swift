/// Reads JSON (RFC 8259) piece by piece, from bytes that may be only the beginning of what there is.
///
/// The bytes belong to the caller, and must stay as long as the scanner and the texts and numbers that it gives.
package struct JSONScanner {
  /// That a value goes on behind the bytes.
  package struct NeedsMore: Error {}
  /// That something is no JSON.
  package struct Fault: Error {
    package let message: String
    /// In the bytes.
    package let position: Int

    package init(message: String, position: Int) {
      self.message = message
      self.position = position
    }
  }

  package let bytes: UnsafeRawBufferPointer
  /// Whether nothing comes after the bytes.
  package let isComplete: Bool
  package internal(set) var position: Int

  package init(_ bytes: UnsafeRawBufferPointer, at position: Int, isComplete: Bool) {
    self.bytes = bytes
    self.position = position
    self.isComplete = isComplete
  }

  package func fault(_ message: String, at position: Int? = nil) -> any Error {
    Fault(message: message, position: position ?? self.position)
  }

  /// That the bytes end within a value.
  ///
  /// - Parameter message: What that means when nothing comes after them.
  func end(_ message: String = "it ends within a value", at position: Int? = nil) -> any Error {
    isComplete ? fault(message, at: position) : NeedsMore()
  }

  /// The next byte that is no space, without moving on; nil at the end.
  @inline(__always)
  package mutating func peek() -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// Goes over a byte that `peek` has shown.
  @inline(__always)
  package mutating func skip() { position += 1 }

  /// The next byte that is no space.
  @inline(__always)
  package mutating func needed() throws -> UInt8 {
    if let byte = peek() { return byte }
    throw end()
  }

  /// Whether a comma comes before the end of an object or array, and goes over it.
  @inline(__always)
  package mutating func isNext(before end: UInt8, _ what: StaticString) throws -> Bool {
    let byte = try needed()
    if byte == end { return false }
    guard byte == UInt8(ascii: ",") else {
      throw fault("a comma, or the end of \(what), is missing before '\(Character(Unicode.Scalar(byte)))'")
    }
    position += 1
    return true
  }

  /// The name of a member, with the colon after it.
  @inline(__always)
  package mutating func name() throws -> ScannedText {
    guard try needed() == UInt8(ascii: "\"") else { throw fault("a name in quotes is missing") }
    let name = try text()
    guard try needed() == UInt8(ascii: ":") else {
      throw fault("a colon is missing after '\(name.string.shortened)'")
    }
    position += 1
    return name
  }

  /// Goes over `true`, `false` or `null`, of which the first letter has been seen.
  package mutating func word(_ word: StaticString) throws {
    let count = word.utf8CodeUnitCount
    for offset in 0..<count {
      guard position + offset < bytes.count else { throw end() }
      if bytes[position + offset] != word.utf8Start[offset] {
        throw fault("a word is neither true, false nor null")
      }
    }
    position += count
  }

  /// What is wrong with a byte that begins no value.
  package func noValue(_ byte: UInt8) -> any Error {
    fault("'\(Character(Unicode.Scalar(byte)))' begins no value")
  }
}
