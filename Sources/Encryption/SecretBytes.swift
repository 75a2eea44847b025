import LibC

/// Bytes that are cleared when they are freed.
package final class SecretBytes: @unchecked Sendable {
  package let bytes: UnsafeMutableRawPointer
  package let count: Int

  package init(_ content: [UInt8]) {
    count = content.count
    bytes = .allocate(byteCount: content.count, alignment: 8)
    content.withUnsafeBytes { bytes.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
  }

  /// Whether the content is the same, found in the same time whatever it is.
  package func equals(_ other: SecretBytes) -> Bool {
    if count != other.count { return false }
    let first = bytes.assumingMemoryBound(to: UInt8.self)
    let second = other.bytes.assumingMemoryBound(to: UInt8.self)
    return (0..<count).reduce(UInt8(0)) { $0 | (first[$1] ^ second[$1]) } == 0
  }

  deinit {
    explicit_bzero(bytes, count)
    bytes.deallocate()
  }
}
