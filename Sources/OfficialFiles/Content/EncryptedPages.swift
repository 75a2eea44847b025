import CCrypto
import LibC

/// The pages of an encrypted file.
///
/// ```
/// | T0 | D0 D1 … D63 | T1 | D64 … D127 | T2 | …      pages of 4,096 bytes
/// ```
///
/// A table page has a slot of 64 bytes for each of the 64 data pages behind it: counter and HMAC-SHA-224 of the last write,
/// then both of the write before. The authentication covers the second half of the key only: with a wrong first half
/// all pages pass and are noise, which the mark in page 0 tells.
struct EncryptedPages {
  static let keySize = 64
  private static let page = 4_096
  private static let pagesOfGroup = 64
  private static let slotSize = 64
  private static let macSize = 28

  private let file: OpenFile
  private let cipher: PageCipher
  private let pageCount: Int

  /// What an encrypted file looks like from outside: counters that begin with 1 and authentications where there are pages,
  /// nothing where there are none.
  static func mayBe(_ file: OpenFile) -> Bool {
    guard file.size >= 2 * page, file.size % page == 0 else { return false }
    var table = [UInt8](repeating: 0, count: page)
    let isRead = table.withUnsafeMutableBytes { (try? file.read(at: 0, into: $0)) != nil }
    guard isRead else { return false }
    let pages = min(file.size / page - 1, pagesOfGroup)
    return table.withUnsafeBytes { table in
      let first = Slot(table, 0)
      return first.isUsed && first.counter < 1 << 24 && first.counterBefore < first.counter
        && first.mac.contains { $0 != 0 } && table[(pages * slotSize)...].allSatisfy { $0 == 0 }
    }
  }

  init(_ file: OpenFile, key: [UInt8]) throws(OfficialFileError) {
    guard key.count == Self.keySize, file.size >= 2 * Self.page, let cipher = PageCipher(key: key) else {
      throw file.error(.wrongKey)
    }
    self.file = file
    self.cipher = cipher
    let pages = file.size / Self.page
    pageCount = pages - (pages + Self.pagesOfGroup) / (Self.pagesOfGroup + 1)
  }

  /// Reads and decrypts all pages.
  ///
  /// - Parameter isSalvaging: Whether a damaged page counts as one that was never written.
  func content(isSalvaging: Bool = false) throws(OfficialFileError) -> FileContent {
    let memory = try FileContent.allocate(pageCount * Self.page, file)
    let content = FileContent(mapped: UnsafeRawBufferPointer(memory), source: file)
    let group = UnsafeMutableRawBufferPointer.allocate(
      byteCount: (Self.pagesOfGroup + 1) * Self.page, alignment: 16)
    defer { group.deallocate() }
    var empty: Set<Int> = []
    for first in stride(from: 0, to: pageCount, by: Self.pagesOfGroup) {
      let count = min(Self.pagesOfGroup, pageCount - first)
      let source = UnsafeMutableRawBufferPointer(rebasing: group[..<((count + 1) * Self.page)])
      try file.read(at: first / Self.pagesOfGroup * group.count, into: source)
      for number in 0..<count {
        let target = memory.baseAddress! + (first + number) * Self.page
        do throws(OfficialFileError) {
          if try decrypt(UnsafeRawBufferPointer(source), number, first + number, to: target) { continue }
        } catch {
          guard isSalvaging, case .damaged = error.reason else { throw error }
        }
        empty.insert(first + number)
      }
    }
    // An empty first page, or one without the mark, means that the key is another one.
    if empty.contains(0) || !FileHeader.hasMark(content.bytes) { throw file.error(.wrongKey) }
    content.emptyPages = empty
    return content
  }

  /// False for a page that holds nothing.
  private func decrypt(
    _ group: UnsafeRawBufferPointer, _ number: Int, _ page: Int, to target: UnsafeMutableRawPointer
  ) throws(OfficialFileError) -> Bool {
    let slot = Slot(group, number * Self.slotSize)
    if !slot.isUsed { return false }
    let start = (number + 1) * Self.page
    let source = UnsafeRawBufferPointer(rebasing: group[start..<(start + Self.page)])
    let counter: UInt32
    if cipher.authenticates(source, slot.mac) {
      counter = slot.counter
    } else if slot.counterBefore == 0 {
      // The first write did not arrive.
      return false
    } else if cipher.authenticates(source, slot.macBefore) {
      // The last write did not arrive.
      counter = slot.counterBefore
    } else if source.allSatisfy({ $0 == 0 }) {
      // The file was cut here, and has grown again.
      return false
    } else if page == 0 {
      throw file.error(.wrongKey)
    } else {
      let damage = OfficialFileError.Damaged(
        what: "page \(page) is not what was written there, or the encryption key is wrong",
        offset: page * Self.page)
      throw file.error(.damaged(damage))
    }
    cipher.decrypt(source, counter: counter, offset: UInt64(page * Self.page), to: target)
    return true
  }

  private struct Slot {
    let counter: UInt32
    let mac: UnsafeRawBufferPointer
    let counterBefore: UInt32
    let macBefore: UnsafeRawBufferPointer

    init(_ table: UnsafeRawBufferPointer, _ offset: Int) {
      counter = UInt32(littleEndian: table.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      mac = UnsafeRawBufferPointer(rebasing: table[(offset + 4)..<(offset + 4 + macSize)])
      counterBefore = UInt32(littleEndian: table.loadUnaligned(fromByteOffset: offset + 32, as: UInt32.self))
      macBefore = UnsafeRawBufferPointer(rebasing: table[(offset + 36)..<(offset + 36 + macSize)])
    }

    var isUsed: Bool { counter != 0 }
  }
}

/// AES-256-CBC and HMAC-SHA-224 with the two halves of a key.
private final class PageCipher {
  private let context: OpaquePointer
  private var key: [UInt8]

  init?(key: [UInt8]) {
    openrealm_prepare_crypto()
    guard let context = EVP_CIPHER_CTX_new() else { return nil }
    self.context = context
    self.key = key
    guard EVP_DecryptInit_ex(context, EVP_aes_256_cbc(), nil, key, nil) == 1,
      EVP_CIPHER_CTX_set_padding(context, 0) == 1
    else { return nil }
  }

  deinit {
    EVP_CIPHER_CTX_free(context)
    key.withUnsafeMutableBytes { explicit_bzero($0.baseAddress!, $0.count) }
  }

  /// Takes the same time whatever the answer.
  func authenticates(_ page: UnsafeRawBufferPointer, _ mac: UnsafeRawBufferPointer) -> Bool {
    var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var size: UInt32 = 0
    let isMade = key.withUnsafeBytes { key in
      HMAC(
        EVP_sha224(), key.baseAddress! + 32, 32, page.bindMemory(to: UInt8.self).baseAddress!, page.count,
        &result,
        &size) != nil
    }
    return isMade && Int(size) == mac.count && CRYPTO_memcmp(result, mac.baseAddress!, mac.count) == 0
  }

  func decrypt(
    _ page: UnsafeRawBufferPointer, counter: UInt32, offset: UInt64, to target: UnsafeMutableRawPointer
  ) {
    var vector = [UInt8](repeating: 0, count: 16)
    vector.withUnsafeMutableBytes {
      $0.storeBytes(of: counter.littleEndian, as: UInt32.self)
      $0.storeBytes(of: offset.littleEndian, toByteOffset: 4, as: UInt64.self)
    }
    var size: Int32 = 0
    let isDone =
      EVP_DecryptInit_ex(context, nil, nil, nil, vector) == 1
      && EVP_DecryptUpdate(
        context, target.assumingMemoryBound(to: UInt8.self), &size,
        page.bindMemory(to: UInt8.self).baseAddress!, Int32(page.count)) == 1
    // With whole pages and without padding there is nothing that could fail.
    precondition(isDone && Int(size) == page.count)
  }
}
