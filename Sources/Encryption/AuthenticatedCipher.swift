import CCrypto
import LibC
import Synchronization

/// Encrypts and authenticates values under one key: AES-256-GCM of libcrypto.
///
/// A nonce never comes twice with a key, or else a value could be guessed from another one. So it depends on nothing
/// that a crash could bring back, such as a version's number: it is 9 random bytes, drawn from the system when the first
/// value is written by this object, and 3 that count. After 2²⁴ values other 9 are drawn. For n draws in the life of a
/// key, in all processes, the chance of ever drawing twice the same is below n²/2⁷³: with a million of them, 2⁻³³.
/// A child of fork() must not use it. Only a copy of a running virtual machine, of which both go on, could repeat nonces.
package final class AuthenticatedCipher: Sendable {
  package static let keySize = 32
  package static let nonceSize = 12
  package static let tagSize = 16

  private let key: SecretBytes
  private let nonces = Mutex(Nonces())
  private let contexts = Mutex(Contexts())

  private struct Nonces: Sendable {
    var prefix: [UInt8] = []
    var next: UInt32 = 1 << 24
  }

  /// The idle contexts; they know the key.
  private struct Contexts: @unchecked Sendable { var idle: [OpaquePointer] = [] }

  /// - Parameter key: `keySize` bytes.
  package init(_ key: SecretBytes) {
    precondition(key.count == Self.keySize)
    openrealm_prepare_crypto()
    self.key = key
  }

  deinit {
    contexts.withLock { for context in $0.idle { EVP_CIPHER_CTX_free(context) } }
  }

  /// A call of the system failed, with this error number.
  package struct Failure: Error { package let code: Int32 }

  package func hasKey(of other: AuthenticatedCipher) -> Bool { key.equals(other.key) }

  package static func random(_ count: Int) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    if getentropy(&bytes, count) != 0 { throw Failure(code: errno) }
    return bytes
  }

  private func nextNonce(to place: UnsafeMutableRawPointer) throws(Failure) {
    try nonces.withLock { (nonces) throws(Failure) in
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

  /// What is authenticated with a value, in two parts, and has to be the same when it is opened.
  package struct Context {
    private let parts: (UnsafeRawBufferPointer, UnsafeRawBufferPointer)

    package init(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) {
      parts = (first, second)
    }

    package static var none: Context {
      let empty = UnsafeRawBufferPointer(start: nil, count: 0)
      return Context(empty, empty)
    }

    fileprivate func add(_ state: OpaquePointer, _ update: Update) -> Bool {
      Self.add(parts.0, state, update) && Self.add(parts.1, state, update)
    }

    private static func add(
      _ part: UnsafeRawBufferPointer, _ state: OpaquePointer, _ update: Update
    ) -> Bool {
      if part.isEmpty { return true }
      var size: Int32 = 0
      return update(
        state, nil, &size, part.baseAddress!.assumingMemoryBound(to: UInt8.self), Int32(part.count)) == 1
    }
  }

  /// Writes a value, encrypted, its nonce and its tag, each to a place of its own.
  package func seal(
    _ value: UnsafeRawBufferPointer, context: Context = .none,
    to target: UnsafeMutableRawPointer, nonce: UnsafeMutableRawPointer, tag: UnsafeMutableRawPointer
  ) throws(Failure) {
    try nextNonce(to: nonce)
    let isDone = withContext { state in
      guard EVP_EncryptInit_ex(state, nil, nil, nil, nonce.assumingMemoryBound(to: UInt8.self)) == 1,
        Self.update(state, EVP_EncryptUpdate, context, value, target)
      else { return false }
      var size: Int32 = 0
      return EVP_EncryptFinal_ex(state, nil, &size) == 1
        && EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagSize), tag) == 1
    }
    if !isDone { throw Failure(code: ENOMEM) }
  }

  /// Decrypts a value. False when it is not what was sealed, and then what has been written to the target means nothing.
  package func open(
    _ value: UnsafeRawBufferPointer, context: Context = .none, nonce: UnsafeRawPointer,
    tag: UnsafeRawPointer, to target: UnsafeMutableRawPointer
  ) -> Bool {
    withContext { state in
      // libcrypto takes what it only reads as mutable.
      let tag = UnsafeMutableRawPointer(mutating: tag)
      guard EVP_DecryptInit_ex(state, nil, nil, nil, nonce.assumingMemoryBound(to: UInt8.self)) == 1,
        EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagSize), tag) == 1,
        Self.update(state, EVP_DecryptUpdate, context, value, target)
      else { return false }
      var size: Int32 = 0
      return EVP_DecryptFinal_ex(state, nil, &size) == 1
    }
  }

  /// Decrypts a value without authenticating it: for what is authenticated otherwise. A changed bit changes the same one of the result.
  package func decryptUnverified(
    _ value: UnsafeRawBufferPointer, nonce: UnsafeRawPointer, to target: UnsafeMutableRawPointer
  ) -> Bool {
    withContext { state in
      EVP_DecryptInit_ex(state, nil, nil, nil, nonce.assumingMemoryBound(to: UInt8.self)) == 1
        && Self.update(state, EVP_DecryptUpdate, .none, value, target)
    }
  }

  fileprivate typealias Update = (
    OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int32>?, UnsafePointer<UInt8>?, Int32
  ) -> Int32

  private static func update(
    _ state: OpaquePointer, _ update: Update, _ context: Context,
    _ value: UnsafeRawBufferPointer, _ target: UnsafeMutableRawPointer
  ) -> Bool {
    if !context.add(state, update) { return false }
    var size: Int32 = 0
    // A call takes no more than Int32 can say.
    var done = 0
    while done < value.count {
      let part = min(value.count - done, 1 << 30)
      let source = (value.baseAddress! + done).assumingMemoryBound(to: UInt8.self)
      let isDone = update(
        state, (target + done).assumingMemoryBound(to: UInt8.self), &size, source, Int32(part))
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
