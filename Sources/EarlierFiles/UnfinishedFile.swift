import LibC

/// A file whose creation failed, because the disk was full, the process died or the system failed. No transaction was ever committed.
///
/// Only a small file is one whose meta pages say that nothing was ever written, as far as they exist.
enum UnfinishedFile {
  /// The first commit wrote fewer pages than this.
  private static let pageLimit = 64

  static func isOne(_ descriptor: Int32) -> Bool {
    let pageSize = RecoveredFile.systemPageSize
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { return false }
    let size = Int(information.st_size)
    guard size >= PageHeader.size + MetaPage.size, size <= pageLimit * pageSize else { return false }
    var content = [UInt8](repeating: 0, count: size)
    guard pread(descriptor, &content, size, 0) == size else { return false }
    var hasInitial = false
    for page in 0..<2 {
      let start = min(page * pageSize, size)
      let bytes = content[start..<min(start + pageSize, size)]
      if bytes.allSatisfy({ $0 == 0 }) { continue }
      guard isInitial(Array(bytes), number: page) else { return false }
      hasInitial = true
    }
    return hasInitial
  }

  private static func isInitial(_ page: [UInt8], number: Int) -> Bool {
    guard page.count >= PageHeader.size + MetaPage.size else { return false }
    return page.withUnsafeBytes { bytes in
      let header = PageHeader(base: bytes.baseAddress!)
      return header.number == UInt64(number) && header.kind == PageHeader.Kind.meta
        && MetaPage(bytes.baseAddress! + PageHeader.size).isInitial
    }
  }
}
