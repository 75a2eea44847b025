/// The pages of the file that are no longer in use since an older version.
///
/// A version's `FreeList` has all pages that it no longer uses, and pages in use never change. An address on a page that
/// is on none of the lists since the older version therefore shows in the newer one what it showed in the older one. The
/// lists stay as long as a reader might need them; when one is missing nothing can be said.
struct ChangedPages {
  private let base: UInt
  private let size: UInt
  private let pageShift: UInt
  private let changed: [UInt64]

  /// nil when it cannot be found out, or too much has changed for it to matter.
  ///
  /// - Parameters:
  ///   - version: The older version, which is still in use.
  ///   - transaction: A read transaction that holds the newer version.
  init?(since version: UInt64, _ transaction: EntryTransaction, _ file: DatabaseFile) {
    let newest = transaction.version
    let environment = file.environment
    let pageSize = UInt(environment.pageSize)
    guard pageSize.nonzeroBitCount == 1, newest > version, newest - version <= 64 else {
      return nil
    }
    pageShift = UInt(pageSize.trailingZeroBitCount)
    base = UInt(bitPattern: file.checkedPlaces.map)
    let pageCount = environment.lastPage + 1
    size = UInt(pageCount) << pageShift
    var words = [UInt64](repeating: 0, count: pageCount / 64 + 1)
    guard let cursor = try? transaction.openCursor(EntryTree.freePages) else { return nil }
    defer { cursor.close() }
    for freeing in version + 1...newest {
      let entry = withUnsafeBytes(of: freeing) { try? cursor.entry(at: $0) }
      guard let entry, let list = FreeList(entry.value) else { return nil }
      for index in 0..<list.count {
        let page = list[index]
        if page >> 6 < UInt64(words.count) { words[Int(page >> 6)] |= 1 << (page & 63) }
      }
    }
    changed = words
  }

  /// Whether what is at an address in the map is the same in both versions; false for all other addresses.
  @inline(__always) func isUnchanged(_ address: UnsafeRawPointer) -> Bool {
    let offset = UInt(bitPattern: address) &- base
    if offset >= size { return false }
    let page = offset &>> pageShift
    return changed[Int(page &>> 6)] & (1 &<< UInt64(page & 63)) == 0
  }
}
