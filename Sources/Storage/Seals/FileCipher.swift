import CCrypto
import LibC
import Synchronization

/// Encrypts the values of one file: AES-256-GCM of libcrypto.
///
/// The key is the file's own: HKDF-SHA256 makes it of the program's 64 bytes and of 32 random ones that the file was
/// given when it was made. What is authenticated with a value is its LMDB key and the lowest bits of its version, so that
/// a value cannot be moved within the file, nor come from another one.
///
/// A nonce never comes twice with a key, or else a value could be guessed from another one. So it depends on nothing
/// that a crash could bring back, such as a version's number: it is 9 random bytes, drawn from the system when the first
/// value is written by this object, and 3 that count. After 2²⁴ values other 9 are drawn. For n draws in the life of a
/// file, in all processes, the chance of ever drawing twice the same is below n²/2⁷³: with a million of them, 2⁻³³.
/// A child of fork() uses no file of its parent. Only a copy of a running virtual machine, of which both go on, could
/// repeat nonces.
final class FileCipher: Sendable {
  static let keySize = 64
  static let saltSize = 32
  static let nonceSize = 12
  static let tagSize = 16

  private let key: SecretBytes
  /// The file's, which is no secret.
  let salt: [UInt8]
  private let nonces = Mutex(Nonces())
  private let contexts = Mutex(Contexts())

  private struct Nonces: Sendable {
    var prefix: [UInt8] = []
    var next: UInt32 = 1 << 24
  }

  /// The idle contexts; they know the key.
  private struct Contexts: @unchecked Sendable { var idle: [OpaquePointer] = [] }

  /// - Parameters:
  ///   - key: The program's.
  ///   - salt: The file's.
  init(key: [UInt8], salt: [UInt8]) {
    precondition(key.count == Self.keySize && salt.count == Self.saltSize)
    self.salt = salt
    var extracted = Self.hmac(key: salt, key)
    // RFC 5869, one block.
    var derived = Self.hmac(key: extracted, Array("OpenRealm values".utf8) + [1])
    self.key = SecretBytes(derived)
    extracted.withUnsafeMutableBytes { explicit_bzero($0.baseAddress!, $0.count) }
    derived.withUnsafeMutableBytes { explicit_bzero($0.baseAddress!, $0.count) }
  }

  deinit {
    contexts.withLock { for context in $0.idle { EVP_CIPHER_CTX_free(context) } }
  }

  private static func hmac(key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: 32)
    var size: UInt32 = 0
    let made = HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &result, &size)
    precondition(made != nil && size == 32)
    return result
  }

  /// Whether it has been made of a key of the program, found in the same time whatever that is.
  func isMade(of key: [UInt8]) -> Bool {
    let other = FileCipher(key: key, salt: salt)
    return withExtendedLifetime(other) {
      CRYPTO_memcmp(self.key.bytes, other.key.bytes, self.key.count) == 0
    }
  }

  static func random(_ count: Int) throws(LMDBError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    if getentropy(&bytes, count) != 0 { throw LMDBError(code: errno) }
    return bytes
  }

  private func nextNonce(to place: UnsafeMutableRawPointer) throws(LMDBError) {
    try nonces.withLock { (nonces) throws(LMDBError) in
      if nonces.next == 1 << 24 {
        nonces.prefix = try Self.random(Self.nonceSize - 3)
        nonces.next = 0
      }
      nonces.prefix.withUnsafeBytes { place.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
      for byte in 0..<3 {
        place.storeBytes(
          of: UInt8(truncatingIfNeeded: nonces.next >> UInt32(byte * 8)),
          toByteOffset: Self.nonceSize - 3 + byte,
          as: UInt8.self)
      }
      nonces.next += 1
    }
  }

  // MARK: Values

  /// What is authenticated with a value.
  struct Place {
    let key: UnsafeRawPointer
    let keySize: Int
    var version: UInt16
  }

  /// Writes a value, encrypted, and behind it nonce and tag.
  func seal(
    _ value: UnsafeRawBufferPointer, _ place: Place, to target: UnsafeMutableRawPointer,
    seal: UnsafeMutableRawPointer
  ) throws(LMDBError) {
    try nextNonce(to: seal)
    let isDone = withContext { context in
      guard EVP_EncryptInit_ex(context, nil, nil, nil, seal.assumingMemoryBound(to: UInt8.self)) == 1,
        update(context, EVP_EncryptUpdate, place, value, target)
      else { return false }
      var size: Int32 = 0
      return EVP_EncryptFinal_ex(context, nil, &size) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagSize), seal + Self.nonceSize)
          == 1
    }
    if !isDone { throw LMDBError(code: ENOMEM) }
  }

  /// Decrypts a value. False when it is not what was sealed for the place, and then what has been written to the target
  /// means nothing.
  func open(
    _ value: UnsafeRawBufferPointer, _ place: Place, seal: UnsafeRawPointer,
    to target: UnsafeMutableRawPointer
  ) -> Bool {
    withContext { context in
      // libcrypto takes what it only reads as mutable.
      let tag = UnsafeMutableRawPointer(mutating: seal + Self.nonceSize)
      guard EVP_DecryptInit_ex(context, nil, nil, nil, seal.assumingMemoryBound(to: UInt8.self)) == 1,
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagSize), tag) == 1,
        update(context, EVP_DecryptUpdate, place, value, target)
      else { return false }
      var size: Int32 = 0
      return EVP_DecryptFinal_ex(context, nil, &size) == 1
    }
  }

  /// Decrypts and authenticates a stored value, which is followed by its authentication tag: see `Seal`.
  ///
  /// - Precondition: The value has a seal.
  func open(
    stored: UnsafeRawBufferPointer, key: UnsafeRawPointer, _ keySize: Int, to target: UnsafeMutableRawPointer
  ) -> Bool {
    let size = stored.count - Seal.encryptedSize
    let seal = stored.baseAddress! + size
    let version = UInt16(littleEndian: seal.loadUnaligned(as: UInt16.self))
    return open(
      UnsafeRawBufferPointer(start: stored.baseAddress, count: size),
      Place(key: key, keySize: keySize, version: version), seal: seal + 2, to: target)
  }

  private typealias Update = (
    OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int32>?, UnsafePointer<UInt8>?, Int32
  ) -> Int32

  private func update(
    _ context: OpaquePointer, _ update: Update, _ place: Place, _ value: UnsafeRawBufferPointer,
    _ target: UnsafeMutableRawPointer
  ) -> Bool {
    var size: Int32 = 0
    let key = place.key.assumingMemoryBound(to: UInt8.self)
    guard update(context, nil, &size, key, Int32(place.keySize)) == 1 else { return false }
    let isVersionAdded = withUnsafeBytes(of: place.version.littleEndian) {
      update(context, nil, &size, $0.baseAddress!.assumingMemoryBound(to: UInt8.self), 2) == 1
    }
    guard isVersionAdded else { return false }
    // A call takes no more than Int32 can say.
    var done = 0
    while done < value.count {
      let part = min(value.count - done, 1 << 30)
      let source = (value.baseAddress! + done).assumingMemoryBound(to: UInt8.self)
      let isDone = update(
        context, (target + done).assumingMemoryBound(to: UInt8.self), &size, source, Int32(part))
      guard isDone == 1 else { return false }
      done += part
    }
    return true
  }

  private func withContext(_ body: (OpaquePointer) -> Bool) -> Bool {
    // Which way it goes is said with each nonce.
    guard let context = contexts.withLock({ $0.idle.popLast() }) ?? makeContext() else { return false }
    let result = body(context)
    nonisolated(unsafe) let given = context
    contexts.withLock { $0.idle.append(given) }
    return result
  }

  private func makeContext() -> OpaquePointer? {
    guard let context = EVP_CIPHER_CTX_new() else { return nil }
    let key = key.bytes.assumingMemoryBound(to: UInt8.self)
    guard EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nil) == 1 else {
      EVP_CIPHER_CTX_free(context)
      return nil
    }
    return context
  }
}

/// Bytes that are cleared when they are freed.
final class SecretBytes: @unchecked Sendable {
  let bytes: UnsafeMutableRawPointer
  let count: Int

  init(_ content: [UInt8]) {
    count = content.count
    bytes = .allocate(byteCount: content.count, alignment: 8)
    content.withUnsafeBytes { bytes.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
  }

  deinit {
    explicit_bzero(bytes, count)
    bytes.deallocate()
  }
}
