import Foundation
import RealmSwift

enum Weekday: Int, PersistableEnum {
  case monday = 1
  case friday = 5
  case never = -1_000_000
}

enum Suit: String, PersistableEnum {
  case clubs
  case hearts = "♥"
  case none = ""
}

/// Stored as a number.
struct Kelvin: CustomPersistable, Equatable {
  var degrees: Double

  init(_ degrees: Double) { self.degrees = degrees }
  init(persistedValue: Double) { degrees = persistedValue }
  var persistableValue: Double { degrees }
}

/// Stored as a text, not all of which are codes.
struct CountryCode: FailableCustomPersistable, Equatable {
  var letters: String

  init?(persistedValue: String) {
    guard persistedValue.utf8.count <= 2 else { return nil }
    letters = persistedValue
  }
  var persistableValue: String { letters }
}

private func integers<Number: FixedWidthInteger & SignedInteger>(_ type: Number.Type) -> [Number] {
  let edges: [Int] = [
    0, 1, -1, 2, 7, 15, 16, 127, 128, -128, -129, 255, 256, 32_767, -32_768, 32_768, 65_535,
  ]
  let wide: [Int] = [1 << 24, 1 << 31 - 1, 1 << 31, -1 << 31, -1 << 31 - 1, 1 << 32, 1 << 53 + 1, 1 << 62]
  return [.min, .max, .min + 1, .max - 1]
    + (edges + wide).compactMap(Number.init(exactly:)).filter {
      ![.min, .max, .min + 1, .max - 1].contains($0)
    }
}

extension IntShapes { static let samples = integers(Int.self) }
extension Int8Shapes { static let samples = integers(Int8.self) }
extension Int16Shapes { static let samples = integers(Int16.self) }
extension Int32Shapes { static let samples = integers(Int32.self) }
extension Int64Shapes { static let samples = integers(Int64.self) }
extension BoolShapes { static let samples = [true, false] }

extension FloatShapes {
  static let samples: [Float] = [
    1, 0, -1, 0.1, .pi, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .leastNormalMagnitude, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 16_777_218, .ulpOfOne,
  ]
  static func identity(_ value: Float) -> String { value.isNaN ? "nan" : "\(value.bitPattern)" }
}

extension DoubleShapes {
  static let samples: [Double] = [
    1, 0, -1, 0.1, .pi, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .leastNormalMagnitude, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 9_007_199_254_740_994, .ulpOfOne,
  ]
  static func identity(_ value: Double) -> String { value.isNaN ? "nan" : "\(value.bitPattern)" }
}

private func checksum(_ bytes: [UInt8]) -> String {
  var hasher = Hasher()
  bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  return "(\(bytes.count) bytes, hash \(hasher.finalize()))"
}

extension StringShapes {
  static let samples: [String] = [
    "", "a", "Wolfie", "nul\0in\0side", "\0", " ", "\n\t\r\"\\", "Grüße", "Gru\u{308}ß", "日本語テキスト", "שלום",
    "👩‍👩‍👧‍👦🏳️‍🌈", "e\u{301}\u{302}\u{303}", "\u{FEFF}mark", "\u{10FFFF}", "\u{7F}\u{80}\u{7FF}\u{800}", "(null)",
    String(repeating: "7", count: 15), String(repeating: "8", count: 16),
    String(repeating: "x", count: 127), String(repeating: "y", count: 128),
    String(repeating: "z", count: 129),
    String(repeating: "ü", count: 64), String(repeating: "long ", count: 4_000),
    String(repeating: "🐕", count: 50_000),
  ]
  /// Equal texts can have different bytes; these must come back, too.
  static func identity(_ value: String) -> String { "\(value.prefix(20)) \(checksum(Array(value.utf8)))" }
}

extension DataShapes {
  static let samples: [Data] = [
    Data(), Data([0]), Data([0, 0]), Data([255]), Data(0...255), Data("text".utf8),
    Data(repeating: 1, count: 127), Data(repeating: 2, count: 128), Data(repeating: 3, count: 129),
    Data(repeating: 4, count: 20_000), Data(repeating: 0, count: 1 << 20),
    // A part of another one, whose indices do not begin at 0.
    Data(0...255)[100..<120],
  ]
  static func identity(_ value: Data) -> String { "\(value.prefix(4).map { $0 }) \(checksum(Array(value)))" }
}

extension DateShapes {
  static let samples: [Date] = [
    Date(timeIntervalSince1970: 0), Date(timeIntervalSinceReferenceDate: 0), .distantPast, .distantFuture,
    Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: -1), Date(timeIntervalSince1970: 0.5),
    Date(timeIntervalSince1970: -0.5), Date(timeIntervalSince1970: -1.25),
    Date(timeIntervalSinceReferenceDate: 729_000_000.123_456), Date(timeIntervalSince1970: 1_099_511_627_776),
    Date(timeIntervalSince1970: 1_700_000_000.75),
  ]
  static func identity(_ value: Date) -> String { "\(value.timeIntervalSinceReferenceDate)" }
}

extension ObjectIdShapes {
  static let samples: [ObjectId] = [
    ObjectId(), ObjectId("ffffffffffffffffffffffff"), ObjectId("6058f12682b2fbb1f334ef1d"),
    ObjectId("000000000000000000000001"), .generate(), .generate(),
  ]
}

extension UUIDShapes {
  static let samples: [UUID] = [
    UUID(uuidString: "00000000-0000-0000-0000-000000000000")!,
    UUID(uuidString: "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF")!,
    UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!, UUID(), UUID(),
  ]
}

extension Decimal128Shapes {
  static let samples: [Decimal128] = [
    0, 1, -1, 0.1, -12.375, .min, .max, "1E-6176", "-1E-6176", "9.999999999999999999999999999999999E0",
    "1234567890123456789012345678901234", "12345678901234567.89", 9_223_372_036_854_775_807, "1E3", "NaN",
    "Inf",
    "-Inf", "3.1400",
  ]
}

extension WeekdayShapes { static let samples = Weekday.allCases }
extension SuitShapes { static let samples = Suit.allCases }

extension CelsiusShapes {
  static let samples = DoubleShapes.samples.map { Kelvin($0) }
  static func identity(_ value: Kelvin) -> String { DoubleShapes.identity(value.degrees) }
}

extension CountryCodeShapes {
  static let samples = ["", "FR", "nz", "\0"].map { CountryCode(persistedValue: $0)! }
  static func identity(_ value: CountryCode) -> String { StringShapes.identity(value.letters) }
}
