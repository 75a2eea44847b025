import CDecimal128
import Foundation
import Storage
import Sync
import TestSupport

/// Values of each type of the server that a column of a realm file can hold, and their texts for the server to compare with.
enum SampleValues {
  /// Types whose values can be sent.
  static let types = ServerType.allCases.filter { $0 != .jsonb }

  /// Values at the ends of what the type holds.
  static func extremes(_ type: ServerType) -> [Value] {
    switch type {
    case .bigint: [.int(0), .int(-1), .int(.min), .int(.max)]
    case .boolean: [.bool(false), .bool(true)]
    case .real:
      [0, -0.0, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .nan].map(
        Value.float)
    case .double:
      [0, -0.0, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .nan].map(
        Value.double)
    case .text:
      ["", "\u{1}", "\u{10FFFF}", "\\N\t\r\n", String(repeating: "ä", count: 100_000)].map(Value.string)
    case .bytea: [.data([]), .data([0]), .data(Array(repeating: 0xFF, count: 100_000))]
    case .timestamp: [0, -0.0, -978_307_200, 1e-7, -1e-7, .infinity, -.infinity].map(Value.date) + bounds
    case .objectId: [.objectId(Fixed12(high: 0, low: 0)), .objectId(Fixed12(high: .max, low: .max))]
    case .uuid: [.uuid(Fixed16(high: 0, low: 0)), .uuid(Fixed16(high: .max, low: .max))]
    case .numeric: decimals.map(Value.decimal128)
    case .jsonb: []
    }
  }

  /// The first and the last whole second that the server holds.
  static let bounds: [Value] = [.date(-211_845_110_400), .date(9_223_339_708_799)]

  private static let decimals: [Fixed16] =
    [
      decimal(0, 0), decimal(0, -6176), decimal(0, 6111), decimal(0, -3), decimal(1, -6176), decimal(1, 6111),
      decimal(greatest, 6111), decimal(greatest, -6176), decimal(greatest, 0), decimal(150, -2),
      decimal(10_000, 0), decimal(1, 4), decimal(12_345, -3),
    ].flatMap { [$0, negated($0)] }
    + ["Inf", "-Inf", "NaN"].map { text in bytes(BID_UINT128(parsing: text)) }

  private static let greatest = UInt128(10_000_000_000_000_000) * 1_000_000_000_000_000_000 - 1

  /// The decimal with a coefficient and an exponent.
  static func decimal(_ coefficient: UInt128, _ exponent: Int) -> Fixed16 {
    bytes(
      BID_UINT128(
        w: (
          UInt64(truncatingIfNeeded: coefficient), UInt64(coefficient >> 64) | UInt64(exponent + 6176) << 49
        )))
  }

  static func negated(_ decimal: Fixed16) -> Fixed16 { Fixed16(high: decimal.high, low: decimal.low ^ 0x80) }

  static func bytes(_ decimal: BID_UINT128) -> Fixed16 {
    Fixed16(high: decimal.w.0.byteSwapped, low: decimal.w.1.byteSwapped)
  }

  /// A value of a type.
  static func random(_ type: ServerType, _ generator: inout SeededGenerator) -> Value {
    func word() -> UInt64 { generator.next() >> UInt64.random(in: 0..<64, using: &generator) }
    switch type {
    case .bigint: return .int(Int64(bitPattern: word()))
    case .boolean: return .bool(Bool.random(using: &generator))
    case .real: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: generator.next())))
    case .double: return .double(Double(bitPattern: generator.next()))
    case .text:
      let scalars = (0..<Int.random(in: 0...20, using: &generator)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 1...0x3000, using: &generator))
      }
      return .string(String(String.UnicodeScalarView(scalars)))
    case .bytea:
      return .data(
        (0..<Int.random(in: 0...20, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        })
    case .timestamp:
      let seconds =
        Double.random(in: -1...1, using: &generator) * pow(10, Double.random(in: -8...11, using: &generator))
      return .date(seconds)
    case .objectId:
      return .objectId(Fixed12(high: generator.next(), low: UInt32(truncatingIfNeeded: generator.next())))
    case .uuid: return .uuid(Fixed16(high: generator.next(), low: generator.next()))
    case .numeric:
      let digits = UInt128(word()) << 49 | UInt128(generator.next() >> 15)
      let power = (0..<Int.random(in: 0...34, using: &generator)).reduce(UInt128(1)) { power, _ in power * 10
      }
      let spread = Bool.random(using: &generator) ? -6176...6111 : -40...10
      let number = decimal(digits % power, Int.random(in: spread, using: &generator))
      return .decimal128(Bool.random(using: &generator) ? number : negated(number))
    case .jsonb: return .null
    }
  }

  /// What comes back from the server: dates are rounded to microseconds, decimals lose what `numeric` does not hold.
  static func afterRoundTrip(_ value: Value) throws -> Value {
    switch value {
    case .date(let seconds): .date(try ServerDate.rounded(seconds))
    default: value
    }
  }

  /// The value as a text that the server reads, made without the code under test.
  static func text(_ value: Value) -> String? {
    switch value {
    case .null: nil
    case .int(let number): "\(number)"
    case .bool(let flag): "\(flag)"
    case .float(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): text
    case .data(let bytes): "\\x" + bytes.map { hex(UInt64($0), 2) }.joined()
    case .date(let seconds): seconds.isFinite ? String(format: "%.6f", seconds) : "\(seconds)"
    case .objectId(let id): "\\x" + hex(id.high, 16) + hex(UInt64(id.low), 8)
    case .uuid(let id): hex(id.high, 16) + hex(id.low, 16)
    case .decimal128(let decimal): BID_UINT128(decimal).text.replacing("+NaN", with: "NaN")
    case .link, .list, .dictionary: nil
    }
  }

  private static func hex(_ number: UInt64, _ digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: digits - text.count) + text
  }

  /// Whether two values are equal, also as NaN and as decimals with other exponents, and zeros of the same sign.
  static func areEqual(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
    case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
    case (.decimal128(let a), .decimal128(let b)): reduced(a) == reduced(b)
    default: a == b
    }
  }

  /// Sign, digits without zeros at their end, and exponent.
  static func reduced(_ decimal: Fixed16) -> String {
    let text = BID_UINT128(decimal).text
    guard let separator = text.firstIndex(of: "E") else { return String(text.drop { $0 == "+" }) }
    var digits = text[..<separator].drop { "+-0".contains($0) }
    guard !digits.isEmpty else { return "0" }
    var exponent = Int(text[text.index(after: separator)...])!
    while digits.last == "0" {
      digits.removeLast()
      exponent += 1
    }
    return "\(text.hasPrefix("-") ? "-" : "")\(digits)E\(exponent)"
  }
}
