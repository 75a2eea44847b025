/// Bytes of a value, read where they lie in the file: valid as long as the file is, or its copy of them.
package struct OfficialBytes {
  private let buffer: UnsafeRawBufferPointer
  /// Keeps bytes that had to be put together.
  private let owner: AnyObject?

  private init(_ buffer: UnsafeRawBufferPointer, owner: AnyObject?) {
    self.buffer = buffer
    self.owner = owner
  }

  init(_ buffer: UnsafeRawBufferPointer) { self.init(buffer, owner: nil) }

  /// Joins pieces.
  init(joining pieces: [UnsafeRawBufferPointer]) {
    let joined = JoinedBytes(pieces)
    self.init(UnsafeRawBufferPointer(joined.bytes), owner: joined)
  }

  package var count: Int { buffer.count }

  /// Gives the bytes to a body, which must not keep them.
  package func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime(owner) { try body(buffer) }
  }

  /// As text; what is no UTF-8 is replaced.
  package var string: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  package var array: [UInt8] { withBytes { Array($0) } }

  /// Whether it comes before others as bytes are compared.
  func precedes(_ other: OfficialBytes) -> Bool {
    withBytes { bytes in other.withBytes { bytes.lexicographicallyPrecedes($0) } }
  }

  /// Without the 0 at the end, which strings have.
  func unterminated(_ node: Node) throws -> OfficialBytes {
    guard withBytes({ $0.last == 0 }) else { throw node.damage("a string without its end") }
    return OfficialBytes(UnsafeRawBufferPointer(rebasing: buffer.dropLast()), owner: owner)
  }
}

private final class JoinedBytes {
  let bytes: UnsafeMutableRawBufferPointer

  init(_ pieces: [UnsafeRawBufferPointer]) {
    bytes = .allocate(byteCount: pieces.reduce(0) { $0 + $1.count }, alignment: 8)
    var offset = 0
    for piece in pieces where piece.count > 0 {
      (bytes.baseAddress! + offset).copyMemory(from: piece.baseAddress!, byteCount: piece.count)
      offset += piece.count
    }
  }

  deinit { bytes.deallocate() }
}
