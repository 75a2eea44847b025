import Encryption
import LibC
import Pages

/// Blocks of bytes on the disk beside a realm file, for content that would need too much memory until it is read again.
///
/// The file has no name: no other process can open it, and nothing of it remains when this object is freed or the process dies. Its
/// blocks are encrypted if those of the realm file are, with a key that is never stored; others have a checksum.
package final class ScratchFile {
  private struct Block {
    var position: Int
    var size: Int
  }

  private let descriptor: Int32
  private let path: String
  private let cipher: AuthenticatedCipher?
  private var blocks: [Block] = []
  private var end = 0
  private var buffer: [UInt8] = []

  /// Makes an empty file. Returns nil if the folder of the realm file cannot have one: not all file systems have files without names.
  package init?(beside file: DatabaseFile) {
    var cipher: AuthenticatedCipher?
    if file.isEncrypted {
      guard let key = try? AuthenticatedCipher.random(AuthenticatedCipher.keySize) else { return nil }
      cipher = AuthenticatedCipher(SecretBytes(key))
    }
    let descriptor = FileLocation.openUnnamed(beside: file.path)
    if descriptor < 0 { return nil }
    (self.descriptor, path, self.cipher) = (descriptor, file.path, cipher)
  }

  deinit { close(descriptor) }

  /// Writes a block behind the others. Returns its number; nil if the disk does not take it.
  package func append(_ content: UnsafeRawBufferPointer) -> Int? {
    let size = content.count + sealSize
    if buffer.count < size { buffer = [UInt8](repeating: 0, count: size) }
    let isWritten = buffer.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return false }
      guard seal(content, number: blocks.count, to: start) else { return false }
      return write(UnsafeRawBufferPointer(rebasing: buffer[..<size]))
    }
    if !isWritten {
      // Gives back the space of the part that was written.
      _ = ftruncate(descriptor, off_t(end))
      return nil
    }
    blocks.append(Block(position: end, size: content.count))
    end += size
    return blocks.count - 1
  }

  /// Writes bytes behind the last block. Returns whether all of them were written.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress! + written, bytes.count - written, off_t(end + written))
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return false }
      written += count
    }
    return true
  }

  /// Reads a block and calls the body with its bytes, which are valid in the body only.
  ///
  /// - Throws: `StorageError` if the block cannot be read as it was written; what the body throws.
  package func read(_ number: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let block = blocks[number]
    let size = block.size + sealSize
    let stored = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { stored.deallocate() }
    var count = 0
    while count < size {
      let more = pread(descriptor, stored.baseAddress! + count, size - count, off_t(block.position + count))
      if more < 0 && errno == EINTR { continue }
      if more <= 0 { throw unreadable(more < 0 ? String(cString: strerror(errno)) : "it is too short") }
      count += more
    }
    guard cipher != nil else {
      let content = UnsafeRawBufferPointer(rebasing: stored[..<block.size])
      let sum = stored.loadUnaligned(fromByteOffset: block.size, as: UInt64.self)
      guard checksum(content, number) == sum else { throw unreadable("its checksum is wrong") }
      return try body(content)
    }
    let opened = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, block.size), alignment: 16)
    defer { opened.deallocate() }
    let sealed = UnsafeRawBufferPointer(rebasing: stored[..<block.size])
    guard unseal(sealed, number: number, stored.baseAddress! + block.size, to: opened.baseAddress!) else {
      throw unreadable("its authentication tag is wrong")
    }
    try body(UnsafeRawBufferPointer(rebasing: opened[..<block.size]))
  }

  private func unreadable(_ reason: String) -> StorageError {
    StorageError(
      .access, path: path,
      message: "Failed to read a temporary file beside the Realm file at path '\(path)': \(reason)")
  }

  // MARK: Seals

  private var sealSize: Int {
    cipher == nil
      ? MemoryLayout<UInt64>.size : AuthenticatedCipher.nonceSize + AuthenticatedCipher.tagSize
  }

  /// Writes a block's content as it is stored, and its seal behind it: a checksum, or nonce and tag.
  private func seal(
    _ content: UnsafeRawBufferPointer, number: Int, to target: UnsafeMutableRawPointer
  ) -> Bool {
    guard let cipher else {
      if let source = content.baseAddress { target.copyMemory(from: source, byteCount: content.count) }
      target.storeBytes(of: checksum(content, number), toByteOffset: content.count, as: UInt64.self)
      return true
    }
    let seal = target + content.count
    return withContext(number) { context in
      let tag = seal + AuthenticatedCipher.nonceSize
      return (try? cipher.seal(content, context: context, to: target, nonce: seal, tag: tag)) != nil
    }
  }

  private func unseal(
    _ sealed: UnsafeRawBufferPointer, number: Int, _ seal: UnsafeRawPointer,
    to target: UnsafeMutableRawPointer
  ) -> Bool {
    withContext(number) { context in
      cipher!.open(
        sealed, context: context, nonce: seal, tag: seal + AuthenticatedCipher.nonceSize, to: target)
    }
  }

  /// Of a block and its number. An empty block has no address.
  private func checksum(_ content: UnsafeRawBufferPointer, _ number: Int) -> UInt64 {
    let sum = content.baseAddress.map { Checksum128(of: $0, count: content.count).low } ?? 0
    return sum ^ UInt64(number)
  }

  /// What is authenticated with a block: its number.
  private func withContext<Result>(_ number: Int, _ body: (AuthenticatedCipher.Context) -> Result) -> Result {
    withUnsafeBytes(of: UInt64(number).littleEndian) {
      body(AuthenticatedCipher.Context($0, UnsafeRawBufferPointer(start: nil, count: 0)))
    }
  }
}
