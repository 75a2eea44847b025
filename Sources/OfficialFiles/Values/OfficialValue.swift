/// A value as an official file has it. Bytes in it are valid as long as the file is.
package enum OfficialValue {
  case null
  case int(Int64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case string(OfficialBytes)
  case data(OfficialBytes)
  /// Since 1970; both parts have the same sign.
  case date(seconds: Int64, nanoseconds: Int32)
  /// IEEE 754-2008 with a binary coefficient, as 128 bits.
  case decimal(high: UInt64, low: UInt64)
  /// 12 bytes.
  case objectId(OfficialBytes)
  /// 16 bytes.
  case uuid(OfficialBytes)
  /// An object of one of the file's tables. In a sound file it is there.
  case link(table: Int, key: Int64)
  /// A list, set or dictionary.
  case collection(OfficialCollection)

  package var isNull: Bool { if case .null = self { true } else { false } }
}

extension OfficialValue {
  init(floatBits bits: UInt64) { self = .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) }
  init(doubleBits bits: UInt64) { self = .double(Double(bitPattern: bits)) }
  init(_ timestamp: Timestamp) {
    self = .date(seconds: timestamp.seconds, nanoseconds: timestamp.nanoseconds)
  }
  init(_ decimal: DecimalBits) { self = .decimal(high: decimal.high, low: decimal.low) }
}

/// The type of a property's values.
package enum OfficialType: Hashable, Sendable {
  case int
  case bool
  case string
  case data
  case mixed
  case date
  case float
  case double
  case decimal
  case link
  case objectId
  case uuid
}

package enum OfficialCollectionType: Hashable, Sendable {
  case list
  case set
  case dictionary
}
