/// What a meta page of an LMDB file says, read from a copy of it.
///
/// Layout from LMDB 0.9, after the 16-byte page header: magic, data version, address, map size, the records of two
/// databases (free pages and main, see `TreeRecord`), last page, transaction.
struct MetaPage {
  /// How many bytes of the page are looked at.
  static let size = 16 + 136
  private static let magic: UInt32 = 0xBEEF_C0DE
  private static let dataVersion: UInt32 = 1
  private static let metaFlag: UInt16 = 8
  /// Of the free pages' database: keys are integers. The other bits are how LMDB was opened.
  private static let integerKeys: UInt16 = 8
  /// That the file is no folder, which LMDB notes and never asks for; and the same of how a map is synchronised.
  private static let environmentFlags: UInt16 = 0x4000

  /// A thousand commits a second take 8,900 years to get there.
  private static let latestVersion: UInt64 = 1 << 48

  let version: UInt64
  let lastPage: UInt64
  let freePages: TreeRecord
  let main: TreeRecord
  let isLMDB: Bool
  /// What can not be in a file that LMDB wrote on this machine; nil when all is well.
  let fault: String?

  /// - Parameter number: Which of the two meta pages it is.
  init(_ bytes: UnsafeRawBufferPointer, number: Int, pageSize: Int) {
    func load<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
      Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
    isLMDB = load(16, UInt32.self) == Self.magic
    freePages = TreeRecord(bytes.baseAddress! + 16 + 24)
    main = TreeRecord(bytes.baseAddress! + 16 + 24 + TreeRecord.size)
    lastPage = load(16 + 24 + 96, UInt64.self)
    version = load(16 + 24 + 104, UInt64.self)
    let isHeaderSound = load(0, UInt64.self) == UInt64(number) && load(10, UInt16.self) == Self.metaFlag
    if !isHeaderSound {
      fault = "the header of meta page \(number)"
    } else if load(20, UInt32.self) != Self.dataVersion {
      fault = "the data version of meta page \(number)"
    } else if load(16 + 24, UInt32.self) != UInt32(pageSize) {
      fault = "the page size of meta page \(number)"
    } else if freePages.flags & ~Self.environmentFlags != Self.integerKeys || main.flags != 0 {
      fault = "the flags of meta page \(number)"
    } else if version != 0 && version & 1 != UInt64(number) || version > Self.latestVersion {
      fault = "the version of meta page \(number)"
    } else if lastPage < 1 || lastPage > UInt64(Int.max) / UInt64(pageSize) / 2 {
      fault = "the last page of meta page \(number)"
    } else {
      fault = nil
    }
  }
}

/// What LMDB notes of one of its trees.
struct TreeRecord {
  static let size = 48
  static let noPage = UInt64.max

  let flags: UInt16
  let depth: Int
  let branchPages: UInt64
  let leafPages: UInt64
  let overflowPages: UInt64
  let entries: UInt64
  let root: UInt64

  init(_ bytes: UnsafeRawPointer) {
    func load<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
      Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
    flags = load(4, UInt16.self)
    depth = Int(load(6, UInt16.self))
    branchPages = load(8, UInt64.self)
    leafPages = load(16, UInt64.self)
    overflowPages = load(24, UInt64.self)
    entries = load(32, UInt64.self)
    root = load(40, UInt64.self)
  }
}
