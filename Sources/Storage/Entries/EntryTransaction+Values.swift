// All that OpenRealm stores goes through `store`, and all that it reads through `value` and cursors. The file of pages itself checks
// that what is read is what was written, and encrypts it.

/// What is wrong with a value that was read.
struct ValueFault: Error {
  let reason: String
}

extension EntryTransaction {
  // MARK: Writing

  /// Stores a value in place of the one that there may be.
  ///
  /// - Parameters:
  ///   - size: That of the value.
  ///   - fill: Writes the value.
  @inline(__always)
  func store(
    _ tree: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int, size: Int,
    _ fill: (UnsafeMutableRawPointer) -> Void
  ) throws(EntryError) {
    fill(try reserve(tree, key, keySize, size: size))
  }

  func store(_ tree: EntryTree, key: [UInt8], _ bytes: [UInt8]) throws(EntryError) {
    try store(tree, key, key.count, bytes)
  }

  func store(
    _ tree: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int, _ bytes: [UInt8]
  ) throws(EntryError) {
    try store(tree, key, keySize, size: bytes.count) { place in
      bytes.withUnsafeBytes {
        if let start = $0.baseAddress { place.copyMemory(from: start, byteCount: $0.count) }
      }
    }
  }

  // MARK: Reading

  /// The value of a key, or nil. Valid until the transaction ends or writes.
  @inline(__always)
  func value(
    _ tree: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int
  ) throws(ValueFault) -> UnsafeRawBufferPointer? {
    var fault: String?
    let value = get(tree, key, keySize) { fault = $0 }
    if let fault { throw ValueFault(reason: fault) }
    return value
  }

  /// - Parameter report: Tells that there are damaged nodes on the way, or that the value is damaged. When it returns, there is no
  ///   value.
  @inline(__always)
  func value(
    _ tree: EntryTree, _ key: UnsafeRawPointer, _ keySize: Int, orReport report: (String) -> Void
  ) -> UnsafeRawBufferPointer? {
    get(tree, key, keySize, orReport: report)
  }

  func value(_ tree: EntryTree, key: [UInt8]) throws(ValueFault) -> UnsafeRawBufferPointer? {
    try value(tree, key, key.count)
  }
}
