import LibC

/// Takes the seals off stored values, wherever these come from.
///
/// Decrypted values are in memory of the opener's until `forget`.
final class ValueOpener {
  private let sealing: FileFormat.Sealing
  private var decrypted: [UnsafeMutableRawBufferPointer] = []

  init(_ sealing: FileFormat.Sealing) { self.sealing = sealing }

  deinit { forget() }

  var isDecrypting: Bool { sealing.cipher != nil }

  /// The value; nil when its seal is wrong.
  func open(_ stored: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let start = key.baseAddress else { return nil }
    guard case .encryption(let cipher) = sealing else {
      guard Seal.isSound(stored, key: start, key.count) else { return nil }
      return UnsafeRawBufferPointer(start: stored.baseAddress, count: stored.count - Seal.size)
    }
    let size = stored.count - Seal.encryptedSize
    guard size >= 0 else { return nil }
    let target = UnsafeMutableRawBufferPointer.allocate(byteCount: max(size, 1), alignment: 16)
    decrypted.append(target)
    guard cipher.open(stored: stored, key: start, key.count, to: target.baseAddress!) else { return nil }
    return UnsafeRawBufferPointer(start: target.baseAddress, count: size)
  }

  /// The lowest bits of the version that wrote a value whose seal is sound.
  func version(of stored: UnsafeRawBufferPointer) -> UInt16 {
    let size = isDecrypting ? Seal.encryptedSize : Seal.size
    guard stored.count >= size else { return 0 }
    return UInt16(
      littleEndian: stored.loadUnaligned(fromByteOffset: stored.count - size, as: UInt16.self))
  }

  /// Clears what was decrypted: values that were opened before must not be used any more.
  func forget() {
    for buffer in decrypted {
      explicit_bzero(buffer.baseAddress!, buffer.count)
      buffer.deallocate()
    }
    decrypted = []
  }
}
