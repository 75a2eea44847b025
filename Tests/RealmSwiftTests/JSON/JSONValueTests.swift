import Foundation
import Testing

@testable import RealmSwift

/// Values of JSON are taken as they are, or not at all.
@Suite struct JSONValueTests: JSONSuite {
  let scratch: ScratchRealm

  init() throws { scratch = try jsonRealm() }

  private func choiceFault(_ members: String) -> String {
    let fault = refusal(#"{"id": 1, \#(members)}"#, JSONChoice.self)
    // It is the same in an object that another one links to.
    #expect(refusal(#"{"id": 2, "other": {"id": 1, \#(members)}}"#, JSONChoice.self) == fault)
    #expect(realm.objects(JSONChoice.self).isEmpty)
    return fault
  }

  @Test func whatTypesDoNotHave() throws {
    let invalid = "Line 1: Invalid value"
    #expect(
      choiceFault(#""mood": "odd""#)
        == "\(invalid) 'odd' of type 'String' for 'string?' property 'JSONChoice.mood'.")
    #expect(
      choiceFault(#""levels": [1, 257]"#)
        == "\(invalid) '257' of type 'Int' for 'int' array property 'JSONChoice.levels'.")
    #expect(choiceFault(#""levels": [3]"#).hasPrefix("\(invalid) '3'"))
    #expect(choiceFault(#""moods": ["calm", null, "odd"]"#).hasPrefix("\(invalid) 'odd'"))
    #expect(
      choiceFault(#""rooms": {"hall": 1, "cellar": 2}"#)
        == "Line 1: Invalid key 'cellar' for dictionary property 'JSONChoice.rooms'.")
    try load(
      #"{"id": 1, "mood": null, "levels": [2], "moods": [null, "wild"], "rooms": {"hall": 3}}"#,
      JSONChoice.self)
    let choice = try #require(realm.objects(JSONChoice.self).first)
    #expect(choice.mood == nil && Array(choice.levels) == [.high] && Array(choice.moods) == [nil, .wild])
    #expect(choice.rooms[.hall] == 3)
  }

  @Test(arguments: [
    ("small", "true"), ("small", "1.5"), ("small", "1e3"), ("id", "1e19"), ("flag", "2"),
    ("flag", #""true""#),
    ("ratio", "1e39"),
    ("size", "true"), ("size", #""1""#), ("price", "true"), ("price", "1e7000"), ("price", #""1e7000""#),
    ("price", #""inf""#), ("price", #""NaN""#), ("price", #""x""#),
    ("price", "12345678901234567890123456789012345"),
    ("price", #""12345678901234567890123456789012345""#), ("born", #""@nan""#), ("born", #""@5""#),
    ("born", "true"),
    ("data", #""?""#), ("key", #""6058""#), ("anything", "12345678901234567890123456789012345"),
    ("values", "[12345678901234567890123456789012345]"), ("scores", "5"), ("part", "[]"), ("parts", "[null]"),
  ]) func isRefused(name: String, value: String) {
    let key = name == "id" ? "" : #""id": 1, "#
    let fault = refusal("{\(key)\"\(name)\": \(value)}", JSONItem.self)
    #expect(
      fault.hasPrefix("Line 1: ") && (fault.contains("Invalid value") || fault.hasSuffix("is too large")))
    #expect(fault.utf8.count < 450)
  }

  @Test func isTaken() throws {
    try load(
      #"{"id": 1.0, "small": 12e1, "flag": 0, "size": 3, "ratio": 16777217, "price": "10000000000000000000000000000000000000000", "anything": 18446744073709551615, "tags": null, "sizes": null, "scores": null, "peers": null}"#,
      JSONItem.self)
    let item = try item(1)
    #expect(
      item.small == 120 && !item.flag && item.size == 3 && item.ratio == 16_777_216
        && item.price == Decimal128("1e40"))
    #expect(item.anything == .decimal128(Decimal128("18446744073709551615")))
    try load(
      #"{"id": 1, "tags": ["a"], "sizes": [1], "scores": {"a": 1}}{"id": 1, "tags": null, "sizes": null, "scores": null}"#,
      JSONItem.self, update: .modified)
    #expect(item.tags.isEmpty && item.sizes.isEmpty && item.scores.isEmpty)
  }

  @Test func longValuesAreShortenedInMessages() {
    let long = String(repeating: "long", count: 100_000)
    let fault = refusal(#"{"id": 1, "born": "\#(long)"}"#, JSONItem.self)
    #expect(fault.utf8.count < 450 && fault.hasSuffix("for 'date' property 'JSONItem.born'."))
  }

  @Test func contentOfNewObjects() throws {
    try load(#"{"id": 1, "amount": 5} {"id": 2, "amount": 6, "goods": []} {"id": 3}"#, JSONStock.self)
    let all = realm.objects(JSONStock.self).sorted(by: \.id)
    #expect(all.map(\.amount).elementsEqual([5, 6, 1]))
    #expect(all.map { $0.goods.count }.elementsEqual([1, 0, 1]))
    // Updated objects keep theirs.
    try load(#"{"id": 2, "amount": 7}"#, JSONStock.self, update: .modified)
    #expect(all[1].amount == 7 && all[1].goods.isEmpty)
  }

  @Test func namesMayBeEscaped() throws {
    try load(
      #"{"\u0069d": 1, "am\u006funt": 5} {"id": 2, "x": 1, "amount": 8, "size": 7}"#,
      JSONStock.self)
    #expect(realm.objects(JSONStock.self).sorted(by: \.id).map(\.amount).elementsEqual([5, 8]))
    #expect(refusal(#"{"id": 1, "\u0069d": 2}"#, JSONStock.self).hasSuffix("there twice in one object"))
  }

  @Test func membersInAnyOrderBesideUnknownOnes() throws {
    let ids = (0..<3).map { _ in UUID() }
    try load(
      #"""
      {"x": [1, {"id": 2}], "label": "a", "y": {"count": 3}, "id": "\#(ids[0])", "count": 1}
      {"count": 2, "id": "\#(ids[1])", "z": "}", "label": "b"}
      {"id": "\#(ids[2])", "label": null, "count": 3, "notes": ["n"]}
      """#, JSONRow.self)
    let rows = realm.objects(JSONRow.self).sorted(by: \.count)
    #expect(rows.map(\.id).elementsEqual(ids) && rows.map(\.label).elementsEqual(["a", "b", nil]))
  }

  @Test func datesWithinValues() throws {
    try load(#"{"id": 1, "part": {"weight": 1}, "peers": [{"code": "a", "rank": 2}]}"#, JSONItem.self)
    #expect(
      refusal("{\"id\": 2,\r\n \"peers\": [{\"code\": \"b\"},\r\n {\"code\": 5}]}", JSONItem.self)
        == "Line 3: Invalid value '5' of type 'Int' for 'string' property 'JSONPeer.code'.")
  }

  @Test func decimalsKeepTheirDigits() throws {
    let price = "1234567890123456789012345678.901234"
    try load(#"{"id": 1, "price": \#(price)}"#, JSONItem.self)
    #expect(try item(1).price == Decimal128(string: price))
  }
}
