import CDecimal128
import Storage

extension BID_UINT128 {
  static var zero: BID_UINT128 { bid128_from_int64(0) }

  /// A number as a decimal, floating-point ones by their shortest text; nil for a value that is no number.
  init?(number value: Value) {
    switch value {
    case .int(let number): self = bid128_from_int64(number)
    case .decimal128(let fixed): self.init(fixed)
    case .float(let number): self.init(parsing: number.description)
    case .double(let number): self.init(parsing: number.description)
    default: return nil
    }
  }

  func adding(_ other: BID_UINT128) -> BID_UINT128 {
    var flags: UInt32 = 0
    return bid128_add(self, other, BID_ROUNDING_TO_NEAREST, &flags)
  }

  func divided(by count: Int) -> BID_UINT128 {
    var flags: UInt32 = 0
    return bid128_div(self, bid128_from_int64(Int64(count)), BID_ROUNDING_TO_NEAREST, &flags)
  }
}

extension Fixed16 {
  /// The sixteen bytes of a decimal as they lie in memory, low half first.
  init(_ decimal: BID_UINT128) {
    self.init(high: decimal.w.0.byteSwapped, low: decimal.w.1.byteSwapped)
  }
}
