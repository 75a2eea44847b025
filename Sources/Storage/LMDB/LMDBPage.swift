import LibC

/// A page of LMDB's file. Here, in `TreePage`, `MetaPage` and `FreeList` stands all that is known of their layout, which
/// is that of LMDB 0.9.
///
/// A page begins with a header of 16 bytes: its number (8), pad (2), kind (2), and either the bounds of its free space
/// (2, 2) or, for the first of a value's own pages, how many these are (4).
struct LMDBPage {
  /// LMDB makes its pages as large as the system's.
  static let size = Int(sysconf(Int32(_SC_PAGESIZE)))
  static let headerSize = 16

  enum Kind {
    static let branch: UInt16 = 1
    static let leaf: UInt16 = 2
    /// The first of the pages that a value has for itself.
    static let overflow: UInt16 = 4
    static let meta: UInt16 = 8
  }

  let base: UnsafeRawPointer

  var number: UInt64 { base.loadUnaligned(as: UInt64.self) }
  var kind: UInt16 { base.loadUnaligned(fromByteOffset: 10, as: UInt16.self) }
  var overflowCount: UInt32 { base.loadUnaligned(fromByteOffset: 12, as: UInt32.self) }

  /// How many pages a value needs, that has its own.
  static func overflowCount(valueSize: Int, pageSize: Int) -> Int {
    (headerSize - 1 + valueSize) / pageSize + 1
  }

  /// Where LMDB's map begins, found from any small value in it.
  static func map(known: UnsafeRawPointer, pageSize: Int) -> UnsafeRawPointer {
    // A page begins with its number.
    let page = LMDBPage(base: UnsafeRawPointer(bitPattern: UInt(bitPattern: known) & ~UInt(pageSize - 1))!)
    return UnsafeRawPointer(
      bitPattern: UInt(bitPattern: page.base) &- UInt(page.number) &* UInt(pageSize))!
  }
}

/// The numbers of pages that a version freed: their count, then the numbers, descending. LMDB never writes to a page that
/// a version in use shows: a commit copies the pages that it changes, and lists the old ones under its own number.
struct FreeList {
  private let bytes: UnsafeRawBufferPointer
  let count: Int

  /// Nil when the value is shorter than its list.
  init?(_ value: UnsafeRawBufferPointer) {
    guard value.count >= 8 else { return nil }
    let count = value.loadUnaligned(as: UInt64.self)
    // An empty list is one that LMDB has not bothered to delete.
    guard count <= UInt64(value.count / 8 - 1) else { return nil }
    bytes = value
    self.count = Int(count)
  }

  subscript(index: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: 8 + index * 8, as: UInt64.self) }
}
