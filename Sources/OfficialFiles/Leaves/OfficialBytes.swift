/// Bytes of a value, read where they lie in the file: valid as long as the file is, or its copy of them.
package struct OfficialBytes {
  package let buffer: UnsafeRawBufferPointer
  /// Keeps bytes that had to be put together.
  private let owner: AnyObject?

  init(_ buffer: UnsafeRawBufferPointer) {
    self.buffer = buffer
    owner = nil
  }

  /// Joins pieces.
  init(joining pieces: [UnsafeRawBufferPointer]) {
    let joined = JoinedBytes(pieces)
    owner = joined
    buffer = UnsafeRawBufferPointer(joined.bytes)
  }

  package var count: Int { buffer.count }

  /// As text; what is no UTF-8 is replaced.
  package var string: String { withExtendedLifetime(owner) { String(decoding: buffer, as: UTF8.self) } }

  package var array: [UInt8] { withExtendedLifetime(owner) { Array(buffer) } }

  /// Without the 0 at the end, which strings have.
  func unterminated(_ node: Node) throws -> OfficialBytes {
    guard buffer.last == 0 else { throw node.damage("a string without its end") }
    return OfficialBytes(UnsafeRawBufferPointer(rebasing: buffer.dropLast()))
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
