/// Integers: the types of primary keys that a file can number.
protocol NumberedKey {
  static var largestNumber: Int64 { get }
}

extension NumberedKey where Self: FixedWidthInteger {
  static var largestNumber: Int64 { Int64(clamping: max) }
}

extension Int: NumberedKey {}
extension Int8: NumberedKey {}
extension Int16: NumberedKey {}
extension Int32: NumberedKey {}
extension Int64: NumberedKey {}
extension Optional: NumberedKey where Wrapped: NumberedKey {
  static var largestNumber: Int64 { Wrapped.largestNumber }
}
