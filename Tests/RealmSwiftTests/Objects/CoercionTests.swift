import Foundation
import Testing

@testable import RealmSwift

/// Which boxed values a property of a type takes, and what it stores for them.
@Suite struct CoercionTests {
  struct Row: CustomTestStringConvertible, @unchecked Sendable {
    var value: Any
    var type: PropertyType
    var expected: StoredValue?

    init(_ value: Any, _ type: PropertyType, _ expected: StoredValue?) {
      self.value = value
      self.type = type
      self.expected = expected
    }
    var testDescription: String { "\(Swift.type(of: value)) \(value) to \(type.name)" }
  }

  /// A value as it comes out of JSON.
  private static func json(_ text: String) -> Any {
    (try! JSONSerialization.jsonObject(with: Data("[\(text)]".utf8)) as! [Any])[0]
  }

  private static func decimal(_ text: String) -> StoredValue { Decimal128(stringLiteral: text)._rlmStored }
  private static let id = ObjectId("000102030405060708090a0b")
  private static let uuid = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!
  private static let moment = Date(timeIntervalSinceReferenceDate: 0.1)

  static let integers: [Row] = [
    Row(5, .int, .int(5)), Row(Int8(-3), .int, .int(-3)), Row(Int16.min, .int, .int(-32768)),
    Row(Int32.max, .int, .int(2_147_483_647)), Row(Int64.min, .int, .int(.min)),
    Row(UInt8(200), .int, .int(200)),
    Row(UInt64(7), .int, .int(7)), Row(UInt64.max, .int, nil), Row(UInt(Int.max) + 1, .int, nil),
    Row(true, .int, .int(1)), Row(false, .int, .int(0)), Row(1.0, .int, nil), Row(Float(2), .int, nil),
    Row("5", .int, nil), Row(Decimal128(integerLiteral: 5), .int, nil),
    Row(NSDecimalNumber(string: "2.5"), .int, nil),
    Row(NSNumber(value: 9), .int, .int(9)), Row(NSNumber(value: 9.0), .int, nil),
    Row(NSNumber(value: true), .int, .int(1)), Row(NSNumber(value: UInt64.max), .int, nil),
    Row(json("1"), .int, .int(1)), Row(json("1.0"), .int, nil), Row(json("1e3"), .int, nil),
    Row(json("true"), .int, .int(1)), Row(json("-9223372036854775808"), .int, .int(.min)),
    Row(json("9223372036854775807"), .int, .int(.max)), Row(json("9223372036854775808"), .int, nil),
    Row(json("12345678901234567890123"), .int, nil), Row(json("null"), .int, nil),
    Row(Int?.some(4) as Any, .int, .int(4)), Row(Int??.some(.some(4)) as Any, .int, .int(4)),
    Row(Int?.none as Any, .int, nil), Row(Double?.some(4) as Any, .int, nil),
  ]

  static let flags: [Row] = [
    Row(true, .bool, .bool(true)), Row(0, .bool, .bool(false)), Row(1, .bool, .bool(true)),
    Row(2, .bool, nil),
    Row(-1, .bool, nil), Row(Int8(5), .bool, nil), Row(Int8(1), .bool, .bool(true)),
    Row(Int8(0), .bool, .bool(false)),
    Row(UInt16(1), .bool, .bool(true)), Row(1.0, .bool, nil), Row("true", .bool, nil),
    Row(json("true"), .bool, .bool(true)), Row(json("false"), .bool, .bool(false)),
    Row(json("1"), .bool, .bool(true)),
    Row(json("7"), .bool, nil), Row(json("0.0"), .bool, nil),
  ]

  static let floatingPoint: [Row] = [
    Row(Float(1.5), .float, .float(1.5)), Row(3, .float, .float(3)), Row(0.1, .float, .float(0.1)),
    Row(1e39, .float, nil), Row(-1e39, .float, nil), Row(Double.infinity, .float, nil),
    Row(Double(Float.greatestFiniteMagnitude), .float, .float(.greatestFiniteMagnitude)),
    Row(true, .float, nil),
    Row("1", .float, nil), Row(json("0.5"), .float, .float(0.5)), Row(json("2"), .float, .float(2)),
    Row(json("true"), .float, nil),
    Row(2.5, .double, .double(2.5)), Row(Float(0.5), .double, .double(0.5)), Row(7, .double, .double(7)),
    Row(UInt8(7), .double, .double(7)), Row(UInt64.max, .double, .double(0x1p64)), Row(false, .double, nil),
    Row("1", .double, nil), Row(json("1"), .double, .double(1)), Row(json("1.25"), .double, .double(1.25)),
    Row(json("true"), .double, nil), Row(json("18446744073709551615"), .double, .double(0x1p64)),
    Row(NSDecimalNumber(string: "0.25"), .double, .double(0.25)),
    Row(-Double.infinity, .double, .double(-.infinity)),
  ]

  static let others: [Row] = [
    Row("x", .string, .string("x")), Row(NSString("x"), .string, .string("x")), Row(1, .string, nil),
    Row(json("\"é\""), .string, .string("é")), Row(id, .string, nil), Row(uuid, .string, nil),
    Row(Data([1]), .data, .data([1])), Row(NSData(data: Data([1])), .data, .data([1])), Row("x", .data, nil),
    Row([1], .data, nil),
    Row(moment, .date, .date(0.1)), Row(NSDate(timeIntervalSinceReferenceDate: 0.1), .date, .date(0.1)),
    Row(0.1, .date, nil), Row("2020-01-01", .date, nil),
    Row(id, .objectId, id._rlmStored), Row("000102030405060708090a0b", .objectId, nil),
    Row(Decimal128(integerLiteral: 3), .decimal128, decimal("3")), Row(3, .decimal128, decimal("3")),
    Row(0.1, .decimal128, decimal("0.1")), Row(Float(0.1), .decimal128, decimal("0.1")),
    Row("1.50", .decimal128, decimal("1.50")), Row("one", .decimal128, nil), Row("NaN", .decimal128, nil),
    Row(true, .decimal128, decimal("1")),
    Row(json("12345678901234567890123"), .decimal128, decimal("12345678901234567890123")),
    Row(Decimal(string: "2.5")!, .decimal128, decimal("2.5")), Row(moment, .decimal128, nil),
    Row(uuid, .UUID, uuid._rlmStored), Row("00112233-4455-6677-8899-aabbccddeeff", .UUID, uuid._rlmStored),
    Row("nonsense", .UUID, nil), Row(1, .UUID, nil),
    Row(1, .any, nil), Row(1, .object, nil), Row(1, .linkingObjects, nil),
  ]

  @Test(arguments: integers + flags + floatingPoint + others)
  func scalar(_ row: Row) {
    #expect(Coercion.scalar(row.value, row.type) == row.expected)
  }

  @Test func notANumberIsAFloat() {
    guard case .float(let number)? = Coercion.scalar(Double.nan, .float) else {
      Issue.record("no float")
      return
    }
    #expect(number.isNaN)
  }

  @Test func nullInAnyWrapping() {
    #expect(Coercion.unwrap(NSNull()) == nil)
    #expect(Coercion.unwrap(Int?.none as Any) == nil)
    #expect(Coercion.unwrap(Int??.some(.none) as Any) == nil)
    #expect(Coercion.unwrap(Any?.some(NSNull()) as Any) == nil)
    #expect(Coercion.unwrap(Any?.some(Int?.some(3) as Any) as Any) as? Int == 3)
    #expect(Coercion.unwrap([Int?.none]) as? [Int?] == [nil])
  }

  /// The same through properties: of the exact type, and of types that Foundation would convert by itself.
  @Test func propertiesTakeOnlyWhatFits() {
    #expect(Int._rlmCoerce(Self.json("1.0")) == nil)
    #expect(Int._rlmCoerce(Self.json("3")) == 3)
    #expect(Bool._rlmCoerce(Self.json("1.0")) == nil)
    #expect(Double._rlmCoerce(Self.json("true")) == nil)
    #expect(Double._rlmCoerce(Self.json("1")) == 1)
    #expect(Int8._rlmCoerce(3) == 3)
    #expect(Int?._rlmCoerce(NSNull()) == .some(nil))
    #expect(Int._rlmCoerce(NSNull()) == nil)
    #expect(PetMood._rlmCoerce("asleep") == .asleep)
    #expect(PetMood._rlmCoerce(PetMood.hungry) == .hungry)
    #expect(PetMood._rlmCoerce("angry") == nil)
    #expect(PetRank._rlmCoerce(9) == .high)
    #expect(Celsius._rlmCoerce(20)?.degrees == 20)
    #expect(AirportCode._rlmCoerce("abc")?.letters == "abc")
    #expect(AirportCode._rlmCoerce("abcd") == nil)
  }

  @Test func naturalTypes() {
    #expect(Coercion.natural(Int16(3)) == .int(3))
    #expect(Coercion.natural(Self.json("true")) == .bool(true))
    #expect(Coercion.natural(Self.json("1.0")) == .double(1))
    #expect(Coercion.natural(Float(1)) == .float(1))
    #expect(Coercion.natural("x") == .string("x"))
    #expect(Coercion.natural(Data([1])) == .data([1]))
    #expect(Coercion.natural(Self.moment) == .date(0.1))
    #expect(Coercion.natural(Self.id) == Self.id._rlmStored)
    #expect(Coercion.natural(Self.uuid) == Self.uuid._rlmStored)
    #expect(Coercion.natural(Decimal128(integerLiteral: 1)) == Self.decimal("1"))
    #expect(Coercion.natural(NSNull()) == .null)
    #expect(Coercion.natural(UInt64.max) == nil)
    #expect(Coercion.natural([1]) == nil)
  }
}
