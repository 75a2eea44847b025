import Glibc

/// Finds out which pages of an LMDB file its newest version uses, by reading the file rather than mapping it.
///
/// LMDB does not write pages that a transaction took from the end of the file and gave back at once, so the file may
/// be shorter than its last page number says and yet be whole. Only a walk over the pages tells such a file from a
/// truncated one. Layout from LMDB 0.9: a 16-byte page header (page number, pad, flags, and either the bounds of the
/// free space or the number of overflow pages), then 2-byte node offsets; a node is two halves of a size, flags, key
/// size, key, data.
struct PageWalk {
  private let descriptor: Int32
  private let pageSize: Int
  private let pageCount: Int

  private enum PageFlags {
    static let branch: UInt16 = 1
    static let leaf: UInt16 = 2
  }

  private enum NodeFlags {
    static let bigData: UInt16 = 1
    static let subDatabase: UInt16 = 2
  }

  private static let pageHeaderSize = 16
  private static let nodeHeaderSize = 8
  /// Where a database record has the number of its root page.
  private static let rootOffset = 40
  private static let noPage = UInt64.max
  /// No tree of 2^48 pages is deeper.
  private static let deepest = 32

  init(descriptor: Int32, pageSize: Int, fileSize: Int) {
    self.descriptor = descriptor
    self.pageSize = pageSize
    pageCount = fileSize / pageSize
  }

  /// Whether every page that the databases of a meta page reach is in the file.
  func isComplete(roots: [UInt64]) -> Bool {
    roots.allSatisfy { isComplete(page: $0, depth: 0) }
  }

  private func isComplete(page number: UInt64, depth: Int) -> Bool {
    if number == Self.noPage { return true }
    guard depth < Self.deepest, number < UInt64(pageCount) else { return false }
    var bytes = [UInt8](repeating: 0, count: pageSize)
    guard pread(descriptor, &bytes, pageSize, off_t(Int(number) * pageSize)) == pageSize else { return false }
    return bytes.withUnsafeBytes { page in
      guard page.loadUnaligned(as: UInt64.self) == number else { return false }
      let flags = page.loadUnaligned(fromByteOffset: 10, as: UInt16.self)
      let lower = Int(page.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
      guard flags & (PageFlags.branch | PageFlags.leaf) != 0, lower >= Self.pageHeaderSize, lower <= pageSize
      else { return false }
      return stride(from: Self.pageHeaderSize, to: lower, by: 2).allSatisfy { place in
        let node = Int(page.loadUnaligned(fromByteOffset: place, as: UInt16.self))
        guard node + Self.nodeHeaderSize <= pageSize else { return false }
        return isComplete(page, node: node, isBranch: flags & PageFlags.branch != 0, depth: depth)
      }
    }
  }

  private func isComplete(_ page: UnsafeRawBufferPointer, node: Int, isBranch: Bool, depth: Int) -> Bool {
    let low = UInt64(page.loadUnaligned(fromByteOffset: node, as: UInt16.self))
    let high = UInt64(page.loadUnaligned(fromByteOffset: node + 2, as: UInt16.self))
    let flags = page.loadUnaligned(fromByteOffset: node + 4, as: UInt16.self)
    if isBranch { return isComplete(page: low | high << 16 | UInt64(flags) << 32, depth: depth + 1) }
    let keySize = Int(page.loadUnaligned(fromByteOffset: node + 6, as: UInt16.self))
    let data = node + Self.nodeHeaderSize + keySize
    if flags & NodeFlags.bigData != 0 {
      guard data + 8 <= pageSize else { return false }
      let first = page.loadUnaligned(fromByteOffset: data, as: UInt64.self)
      let pages = (Self.pageHeaderSize - 1 + Int(low | high << 16)) / pageSize + 1
      return first < UInt64(pageCount) && first + UInt64(pages) <= UInt64(pageCount)
    }
    if flags & NodeFlags.subDatabase != 0 {
      guard data + Self.rootOffset + 8 <= pageSize else { return false }
      return isComplete(
        page: page.loadUnaligned(fromByteOffset: data + Self.rootOffset, as: UInt64.self), depth: depth + 1)
    }
    return true
  }
}
