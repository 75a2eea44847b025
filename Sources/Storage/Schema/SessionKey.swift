/// The key of an entry of a sync session, in the main tree: `sync`, then kind, table and column with 4 bytes each, and a row
/// with 8, big-endian.
///
/// Such entries are written in the same transaction as the data, are encrypted as all values are, and are
/// part of every copy.
package struct SessionKey: Hashable, Comparable, Sendable {
  /// What an entry is about. Numbers below 16 belong to `Storage`, the others to the sync session.
  package struct Kind: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The state of the clock: see ``SyncClock``.
    package static let clock = Kind(rawValue: 0)
    /// The last version whose entry of the change log may be deleted, u64. Every writer honours it.
    package static let trimBound = Kind(rawValue: 1)
  }

  package var kind: Kind
  package var table: Int
  package var column: Int
  package var row: Int

  /// - Parameters:
  ///   - table: 0 for what concerns no table; column and row likewise.
  package init(_ kind: Kind, table: Int = 0, column: Int = 0, row: Int = 0) {
    self.kind = kind
    self.table = table
    self.column = column
    self.row = row
  }

  package static let clock = SessionKey(.clock)
  package static let trimBound = SessionKey(.trimBound)

  package static func < (first: SessionKey, second: SessionKey) -> Bool {
    (first.kind.rawValue, first.table, first.column, first.row)
      < (second.kind.rawValue, second.table, second.column, second.row)
  }
}

extension SessionKey {
  private static let name: UInt32 = 0x7379_6E63
  static let size = 24

  /// The key of the clock as it is stored, which every transaction of a user needs.
  static let clockBytes = clock.bytes

  /// The key as it is stored.
  var bytes: [UInt8] {
    var bytes = Self.prefix(kind)
    bytes.reserveCapacity(Self.size)
    for number in [UInt32(truncatingIfNeeded: table), UInt32(truncatingIfNeeded: column)] {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
    withUnsafeBytes(of: UInt64(truncatingIfNeeded: row).bigEndian) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// What the keys of all entries of a kind begin with.
  static func prefix(_ kind: Kind) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in [name, kind.rawValue] {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  /// The key that an entry of the main tree has; nil when the entry is not one of a sync session.
  init?(_ key: UnsafeRawBufferPointer) {
    guard key.count == Self.size, let start = key.baseAddress else { return nil }
    func number(_ offset: Int) -> UInt32 {
      UInt32(bigEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    guard number(0) == Self.name else { return nil }
    self.init(
      Kind(rawValue: number(4)), table: Int(number(8)), column: Int(number(12)),
      row: Int(
        truncatingIfNeeded: UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 16, as: UInt64.self)))
    )
  }
}
