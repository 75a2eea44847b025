import Encryption
import LibC

/// Encrypts a file of pages: each node and value by itself, with the nonce behind it and its tag in the parent. Records are
/// not encrypted, but authenticated.
///
/// The keys are the file's own, made of the program's and of the salt that each record has. An extent that was put back from an
/// older version of the file is found, because its parent has another tag; a whole older file is not.
final class PageCipher: Sendable {
  static let saltSize = DerivedKey.saltSize
  /// How many bytes an extent takes beside its content.
  static let overhead = AuthenticatedCipher.nonceSize

  let salt: [UInt8]
  private let extents: AuthenticatedCipher
  private let records: SecretBytes

  init(key: [UInt8], salt: [UInt8]) {
    self.salt = salt
    let derived = DerivedKey(key: key, salt: salt)
    extents = AuthenticatedCipher(derived.key(for: "OpenRealm pages"))
    records = derived.key(for: "OpenRealm records")
  }

  /// For a new file.
  convenience init(key: [UInt8]) throws(PageError) {
    do {
      self.init(key: key, salt: try AuthenticatedCipher.random(Self.saltSize))
    } catch {
      throw .system(error.code)
    }
  }

  /// Whether it has been made of a key of the program, found in the same time whatever that is.
  func isMade(of key: [UInt8]) -> Bool { extents.hasKey(of: PageCipher(key: key, salt: salt).extents) }

  /// What a record ends with.
  func sum(ofRecord bytes: UnsafeRawBufferPointer) -> Checksum128 {
    let code = HashCode.make(
      key: UnsafeRawBufferPointer(start: records.bytes, count: records.count), bytes)
    return code.withUnsafeBytes { Checksum128(at: $0.baseAddress!) }
  }

  /// Writes an extent's content, encrypted, and its nonce. Returns its tag.
  func seal(
    _ content: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer
  ) throws(PageError) -> Checksum128 {
    do {
      return try withUnsafeTemporaryAllocation(byteCount: AuthenticatedCipher.tagSize, alignment: 8) { tag in
        try extents.seal(
          content, to: target, nonce: target + content.count, tag: tag.baseAddress!)
        return Checksum128(at: tag.baseAddress!)
      }
    } catch let failure as AuthenticatedCipher.Failure {
      throw .system(failure.code)
    } catch {
      throw .system(EIO)
    }
  }

  /// Decrypts an extent. False when it is not the one that a reference says.
  func open(
    _ stored: UnsafeRawPointer, _ reference: Reference, to target: UnsafeMutableRawPointer
  ) -> Bool {
    let length = Int(reference.length)
    return withUnsafeTemporaryAllocation(byteCount: AuthenticatedCipher.tagSize, alignment: 8) { tag in
      reference.sum.store(at: tag.baseAddress!)
      return extents.open(
        UnsafeRawBufferPointer(start: stored, count: length), nonce: stored + length,
        tag: tag.baseAddress!, to: target)
    }
  }

  /// Decrypts an extent in place, whose nonce is behind it, without authenticating it: anything may have been changed in it.
  func decryptUnverified(_ content: UnsafeMutableRawPointer, count: Int) -> Bool {
    extents.decryptUnverified(
      UnsafeRawBufferPointer(start: content, count: count), nonce: content + count, to: content)
  }
}
