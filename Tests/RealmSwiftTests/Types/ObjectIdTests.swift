import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct ObjectIdTests {
  // MARK: Text

  @Test func theEmptyIdentifierIsAllZero() {
    #expect(ObjectId().stringValue == "000000000000000000000000")
    #expect(ObjectId() == ObjectId())
    #expect(ObjectId().timestamp == Date(timeIntervalSince1970: 0))
  }

  @Test(arguments: [
    ("6058f12682b2fbb1f334ef1d", "6058f12682b2fbb1f334ef1d"),
    ("6058F12682B2FBB1F334EF1D", "6058f12682b2fbb1f334ef1d"),
    ("0123456789abcdefABCDEF01", "0123456789abcdefabcdef01"),
    ("ffffffffffffffffffffffff", "ffffffffffffffffffffffff"),
  ])
  func textRoundTrips(text: String, expected: String) throws {
    let id = try ObjectId(string: text)
    #expect(id.stringValue == expected)
    #expect(id.description == expected)
    #expect("\(id)" == expected)
    #expect(try ObjectId(string: id.stringValue) == id)
  }

  @Test(arguments: [
    "", "6058f12682b2fbb1f334ef1", "6058f12682b2fbb1f334ef1d0", "6058f12682b2fbb1f334ef1g",
    "6058f12682b2fbb1f334ef1 ", " 6058f12682b2fbb1f334ef1", "0x58f12682b2fbb1f334ef1d",
    "6058f12682b2fbb1f334ef1/", "6058f12682b2fbb1f334ef1:", "6058f12682b2fbb1f334ef1@",
    "6058f12682b2fbb1f334ef1`", "éééééééééééé", "６058f12682b2fbb1f334ef1d", "6058f12682b2fbb1f334ef1\0",
  ])
  func otherTextIsRejected(text: String) {
    let error = #expect(throws: Realm.Error.self) { try ObjectId(string: text) }
    #expect(error?.code == .invalidInput)
    #expect(error?.localizedDescription == "Invalid Object ID string '\(text)': must be 24 hex digits")
  }

  @Test func literalsAreChecked() async {
    #expect(ObjectId("6058f12682b2fbb1f334ef1d").stringValue == "6058f12682b2fbb1f334ef1d")
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ObjectId("6058f1")
    }
    expectStop(result, saying: "Invalid Object ID string '6058f1': must be 24 hex digits")
  }

  // MARK: Fields

  @Test(arguments: [
    (0, 0), (1, 1), (1_616_441_638, 1_616_441_638), (1_616_441_638.999, 1_616_441_638),
    (4_294_967_295, 4_294_967_295), (4_294_967_296, 4_294_967_295), (1e300, 4_294_967_295),
    (-0.5, 0), (-1e300, 0), (.infinity, 4_294_967_295), (-.infinity, 0), (.nan, 0),
  ])
  func timestampsHaveTheResolutionOfSeconds(seconds: Double, stored: Double) {
    let id = ObjectId(timestamp: Date(timeIntervalSince1970: seconds), machineId: 10, processId: 20)
    #expect(id.timestamp == Date(timeIntervalSince1970: stored))
  }

  @Test func timestampIsReadFromTheFirstFourBytes() throws {
    #expect(try ObjectId(string: "6058f12682b2fbb1f334ef1d").timestamp.timeIntervalSince1970 == 1_616_441_638)
    #expect(
      try ObjectId(string: "ffffffff0000000000000000").timestamp.timeIntervalSince1970 == 4_294_967_295)
  }

  @Test func machineAndProcessFillFiveBytes() {
    let date = Date(timeIntervalSince1970: 0x0102_0304)
    let id = ObjectId(timestamp: date, machineId: 0xA1B2C3, processId: 0xD4E5)
    #expect(id.stringValue.prefix(18) == "01020304" + "a1b2c3" + "d4e5")
    let truncated = ObjectId(timestamp: date, machineId: -1, processId: 0x7_0001)
    #expect(truncated.stringValue.prefix(18) == "01020304" + "ffffff" + "0001")
  }

  @Test func identifiersOfTheSameFieldsDifferByTheirCounter() {
    let ids = (0..<1000).map { _ in ObjectId(timestamp: Date(), machineId: 1, processId: 1) }
    #expect(Set(ids.map { $0.stringValue.suffix(6) }).count == 1000)
  }

  // MARK: Order, hashing, bytes

  @Test func orderIsThatOfTheBytes() throws {
    let texts = [
      "000000000000000000000000", "000000000000000000000001", "0000000000000000000000ff",
      "000000000000000000000100", "0000000000000000ffffffff", "000000000000000100000000",
      "0000000100000000ffffffff", "7fffffffffffffffffffffff", "800000000000000000000000",
      "ffffffffffffffffffffffff",
    ]
    let ids = try texts.map { try ObjectId(string: $0) }
    for (i, lhs) in ids.enumerated() {
      for (j, rhs) in ids.enumerated() {
        #expect((lhs < rhs) == (i < j))
        #expect((lhs <= rhs) == (i <= j))
        #expect((lhs > rhs) == (i > j))
        #expect((lhs >= rhs) == (i >= j))
        #expect((lhs == rhs) == (i == j))
      }
    }
    #expect(ids.shuffled().sorted() == ids)
  }

  @Test func randomIdentifiersSortAsTheirBytesAndTheirText() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      var first = (0..<12).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let second = (0..<12).map { _ in UInt8.random(in: 0...255, using: &generator) }
      // Shared beginnings, so that every byte decides in some of the rounds.
      let shared = Int.random(in: 0...12, using: &generator)
      first.replaceSubrange(0..<shared, with: second[0..<shared])
      let lhs = first.withUnsafeBytes { ObjectId(bytes: $0.baseAddress!) }
      let rhs = second.withUnsafeBytes { ObjectId(bytes: $0.baseAddress!) }
      #expect((lhs < rhs) == first.lexicographicallyPrecedes(second), "seed \(seed)")
      #expect((lhs < rhs) == (lhs.stringValue < rhs.stringValue), "seed \(seed)")
      #expect((lhs == rhs) == (first == second), "seed \(seed)")
    }
  }

  @Test func bytesRoundTripAtAnyAlignment() throws {
    let id = try ObjectId(string: "0102030405060708090a0b0c")
    for offset in 0..<8 {
      var buffer = [UInt8](repeating: 0xEE, count: 24)
      buffer.withUnsafeMutableBytes { id.store(to: $0.baseAddress! + offset) }
      #expect(Array(buffer[offset..<offset + 12]) == Array(1...12))
      #expect(buffer.count { $0 == 0xEE } == 12, "only twelve bytes are written")
      #expect(buffer.withUnsafeBytes { ObjectId(bytes: $0.baseAddress! + offset) } == id)
    }
  }

  @Test func equalIdentifiersHashEqually() throws {
    let text = "6058f12682b2fbb1f334ef1d"
    let set: Set = [try ObjectId(string: text), try ObjectId(string: text.uppercased()), ObjectId()]
    #expect(set.count == 2)
    #expect(set.contains(ObjectId("6058f12682b2fbb1f334ef1d")))
    #expect(try ObjectId(string: text).hashValue == ObjectId("6058f12682b2fbb1f334ef1d").hashValue)
  }

  // MARK: Codable

  @Test func codesAsASingleString() throws {
    let id = ObjectId("6058f12682b2fbb1f334ef1d")
    let data = try JSONEncoder().encode([id])
    #expect(String(decoding: data, as: UTF8.self) == #"["6058f12682b2fbb1f334ef1d"]"#)
    #expect(try JSONDecoder().decode([ObjectId].self, from: data) == [id])
  }

  @Test func decodingOtherTextFails() {
    let json = Data(#"{"id": "6058"}"#.utf8)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([String: ObjectId].self, from: json)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("expected dataCorrupted, got \(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["id"])
    #expect(context.debugDescription == "Invalid Object ID string '6058': must be 24 hex digits")
    #expect((context.underlyingError as? Realm.Error)?.code == .invalidInput)
  }

  @Test(arguments: ["[5]", "[null]", "[{}]", "[[]]", "[true]"])
  func decodingOtherTypesFails(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ObjectId].self, from: Data(json.utf8))
    }
  }

  @Test func comparesUnderTheNamesOfObjectiveC() {
    let (low, high) = (ObjectId("000000000000000000000001"), ObjectId("000000000000000000000002"))
    let again = ObjectId("000000000000000000000001")
    #expect(low.isEqual(again) && !low.isEqual(high) && !low.isEqual(low.stringValue) && !low.isEqual(nil))
    #expect(low.isLessThan(high) && !high.isLessThan(low) && !low.isLessThan(again))
    #expect(low.isLessThanOrEqual(to: again) && !high.isLessThanOrEqual(to: low))
    #expect(high.isGreaterThan(low) && !low.isGreaterThan(high) && !low.isGreaterThan(again))
    #expect(low.isGreaterThanOrEqual(to: again) && !low.isGreaterThanOrEqual(to: high))
  }
}
