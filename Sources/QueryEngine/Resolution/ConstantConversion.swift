import CDecimal128
import Storage

/// Turns constants into values of a column's type.
enum ConstantConversion {
  /// The constant as a value of the type, or nil when it does not fit. Null fits every type.
  static func convert(_ value: Value, to type: ValueType) -> Value? {
    if value.isNull { return value }
    switch (type, value) {
    case (.mixed, _): return value
    case (.int, .int), (.bool, .bool), (.string, .string), (.data, .data), (.date, .date), (.float, .float),
      (.double, .double), (.link, .link), (.objectId, .objectId), (.decimal128, .decimal128), (.uuid, .uuid):
      return value
    case (.int, .bool(let flag)): return .int(flag ? 1 : 0)
    case (.bool, .int(let number)): return number == 0 ? .bool(false) : number == 1 ? .bool(true) : nil
    case (.float, .int(let number)): return .float(Float(number))
    case (.float, .double(let number)):
      // Only infinities may become infinite.
      let isInRange = !number.isFinite || abs(number) <= Double(Float.greatestFiniteMagnitude)
      return isInRange ? .float(Float(number)) : nil
    case (.double, .int(let number)): return .double(Double(number))
    case (.double, .float(let number)): return .double(Double(number))
    case (.decimal128, .int), (.decimal128, .float), (.decimal128, .double):
      return BID_UINT128(number: value).map { .decimal128(Fixed16($0)) }
    case (.decimal128, .string(let text)):
      let decimal = BID_UINT128(parsing: text)
      return decimal.isNaN && text.lowercased() != "nan" ? nil : .decimal128(Fixed16(decimal))
    case (.uuid, .string(let text)): return Fixed16(uuid: text).map(Value.uuid)
    default: return nil
    }
  }

  /// The constant as it is shown in messages.
  static func describe(_ value: Value) -> (text: String, type: String) {
    switch value {
    case .null: ("<null>", "null")
    case .int(let number): ("\(number)", "Int")
    case .bool(let flag): ("\(flag)", "Bool")
    case .float(let number): ("\(number)", "Float")
    case .double(let number): ("\(number)", "Double")
    case .string(let text): (text, "String")
    case .data(let bytes): ("\(bytes.count) bytes", "Data")
    case .date(let seconds): ("\(seconds)", "Date")
    case .objectId(let id): (id.hexadecimal, "ObjectId")
    case .uuid(let uuid): (uuid.uuidText, "UUID")
    case .decimal128(let decimal): (BID_UINT128(decimal).text, "Decimal128")
    case .link(_, let row): ("row \(row)", "Object")
    case .list(let elements):
      ("(" + elements.map { describe($0).text }.joined(separator: ", ") + ")", "Array")
    case .dictionary(let entries):
      (
        "{" + entries.map { "\($0.key) = \(describe($0.value).text)" }.joined(separator: "; ") + "}",
        "Dictionary"
      )
    }
  }
}

extension Fixed12 {
  var hexadecimal: String {
    let high = String(self.high, radix: 16)
    let low = String(self.low, radix: 16)
    return String(repeating: "0", count: 16 - high.count) + high
      + String(repeating: "0", count: 8 - low.count) + low
  }
}

extension Fixed16 {
  /// The bytes of a UUID from its text; nil when that is none.
  init?(uuid text: String) {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
    let digits = groups.joined()
    guard digits.allSatisfy(\.isHexDigit), let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.dropFirst(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  var uuidText: String {
    let high = String(self.high, radix: 16, uppercase: true)
    let low = String(self.low, radix: 16, uppercase: true)
    let digits = Array(
      String(repeating: "0", count: 16 - high.count) + high + String(repeating: "0", count: 16 - low.count)
        + low)
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }
}
