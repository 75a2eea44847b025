import LibC

/// What is asked of the operating system.
enum DiskCalls {
  /// Writes all of some bytes to a place in a file. Returns whether that went well.
  static func write(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32, _ place: Int) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress! + written, bytes.count - written, off_t(place + written))
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return false }
      written += count
    }
    return true
  }
}
