import LibC

/// Bytes on their way to a descriptor, gathered so that each line does not cost a system call, or kept until they are taken.
final class OutputStream {
  /// Nil when the bytes are taken.
  private let descriptor: Int32?
  private let name: String
  private var bytes: [UInt8] = []
  private static let capacity = 1 << 16

  /// - Parameter name: As messages name it.
  init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
    bytes.reserveCapacity(Self.capacity + 4096)
  }

  /// Creates a stream whose bytes are taken.
  init() {
    descriptor = nil
    name = ""
  }

  /// Removes and returns what was written.
  func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  var size: Int { bytes.count }

  func write(_ text: String) throws {
    bytes.append(contentsOf: text.utf8)
    if bytes.count >= Self.capacity { try flush() }
  }

  func write(_ more: [UInt8]) throws {
    bytes.append(contentsOf: more)
    if bytes.count >= Self.capacity { try flush() }
  }

  /// - Throws: `ToolError` when the system takes no more.
  func flush() throws {
    guard let descriptor else { return }
    defer { bytes.removeAll(keepingCapacity: true) }
    try bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = LibC.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        if count < 0 { throw ToolError("Failed to write to \(name): \(String(cString: strerror(errno)))") }
        // A retry could go on for ever.
        if count == 0 { throw ToolError("Failed to write to \(name): it takes no more bytes") }
        rest = rest.dropFirst(count)
      }
    }
  }
}
