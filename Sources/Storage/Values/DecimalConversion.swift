import CDecimal128
import LibC

extension BID_UINT128 {
  /// The decimal in sixteen bytes as they lie in memory, low half first.
  package init(_ fixed: Fixed16) {
    self.init(w: (fixed.high.byteSwapped, fixed.low.byteSwapped))
  }

  /// The decimal that a text denotes, rounded to 34 digits; NaN for other texts.
  package init(parsing text: String) {
    var flags: UInt32 = 0
    var characters = text.utf8CString.map { $0 }
    self = bid128_from_string(&characters, BID_ROUNDING_TO_NEAREST, &flags)
  }

  package var isNaN: Bool { w.1 & 0x7C00_0000_0000_0000 == 0x7C00_0000_0000_0000 }

  /// Sign, coefficient and exponent: "+1234E-2", "-0E+0", "+Inf", "+NaN".
  package var text: String {
    withText { String(cString: $0) }
  }

  /// The nearest `Double`, ties to even; a NaN for each NaN.
  ///
  /// The library's own conversion lies in one object file with those of all its formats, whose tables would add two megabytes
  /// to every program.
  package var doubleValue: Double {
    if let number = shortDoubleValue { return number }
    return isNaN ? .nan : withText { strtod($0, nil) }
  }

  /// The number if it is an integer up to 2⁵³ times or divided by a power of ten that a `Double` holds exactly, so that one
  /// operation rounds once.
  private var shortDoubleValue: Double? {
    let isSpecial = w.1 >> 61 & 3 == 3
    let exponent = Int(w.1 >> 49 & 0x3FFF) - 6176
    guard !isSpecial, w.1 << 15 == 0, w.0 <= 1 << 53, -22...22 ~= exponent else { return nil }
    let coefficient = Double(w.0)
    let power = Self.powersOfTen[abs(exponent)]
    let magnitude = exponent < 0 ? coefficient / power : coefficient * power
    return w.1 >> 63 == 0 ? magnitude : -magnitude
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21,
    1e22,
  ]

  private func withText<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      var flags: UInt32 = 0
      bid128_to_string(buffer.baseAddress!, self, &flags)
      return body(buffer.baseAddress!)
    }
  }
}

extension Fixed16 {
  /// The text of the decimal in these bytes: sign, coefficient and exponent.
  package var decimalText: String { BID_UINT128(self).text }

  /// Creates the bytes of the decimal that a text denotes, rounded to 34 digits; nil for other texts.
  package init?(decimalText text: String) {
    let decimal = BID_UINT128(parsing: text)
    if decimal.isNaN && !text.lowercased().hasSuffix("nan") { return nil }
    self.init(high: decimal.w.0.byteSwapped, low: decimal.w.1.byteSwapped)
  }
}
