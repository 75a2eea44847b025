import Encryption
import LibC

/// Takes the seals off stored values.
///
/// Invariant: `buffer` has the value that was decrypted last.
final class ValueOpener {
  /// Nil when the file is not encrypted.
  private let cipher: AuthenticatedCipher?
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 16)

  private init(_ cipher: AuthenticatedCipher?) { self.cipher = cipher }

  deinit { free() }

  private func free() {
    if let start = buffer.baseAddress { explicit_bzero(start, buffer.count) }
    buffer.deallocate()
  }

  var isEncrypted: Bool { cipher != nil }

  /// The value, until the next one is opened; nil when its seal is wrong.
  func open(_ stored: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let cipher else {
      guard Seal.isSound(stored, key: key) else { return nil }
      return UnsafeRawBufferPointer(start: stored.baseAddress, count: stored.count - Seal.size)
    }
    let size = stored.count - Seal.encryptedSize
    guard size >= 0, let start = stored.baseAddress else { return nil }
    if buffer.count < max(size, 1) {
      free()
      buffer = .allocate(byteCount: max(size, 1) * 2, alignment: 16)
    }
    let target = buffer.baseAddress!
    return Self.decrypt(start, size: size, seal: start + size, key, by: cipher, to: target)
      ? UnsafeRawBufferPointer(start: target, count: size) : nil
  }

  private static func decrypt(
    _ text: UnsafeRawPointer, size: Int, seal: UnsafeRawPointer, _ key: UnsafeRawBufferPointer,
    by cipher: AuthenticatedCipher, to target: UnsafeMutableRawPointer
  ) -> Bool {
    cipher.open(
      UnsafeRawBufferPointer(start: text, count: size),
      context: .init(key, UnsafeRawBufferPointer(start: seal, count: 2)), nonce: seal + 2,
      tag: seal + 2 + AuthenticatedCipher.nonceSize, to: target)
  }

  // MARK: The format

  private static let formats: ClosedRange<UInt32> = 2...6
  private static let plainSize = 8
  private static let encryptedSize = plainSize + DerivedKey.saltSize

  /// Reads the entry that says the format, as it is stored.
  static func read(
    format stored: UnsafeRawBufferPointer, encryptionKey: [UInt8]?
  ) throws(EarlierFileError) -> (number: UInt32, ValueOpener) {
    guard stored.count >= 4, let start = stored.baseAddress else { throw .damaged("its format") }
    let format: UInt32 = number(start, 0)
    if format > formats.upperBound || format == 1 && stored.count == 4 { throw .unsupportedFormat(format) }
    guard formats.contains(format), stored.count >= plainSize else { throw .damaged("its format") }
    switch number(start, 4, UInt32.self) {
    case 0 where stored.count == plainSize + Seal.size:
      let isSound = EarlierFile.formatKey.withUnsafeBytes { Seal.isSound(stored, key: $0) }
      if !isSound { throw .damaged("its format") }
      if encryptionKey != nil { throw .keyIsUnneeded }
      return (format, ValueOpener(nil))
    case 1 where stored.count == encryptedSize + Seal.encryptedSize:
      guard let encryptionKey else { throw .keyIsMissing }
      guard encryptionKey.count == DerivedKey.keySize else { throw .keyIsWrong }
      let salt = Array(stored[plainSize..<encryptedSize])
      let cipher = AuthenticatedCipher(
        DerivedKey(key: encryptionKey, salt: salt).key(for: "OpenRealm values"))
      // What comes before the seal is not encrypted, and is authenticated in the place of a key.
      var nothing: UInt8 = 0
      let isSound = decrypt(
        start, size: 0, seal: start + encryptedSize,
        UnsafeRawBufferPointer(start: start, count: encryptedSize), by: cipher, to: &nothing)
      if !isSound { throw .keyIsWrong }
      return (format, ValueOpener(cipher))
    default: throw .damaged("its format")
    }
  }
}
