extension Decimal128: Codable {
  /// Decodes a number from a single string, which ``init(string:)`` reads, or from a number.
  ///
  /// Numbers are decoded as `Int64` or, failing that, as `Double`; only strings keep 34 digits.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the value is neither.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let string = try? container.decode(String.self) {
      self.init(bits: BID128(text: string))
    } else if let integer = try? container.decode(Int64.self) {
      self.init(bits: BID128(integer))
    } else if let double = try? container.decode(Double.self) {
      self.init(bits: BID128(binary: double))
    } else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "Cannot convert value to Decimal128")
    }
  }

  /// Encodes the number as a single string, its ``stringValue``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}
