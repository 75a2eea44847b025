import CCrypto
import Foundation
import TestSupport
import Testing

@testable import OfficialFiles

/// Encrypted files, sound, damaged, and with other keys.
struct EncryptedPagesTests {
  private let folder = ScratchFolder()
  private static let key = Sample.encrypted.key!
  private static let page = 4_096

  private func open(_ bytes: [UInt8], key: [UInt8]? = key) throws -> OfficialFile {
    let path = folder.path("\(UUID().uuidString).realm")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try OfficialFile(path: path, key: key)
  }

  private func reason(_ bytes: [UInt8], key: [UInt8]? = key) -> OfficialFileError.Reason? {
    do {
      _ = try open(bytes, key: key)
      return nil
    } catch { return (error as? OfficialFileError)?.reason }
  }

  @Test func otherKeys() throws {
    let bytes = try Sample.encrypted.bytes()
    var first = Self.key
    first[0] ^= 1
    var second = Self.key
    second[63] ^= 1
    // Pages are authenticated by the second half only.
    #expect(reason(bytes, key: first) == .wrongKey)
    #expect(reason(bytes, key: second) == .wrongKey)
    #expect(reason(bytes, key: Array(Self.key.dropLast())) == .wrongKey)
    #expect(reason(bytes, key: []) == .wrongKey)
    #expect(reason(bytes, key: nil) == .keyNeeded)
    #expect(reason(try Sample.types.bytes()) == .wrongKey)
    #expect(reason(Array(repeating: 7, count: 4 * Self.page), key: nil) == .notOfficial)
  }

  /// A page whose last write did not arrive is what it was before.
  @Test func aTornPage() throws {
    var bytes = try Sample.encrypted.bytes()
    let slot = 5 * 64
    bytes.replaceSubrange(slot + 32..<slot + 64, with: bytes[slot..<slot + 32])
    bytes[slot] += 1
    bytes[slot + 4] ^= 1
    let sound = try Sample.encrypted.open()
    let file = try open(bytes)
    for table in sound.classes {
      #expect(try file.table(table.className!)!.contents(file) == table.contents(sound))
    }
    // Without the write before, there was nothing.
    bytes.replaceSubrange(slot + 32..<slot + 36, with: [0, 0, 0, 0])
    expectDamage("page 5 was never written") { _ = try open(bytes) }
  }

  @Test func aPageThatIsNotWhatWasWritten() throws {
    var bytes = try Sample.encrypted.bytes()
    // Both writes are there, and neither fits.
    let slot = 5 * 64
    bytes.replaceSubrange(slot + 32..<slot + 64, with: bytes[slot..<slot + 32])
    bytes[6 * Self.page + 100] ^= 1
    expectDamage("page 5 is not what was written") { _ = try open(bytes) }
    // Zeros are what is left of a file that was cut and has grown.
    bytes.replaceSubrange(6 * Self.page..<7 * Self.page, with: Array(repeating: 0, count: Self.page))
    expectDamage("page 5 was never written") { _ = try open(bytes) }
    bytes = try Sample.encrypted.bytes()
    bytes.replaceSubrange(slot..<slot + 4, with: [0, 0, 0, 0])
    expectDamage("page 5 was never written") { _ = try open(bytes) }
  }

  /// More pages than one table page has slots for.
  @Test func severalGroupsOfPages() throws {
    let count = 150
    var builder = FileBuilder()
    let blobs = (0..<count).map { builder.blob(Array(repeating: UInt8($0), count: Self.page)) }
    let leaf = builder.references(blobs, .context)
    let table = builder.table([.init(type: 4)], clusters: builder.cluster(count: count, [leaf]))
    let plain = builder.file([("class_A", table)], streamed: true)
    let values = (0..<count).map { Content.data(Array(repeating: UInt8($0), count: Self.page)) }
    #expect(try OfficialFile(plain).values() == values)
    // The footer comes last, behind what fills the last page.
    let padding = (Self.page - plain.count % Self.page) % Self.page
    let padded = plain.dropLast(16) + Array(repeating: 0, count: padding) + plain.suffix(16)
    let file = try open(Self.encrypted(Array(padded)))
    #expect(try file.values() == values)
    try file.checkIsUnchanged()
  }

  private static func encrypted(_ plain: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for first in stride(from: 0, to: plain.count, by: 64 * page) {
      var table: [UInt8] = []
      var data: [UInt8] = []
      for offset in stride(from: first, to: min(first + 64 * page, plain.count), by: page) {
        let cipher = encrypt(Array(plain[offset..<offset + page]), counter: 3, offset: UInt64(offset))
        var mac = [UInt8](repeating: 0, count: 28)
        _ = HMAC(EVP_sha224(), Array(key[32...]), 32, cipher, cipher.count, &mac, nil)
        table += [3, 0, 0, 0] + mac + Array(repeating: 0, count: 32)
        data += cipher
      }
      result += table + Array(repeating: 0, count: page - table.count) + data
    }
    return result
  }

  private static func encrypt(_ page: [UInt8], counter: UInt8, offset: UInt64) -> [UInt8] {
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    let vector = [counter, 0, 0, 0] + FileBuilder.bytes(offset) + [0, 0, 0, 0]
    EVP_EncryptInit_ex(context, EVP_aes_256_cbc(), nil, Array(key[..<32]), vector)
    EVP_CIPHER_CTX_set_padding(context, 0)
    var result = [UInt8](repeating: 0, count: page.count)
    var size: Int32 = 0
    EVP_EncryptUpdate(context, &result, &size, page, Int32(page.count))
    return result
  }
}
