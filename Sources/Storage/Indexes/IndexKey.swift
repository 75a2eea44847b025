import LibC

/// A key of an index. Null sorts before integers, and integers before bytes.
package enum IndexKey: Hashable, Sendable {
  case null
  case integer(UInt64)
  case bytes([UInt8])

  /// A key that keeps the order of signed integers.
  package init(_ value: Int64) { self = .integer(IndexKey.ordered(value)) }
  /// A key that keeps the order of numbers: NaN first, both zeros alike.
  package init(_ value: Double) { self = .integer(IndexKey.ordered(value)) }
  /// Creates the key that the number has as a `Double`.
  package init(_ value: Float) { self.init(Double(value)) }
  /// False before true.
  package init(_ value: Bool) { self = .integer(value ? 1 : 0) }
  /// The row that a backlink's link points to.
  package init(row: Int) { self = .integer(UInt64(row)) }
  /// The string's UTF-8.
  package init(_ value: String) { self = .bytes(Array(value.utf8)) }

  package init(_ value: Fixed12) {
    self = .bytes(
      Array(unsafeUninitializedCapacity: 12) { buffer, count in
        value.store(to: UnsafeMutableRawPointer(buffer.baseAddress!))
        count = 12
      })
  }

  /// The sixteen bytes, in whose order UUIDs sort. Decimals need an encoding of their own.
  package init(_ value: Fixed16) {
    self = .bytes(
      Array(unsafeUninitializedCapacity: 16) { buffer, count in
        value.store(to: UnsafeMutableRawPointer(buffer.baseAddress!))
        count = 16
      })
  }

  /// The unsigned number that sorts among others as the signed ones do.
  @inlinable package static func ordered(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ 1 &<< 63 }

  /// The unsigned number that sorts among others as the floating-point ones do: NaN first, both zeros alike.
  @inlinable package static func ordered(_ value: Double) -> UInt64 {
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
  package static func < (a: IndexKey, b: IndexKey) -> Bool {
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
package struct IndexRange: Hashable, Sendable {
  package var lower: IndexKey?
  package var upper: IndexKey?
  /// Whether keys that equal `lower` belong to the range.
  package var includesLower: Bool
  /// Whether keys that equal `upper` belong to the range.
  package var includesUpper: Bool

  package init(from lower: IndexKey?, through upper: IndexKey?) {
    self.init(lower, true, upper, true)
  }
  package init(from lower: IndexKey?, upTo upper: IndexKey?) { self.init(lower, true, upper, false) }
  package init(after lower: IndexKey, through upper: IndexKey?) { self.init(lower, false, upper, true) }
  package init(after lower: IndexKey, upTo upper: IndexKey?) { self.init(lower, false, upper, false) }

  private init(_ lower: IndexKey?, _ includesLower: Bool, _ upper: IndexKey?, _ includesUpper: Bool) {
    self.lower = lower
    self.upper = upper
    self.includesLower = includesLower
    self.includesUpper = includesUpper
  }

  package static let all = IndexRange(from: nil, through: nil)
  package static let notNull = IndexRange(after: .null, through: nil)
  package static func equal(to key: IndexKey) -> IndexRange { IndexRange(from: key, through: key) }

  /// The byte keys that begin with these bytes.
  package static func prefix(_ bytes: [UInt8]) -> IndexRange {
    var end = bytes
    while end.last == 0xFF { end.removeLast() }
    guard let last = end.last else { return IndexRange(from: .bytes(bytes), through: nil) }
    end[end.count - 1] = last + 1
    return IndexRange(from: .bytes(bytes), upTo: .bytes(end))
  }

  /// Whether no key can be in the range.
  package var isEmpty: Bool {
    guard let lower, let upper else { return false }
    return lower > upper || lower == upper && !(includesLower && includesUpper)
  }
}

extension IndexKey {
  /// The key under which a value is found. Decimals have none.
  package init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .int(let number): self.init(number)
    case .bool(let flag): self.init(flag)
    case .float(let number): self.init(number)
    case .double(let number), .date(let number): self.init(number)
    case .string(let string): self.init(string)
    case .data(let data): self = .bytes(data)
    case .objectId(let id): self.init(id)
    case .uuid(let uuid), .decimal128(let uuid): self.init(uuid)
    case .link(_, let row): self.init(row: row)
    case .list, .dictionary: self = .bytes(value.mixedBytes)
    }
  }
}
