// The keys of the file's entries: big-endian numbers, so that entries lie in the order of their numbers.

/// A key whose memory is its stored form: big-endian numbers without padding between them.
protocol StorageKey {
  /// The number of bytes.
  static var size: Int { get }
}

extension StorageKey {
  @inline(__always)
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    assert(MemoryLayout<Self>.size == Self.size)
    return try withUnsafePointer(to: self) { (pointer) throws(Failure) in try body(UnsafeRawPointer(pointer))
    }
  }
}

/// (table, column, chunk); column 0 is the presence bitmap, others are one higher than in the catalogue.
struct ColumnKey: StorageKey {
  static let size = 12
  private var table: UInt32
  private var column: UInt32
  private var chunk: UInt32

  init(table: Int, column: Int, chunk: Int) {
    self.table = UInt32(truncatingIfNeeded: table).bigEndian
    self.column = UInt32(truncatingIfNeeded: column + 1).bigEndian
    self.chunk = UInt32(truncatingIfNeeded: chunk).bigEndian
  }
}

extension ColumnKey {
  /// What a key names, with the numbers of the catalogue.
  struct Place {
    let table: Int
    let column: Int
    let chunk: Int

    /// Nil for keys of another form.
    init?(_ key: UnsafeRawBufferPointer) {
      guard key.count == ColumnKey.size, let bytes = key.baseAddress else { return nil }
      func number(_ offset: Int) -> Int {
        Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      }
      table = number(0)
      column = number(4) - 1
      chunk = number(8)
    }
  }
}

/// (table, column, row) of a value outside its chunk.
struct ValueKey: StorageKey {
  static let size = 16
  private var table: UInt32
  private var column: UInt32
  private var row: UInt64

  init(table: Int, column: Int, row: Int) {
    self.table = UInt32(truncatingIfNeeded: table).bigEndian
    self.column = UInt32(truncatingIfNeeded: column + 1).bigEndian
    self.row = UInt64(truncatingIfNeeded: row).bigEndian
  }
}

/// (table, column, row, family and segment) of a part of a collection.
struct SegmentKey: StorageKey {
  static let size = 24
  private var table: UInt32
  private var column: UInt32
  private var row: UInt64
  private var family: UInt32
  private var bigEndianSegment: UInt32

  var segment: Int { Int(UInt32(bigEndian: bigEndianSegment)) }

  init(_ collection: CollectionKey, _ family: CollectionFamily, _ segment: Int) {
    table = UInt32(truncatingIfNeeded: collection.table).bigEndian
    column = UInt32(truncatingIfNeeded: collection.column + 1).bigEndian
    row = UInt64(truncatingIfNeeded: collection.row).bigEndian
    self.family = UInt32(family.rawValue).bigEndian
    bigEndianSegment = UInt32(truncatingIfNeeded: segment).bigEndian
  }

  /// Calls a body with the beginning that the keys of all segments of the collection and family share.
  func withPrefix<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withBytes { body(UnsafeRawBufferPointer(start: $0, count: Self.size - 4)) }
  }

  /// The segment that a stored key names; nil for keys of another form.
  static func segment(of key: UnsafeRawBufferPointer) -> Int? {
    guard key.count == size else { return nil }
    return Int(UInt32(bigEndian: key.loadUnaligned(fromByteOffset: size - 4, as: UInt32.self)))
  }
}

/// `log` and a version, of what a commit changed; and a number from 1 on for each further part of it, the highest one
/// for entries of this and earlier versions that were put together.
struct LogKey {
  static let block = UInt32.max
  private static let name: UInt32 = 0x6C6F_6700
  // Two halves, so that the key has no padding.
  private var prefix = Self.name.bigEndian
  private var high: UInt32
  private var low: UInt32
  private var part: UInt32

  init(_ version: UInt64, part: UInt32 = 0) {
    high = UInt32(truncatingIfNeeded: version >> 32).bigEndian
    low = UInt32(truncatingIfNeeded: version).bigEndian
    self.part = part.bigEndian
  }

  @inline(__always)
  func withBytes<Result, Failure: Error>(
    _ body: (_ key: UnsafeRawPointer, _ size: Int) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafePointer(to: self) { (pointer) throws(Failure) in
      try body(UnsafeRawPointer(pointer), part == 0 ? 12 : 16)
    }
  }

  /// The version in a key of the main tree; nil when it is another entry's.
  static func version(_ key: UnsafeRawBufferPointer) -> UInt64? {
    guard key.count == 12 || key.count == 16, let bytes = key.baseAddress,
      UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)) == name
    else { return nil }
    return UInt64(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))) << 32
      | UInt64(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
  }
}

extension LogKey {
  /// Whether a key of the log is that of entries that were put together.
  static func isBlock(_ key: UnsafeRawBufferPointer) -> Bool {
    key.count == 16 && key.loadUnaligned(fromByteOffset: 12, as: UInt32.self) == block
  }
}

/// One row's collection in a column.
@usableFromInline
package struct CollectionKey: Hashable, Comparable, Sendable {
  @usableFromInline package var table: Int
  @usableFromInline package var column: Int
  @usableFromInline package var row: Int

  @inlinable package init(table: Int, column: Int, row: Int) {
    self.table = table
    self.column = column
    self.row = row
  }

  @inlinable package static func < (first: CollectionKey, second: CollectionKey) -> Bool {
    (first.table, first.column, first.row) < (second.table, second.column, second.row)
  }
}

/// The parallel sequences that a collection consists of.
@usableFromInline
package enum CollectionFamily: UInt8, Sendable {
  case values = 0
  /// The keys of a map.
  case keys = 1
}
