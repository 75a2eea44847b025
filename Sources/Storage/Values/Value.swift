/// Twelve bytes of an object id, comparable as they lie.
@frozen public struct Fixed12: Sendable, Hashable {
  /// The first eight bytes, big-endian, and the last four.
  public var high: UInt64
  /// The last bytes of the value, as a number.
  public var low: UInt32

  /// The value of two numbers.
  @inlinable public init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// The value of bytes in the order of the file.
  @inlinable public init(_ bytes: UnsafeRawPointer) {
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
  }

  /// Writes the bytes in the order of the file.
  @inlinable public func store(to bytes: UnsafeMutableRawPointer) {
    bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
    bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt32.self)
  }
}

extension Fixed12: Comparable {
  /// Whether the first one has smaller bytes.
  @inlinable public static func < (a: Fixed12, b: Fixed12) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

/// Sixteen bytes of a UUID, or of a decimal in the order in which its library keeps them.
@frozen public struct Fixed16: Sendable, Hashable {
  /// The bytes as two big-endian numbers, the first eight first.
  public var high: UInt64
  /// The last bytes of the value, as a number.
  public var low: UInt64

  /// The value of two numbers.
  @inlinable public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The value of bytes in the order of the file.
  @inlinable public init(_ bytes: UnsafeRawPointer) {
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// Writes the bytes in the order of the file.
  @inlinable public func store(to bytes: UnsafeMutableRawPointer) {
    bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
    bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
  }
}

extension Fixed16: Comparable {
  /// Whether the first one has smaller bytes.
  @inlinable public static func < (a: Fixed16, b: Fixed16) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

/// Any value that a column can hold, for the paths where the type is known only at run time.
@frozen public enum Value: Sendable, Hashable {
  case null
  case int(Int64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case string(String)
  case data([UInt8])
  /// Seconds since the reference date of 2001.
  case date(Double)
  case objectId(Fixed12)
  case uuid(Fixed16)
  case decimal128(Fixed16)
  /// A row of a table.
  case link(table: Int, row: Int)
  case list([Value])
  /// Sorted by key.
  case dictionary([DictionaryEntry])

  /// An entry of a dictionary in a mixed value.
  @frozen public struct DictionaryEntry: Sendable, Hashable {
    /// The key.
    public var key: String
    /// The value.
    public var value: Value
    /// An entry with a key and a value.
    @inlinable public init(key: String, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// Whether it is null.
  @inlinable public var isNull: Bool { if case .null = self { true } else { false } }
}

extension Value {
  /// The type of the value; nil for null and collections.
  @inlinable package var type: ValueType? {
    switch self {
    case .null, .list, .dictionary: nil
    case .int: .int
    case .bool: .bool
    case .float: .float
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: .date
    case .objectId: .objectId
    case .uuid: .uuid
    case .decimal128: .decimal128
    case .link: .link
    }
  }
}
