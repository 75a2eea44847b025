import CCrypto
import LibC

/// Keys of a file, which are made of the program's 64 bytes and of 32 random ones that the file was given when it was made:
/// HKDF-SHA256, RFC 5869, one block for each purpose.
package struct DerivedKey {
  package static let keySize = 64
  package static let saltSize = 32

  private let extracted: SecretBytes

  /// - Parameters:
  ///   - key: The program's.
  ///   - salt: The file's, which is no secret.
  package init(key: [UInt8], salt: [UInt8]) {
    precondition(key.count == Self.keySize && salt.count == Self.saltSize)
    openrealm_prepare_crypto()
    extracted = Self.authenticationCode(key: salt, key)
  }

  /// A key of 32 bytes for one purpose.
  package func key(for purpose: String) -> SecretBytes {
    Self.authenticationCode(
      key: UnsafeRawBufferPointer(start: extracted.bytes, count: extracted.count), Array(purpose.utf8) + [1])
  }

  private static func authenticationCode(key: [UInt8], _ bytes: [UInt8]) -> SecretBytes {
    key.withUnsafeBytes { authenticationCode(key: $0, bytes) }
  }

  private static func authenticationCode(key: UnsafeRawBufferPointer, _ bytes: [UInt8]) -> SecretBytes {
    var code = bytes.withUnsafeBytes { HashCode.make(key: key, $0) }
    defer { code.withUnsafeMutableBytes { explicit_bzero($0.baseAddress!, $0.count) } }
    return SecretBytes(code)
  }
}

/// HMAC-SHA256.
package enum HashCode {
  package static func make(key: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    var size: UInt32 = 0
    let made = HMAC(
      EVP_sha256(), key.baseAddress, Int32(key.count), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
      bytes.count, &code, &size)
    precondition(made != nil && size == 32)
    return code
  }
}
