import Encryption
import LibC

/// Encrypts the values of one file.
///
/// What is authenticated with a value is its LMDB key and the lowest bits of its version, so that a value cannot be moved within
/// the file, nor come from another one. A child of fork() uses no file of its parent.
final class FileCipher: Sendable {
  static let keySize = DerivedKey.keySize
  static let saltSize = DerivedKey.saltSize
  static let nonceSize = AuthenticatedCipher.nonceSize
  static let tagSize = AuthenticatedCipher.tagSize

  private let cipher: AuthenticatedCipher
  /// The file's, which is no secret.
  let salt: [UInt8]

  /// - Parameters:
  ///   - key: The program's.
  ///   - salt: The file's.
  init(key: [UInt8], salt: [UInt8]) {
    self.salt = salt
    cipher = AuthenticatedCipher(DerivedKey(key: key, salt: salt).key(for: "OpenRealm values"))
  }

  /// Whether it has been made of a key of the program, found in the same time whatever that is.
  func isMade(of key: [UInt8]) -> Bool { cipher.hasKey(of: FileCipher(key: key, salt: salt).cipher) }

  static func random(_ count: Int) throws(EntryError) -> [UInt8] {
    do {
      return try AuthenticatedCipher.random(count)
    } catch {
      throw EntryError(code: error.code)
    }
  }

  /// What is authenticated with a value.
  struct Place {
    let key: UnsafeRawPointer
    let keySize: Int
    var version: UInt16

    fileprivate func withContext<Result>(_ body: (AuthenticatedCipher.Context) -> Result) -> Result {
      withUnsafeBytes(of: version.littleEndian) {
        body(.init(UnsafeRawBufferPointer(start: key, count: keySize), $0))
      }
    }
  }

  /// Writes a value, encrypted, and behind it nonce and tag.
  func seal(
    _ value: UnsafeRawBufferPointer, _ place: Place, to target: UnsafeMutableRawPointer,
    seal: UnsafeMutableRawPointer
  ) throws(EntryError) {
    let failure = place.withContext { context -> AuthenticatedCipher.Failure? in
      do throws(AuthenticatedCipher.Failure) {
        try cipher.seal(value, context: context, to: target, nonce: seal, tag: seal + Self.nonceSize)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw EntryError(code: failure.code) }
  }

  /// Decrypts a value. False when it is not what was sealed for the place, and then what has been written to the target
  /// means nothing.
  func open(
    _ value: UnsafeRawBufferPointer, _ place: Place, seal: UnsafeRawPointer,
    to target: UnsafeMutableRawPointer
  ) -> Bool {
    place.withContext { context in
      cipher.open(value, context: context, nonce: seal, tag: seal + Self.nonceSize, to: target)
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
}
