import CDecimal128
import LibC

// The one order of all values: null, bool, numbers, string, data, date, object id, UUID, link, list,
// dictionary. Numbers compare by value across int, float, double and decimal, NaN first; two lists, and two
// dictionaries, tie.
extension Value {
  private var rank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int, .float, .double, .decimal128: 2
    case .string: 3
    case .data: 4
    case .date: 5
    case .objectId: 6
    case .uuid: 7
    case .link: 8
    case .list: 9
    case .dictionary: 10
    }
  }

  /// Negative, zero or positive as the first value sorts before, with or after the second.
  @usableFromInline package static func order(_ a: Value, _ b: Value) -> Int {
    switch (a, b) {
    case (.int(let a), .int(let b)): return a < b ? -1 : a == b ? 0 : 1
    case (.double(let a), .double(let b)): return order(a, b)
    case (.float(let a), .float(let b)): return order(Double(a), Double(b))
    case (.float(let a), .double(let b)): return order(Double(a), b)
    case (.double(let a), .float(let b)): return order(a, Double(b))
    case (.string(let a), .string(let b)): return order(a, b)
    case (.data(let a), .data(let b)):
      return a.withUnsafeBytes { a in b.withUnsafeBytes { b in orderBytes(a, b) } }
    case (.bool(let a), .bool(let b)): return a == b ? 0 : a ? 1 : -1
    case (.date(let a), .date(let b)): return order(a, b)
    case (.objectId(let a), .objectId(let b)): return a < b ? -1 : a == b ? 0 : 1
    case (.uuid(let a), .uuid(let b)): return a < b ? -1 : a == b ? 0 : 1
    case (.link(let aTable, let aRow), .link(let bTable, let bRow)):
      return (aTable, aRow) < (bTable, bRow) ? -1 : aTable == bTable && aRow == bRow ? 0 : 1
    default:
      let (aRank, bRank) = (a.rank, b.rank)
      if aRank != bRank { return aRank < bRank ? -1 : 1 }
      if aRank != 2 { return 0 }
      return orderNumbers(a, b)
    }
  }

  private static func order(_ a: Double, _ b: Double) -> Int {
    if a < b { return -1 }
    if a > b { return 1 }
    if a == b { return 0 }
    return a.isNaN ? (b.isNaN ? 0 : -1) : 1
  }

  private static func order(_ a: String, _ b: String) -> Int {
    var (a, b) = (a, b)
    return a.withUTF8 { a in
      b.withUTF8 { b in orderBytes(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b)) }
    }
  }

  /// The order of byte strings: as of unsigned bytes, a prefix before what it begins.
  @usableFromInline package static func orderBytes(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer
  ) -> Int {
    let common = min(a.count, b.count)
    if common > 0 {
      let order = Int(memcmp(a.baseAddress!, b.baseAddress!, common))
      if order != 0 { return order }
    }
    return a.count - b.count
  }

  /// Numbers of different types. Int against double is exact, without the rounding of a conversion.
  private static func orderNumbers(_ a: Value, _ b: Value) -> Int {
    switch (a, b) {
    case (.int(let a), .double(let b)): return orderExactly(a, b)
    case (.int(let a), .float(let b)): return orderExactly(a, Double(b))
    case (.double(let a), .int(let b)): return -orderExactly(b, a)
    case (.float(let a), .int(let b)): return -orderExactly(b, Double(a))
    default:
      var flags: UInt32 = 0
      let (a, b) = (a.decimal, b.decimal)
      let (aIsNaN, bIsNaN) = (a.isNaN, b.isNaN)
      if aIsNaN || bIsNaN { return aIsNaN ? (bIsNaN ? 0 : -1) : 1 }
      if bid128_quiet_less(a, b, &flags) != 0 { return -1 }
      return bid128_quiet_equal(a, b, &flags) != 0 ? 0 : 1
    }
  }

  private static func orderExactly(_ a: Int64, _ b: Double) -> Int {
    if b.isNaN { return 1 }
    if b >= 0x1p63 { return -1 }
    if b < -0x1p63 { return 1 }
    let whole = Int64(b.rounded(.towardZero))
    if a != whole { return a < whole ? -1 : 1 }
    return order(0, b - Double(whole))
  }

  /// The number as a decimal; floating-point numbers by their shortest text.
  private var decimal: BID_UINT128 {
    switch self {
    case .int(let number): bid128_from_int64(number)
    case .decimal128(let fixed): BID_UINT128(fixed)
    case .float(let number): BID_UINT128(parsing: number.description)
    case .double(let number): BID_UINT128(parsing: number.description)
    default: bid128_from_int64(0)
    }
  }
}
