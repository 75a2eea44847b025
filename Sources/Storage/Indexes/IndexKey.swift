import Glibc

/// A key of an index. Null sorts before integers, and integers before bytes.
public enum IndexKey: Hashable, Sendable {
  case null
  case integer(UInt64)
  case bytes([UInt8])

  /// A key that keeps the order of signed integers.
  public init(_ value: Int64) { self = .integer(IndexKey.ordered(value)) }
  /// A key that keeps the order of numbers: NaN first, both zeros alike.
  public init(_ value: Double) { self = .integer(IndexKey.ordered(value)) }
  /// The same key as the number has as a `Double`.
  public init(_ value: Float) { self.init(Double(value)) }
  /// False before true.
  public init(_ value: Bool) { self = .integer(value ? 1 : 0) }
  /// The row that a backlink's link points to.
  public init(row: Int) { self = .integer(UInt64(row)) }
  /// The string's UTF-8.
  public init(_ value: String) { self = .bytes(Array(value.utf8)) }

  public init(_ value: Fixed12) {
    self = .bytes(
      Array(unsafeUninitializedCapacity: 12) { buffer, count in
        value.store(to: UnsafeMutableRawPointer(buffer.baseAddress!))
        count = 12
      })
  }

  /// The sixteen bytes, in whose order UUIDs sort. Decimals need an encoding of their own.
  public init(_ value: Fixed16) {
    self = .bytes(
      Array(unsafeUninitializedCapacity: 16) { buffer, count in
        value.store(to: UnsafeMutableRawPointer(buffer.baseAddress!))
        count = 16
      })
  }

  /// The unsigned number that sorts among others as the signed ones do.
  @inlinable public static func ordered(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ 1 &<< 63 }

  /// The unsigned number that sorts among others as the floating-point ones do: NaN first, both zeros alike.
  @inlinable public static func ordered(_ value: Double) -> UInt64 {
    if value.isNaN { return 0 }
    let bits = (value + 0).bitPattern  // adding 0 turns -0 into 0
    return bits >> 63 == 0 ? bits | 1 &<< 63 : ~bits
  }

  var kind: IndexKeyKind {
    switch self {
    case .null: .null
    case .integer: .integer
    case .bytes: .bytes
    }
  }
}

extension IndexKey: Comparable {
  public static func < (a: IndexKey, b: IndexKey) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): return a < b
    case (.bytes(let a), .bytes(let b)):
      let order = memcmp(a, b, min(a.count, b.count))
      return order == 0 ? a.count < b.count : order < 0
    default: return a.kind.rawValue < b.kind.rawValue
    }
  }
}

/// A range of keys.
///
/// A range that is unbounded below contains nulls: ``notNull`` and ranges after ``IndexKey/null`` do not.
public struct IndexRange: Hashable, Sendable {
  public var lower: IndexKey?
  public var upper: IndexKey?
  /// Whether keys that equal `lower` belong to the range.
  public var includesLower: Bool
  /// Whether keys that equal `upper` belong to the range.
  public var includesUpper: Bool

  public init(from lower: IndexKey?, through upper: IndexKey?) {
    self.init(lower, true, upper, true)
  }
  public init(from lower: IndexKey?, upTo upper: IndexKey?) { self.init(lower, true, upper, false) }
  public init(after lower: IndexKey, through upper: IndexKey?) { self.init(lower, false, upper, true) }
  public init(after lower: IndexKey, upTo upper: IndexKey?) { self.init(lower, false, upper, false) }

  private init(_ lower: IndexKey?, _ includesLower: Bool, _ upper: IndexKey?, _ includesUpper: Bool) {
    self.lower = lower
    self.upper = upper
    self.includesLower = includesLower
    self.includesUpper = includesUpper
  }

  public static let all = IndexRange(from: nil, through: nil)
  public static let notNull = IndexRange(after: .null, through: nil)
  public static func equal(to key: IndexKey) -> IndexRange { IndexRange(from: key, through: key) }

  /// The byte keys that begin with these bytes.
  public static func prefix(_ bytes: [UInt8]) -> IndexRange {
    var end = bytes
    while end.last == 0xFF { end.removeLast() }
    guard let last = end.last else { return IndexRange(from: .bytes(bytes), through: nil) }
    end[end.count - 1] = last + 1
    return IndexRange(from: .bytes(bytes), upTo: .bytes(end))
  }

  /// Whether no key can be in the range.
  public var isEmpty: Bool {
    guard let lower, let upper else { return false }
    return lower > upper || lower == upper && !(includesLower && includesUpper)
  }
}
