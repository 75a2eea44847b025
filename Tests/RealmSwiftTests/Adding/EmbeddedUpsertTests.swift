import Foundation
import TestSupport
import Testing

@testable import RealmSwift

class UpsertOrder: Hidden {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var lines: List<UpsertLine>
  @Persisted var others: List<UpsertLine>
  @Persisted var first: UpsertLine?
  @Persisted var second: UpsertLine?
  @Persisted var named: Map<String, UpsertLine?>
  @Persisted var texts: List<String>
  @Persisted var otherTexts: List<String>
  @Persisted var mixed: AnyRealmValue
  @Persisted var otherMixed: AnyRealmValue
  @Persisted var next: UpsertOrder?
}

class UpsertLine: HiddenEmbedded {
  @Persisted var text = ""
  @Persisted var inner: UpsertPart?
  @Persisted var parts: List<UpsertPart>
}

class UpsertPart: HiddenEmbedded {
  @Persisted var text = ""
  @Persisted var tags: List<String>
}

/// Updates that are given embedded objects and collections of the very object that they update.
@Suite struct EmbeddedUpsertTests {
  static let policies: [Realm.UpdatePolicy] = [.modified, .all]
  let scratch: ScratchRealm
  var realm: Realm { scratch.realm }

  init() throws {
    scratch = try ScratchRealm(opening: [UpsertOrder.self, UpsertLine.self, UpsertPart.self])
  }

  private func order(_ id: Int = 1) throws -> UpsertOrder {
    func line(_ text: String) -> [String: Any] {
      ["text": text, "inner": ["text": "i\(text)"], "parts": [["text": "p\(text)"], ["text": "q\(text)"]]]
    }
    return try realm.write {
      realm.create(
        UpsertOrder.self,
        value: [
          "id": id, "lines": ["a", "b", "c"].map { line($0) }, "others": ["x", "y"].map { line($0) },
          "first": line("1"), "second": line("2"), "named": ["k": line("K"), "l": line("L")],
          "texts": ["s", "t"], "otherTexts": ["u"], "mixed": [["m"]], "otherMixed": [["n"], "o"],
        ] as [String: Any], update: .all)
    }
  }

  private func update(_ values: [String: Any], _ policy: Realm.UpdatePolicy) throws {
    let values = values.merging(["id": 1]) { first, _ in first }
    try realm.write { _ = realm.create(UpsertOrder.self, value: values, update: policy) }
  }

  /// The content of a line: its text and those within.
  private func text(_ line: UpsertLine?) -> String {
    guard let line else { return "nil" }
    return "\(line.text)(\(line.inner?.text ?? "nil") \(line.parts.map(\.text).joined(separator: " ")))"
  }

  private func texts(_ lines: List<UpsertLine>) -> String { lines.map { text($0) }.joined(separator: ", ") }

  /// What `text` gives for a line that `order` makes.
  private func whole(_ names: String...) -> String {
    names.map { "\($0)(i\($0) p\($0) q\($0))" }.joined(separator: ", ")
  }

  @Test(arguments: policies) func listsInAnotherOrder(policy: Realm.UpdatePolicy) throws {
    var order = try order()
    try update(["lines": [UpsertLine(value: ["text": "new"])] + Array(order.lines)], policy)
    #expect(texts(order.lines) == "new(nil ), " + whole("a", "b", "c"))
    order = try self.order()
    try update(["lines": Array(order.lines.reversed())], policy)
    #expect(texts(order.lines) == whole("c", "b", "a"))
    order = try self.order()
    try update(["lines": order.lines.sorted(byKeyPath: "text", ascending: false)], policy)
    #expect(texts(order.lines) == whole("c", "b", "a"))
    order = try self.order()
    try update(["lines": order.lines.filter("text != 'a'")], policy)
    #expect(texts(order.lines) == whole("b", "c"))
    order = try self.order()
    try update(["lines": [order.lines[1], order.lines[2], order.lines[0], order.lines[1]]], policy)
    #expect(texts(order.lines) == whole("b", "c", "a", "b"))
    order = try self.order()
    try update(["lines": order.lines], policy)
    #expect(texts(order.lines) == whole("a", "b", "c"))
  }

  @Test(arguments: policies) func valuesOfOtherProperties(policy: Realm.UpdatePolicy) throws {
    var order = try order()
    try update(["first": order.second!, "second": order.first!], policy)
    #expect([text(order.first), text(order.second)] == [whole("2"), whole("1")])
    order = try self.order()
    try update(["lines": order.others, "others": order.lines], policy)
    #expect([texts(order.lines), texts(order.others)] == [whole("x", "y"), whole("a", "b", "c")])
    order = try self.order()
    try update(
      ["lines": [order.first!, order.named["l"]!!], "first": order.lines[2], "second": NSNull()], policy)
    #expect(texts(order.lines) == whole("1", "L"))
    #expect([text(order.first), text(order.second)] == [whole("c"), "nil"])
  }

  @Test(arguments: policies) func mapsWithOtherKeys(policy: Realm.UpdatePolicy) throws {
    let order = try order()
    try update(["named": ["k": order.named["l"]!, "l": order.named["k"]!]], policy)
    #expect([text(order.named["k"]!), text(order.named["l"]!)] == [whole("L"), whole("K")])
    try update(["named": ["m": order.named["l"]!, "k": order.named["k"]!, "n": order.named["k"]!]], policy)
    #expect(order.named.keys == ["k", "m", "n"])
    #expect([text(order.named["m"]!), text(order.named["n"]!)] == [whole("K"), whole("L")])
  }

  @Test(arguments: policies) func collectionsWithinEmbeddedObjects(policy: Realm.UpdatePolicy) throws {
    let order = try order()
    let line = order.lines[0]
    try update(
      [
        "lines": [
          ["text": "A", "parts": Array(order.lines[1].parts.reversed()), "inner": line.parts[0]],
          ["text": "B", "parts": line.parts, "inner": line.inner!],
        ] as [[String: Any]]
      ], policy)
    #expect(texts(order.lines) == "A(pa qb pb), B(ia pa qa)")
  }

  /// A value reaches another object that is updated, whose parts it has as well.
  @Test(arguments: policies) func partsOfOtherObjects(policy: Realm.UpdatePolicy) throws {
    let (one, two) = (try order(1), try order(2))
    try realm.write { one.first!.text = "one" }
    try update(
      ["first": two.first!, "next": ["id": 2, "first": one.first!, "lines": one.lines] as [String: Any]],
      policy)
    #expect([one.first?.text, two.first?.text] == ["1", "one"])
    #expect(texts(two.lines) == whole("a", "b", "c"))
    #expect(one.next?.id == 2)
  }

  @Test(arguments: policies) func objectsInMemoryThatHoldThem(policy: Realm.UpdatePolicy) throws {
    let order = try order()
    let given = UpsertOrder(value: ["id": 1, "texts": order.texts, "mixed": order.mixed] as [String: Any])
    given.first = order.second
    given.second = order.first
    given.lines.append(objectsIn: order.lines.reversed())
    given.next = given
    try realm.write { _ = realm.create(UpsertOrder.self, value: given, update: policy) }
    #expect([text(order.first), text(order.second)] == [whole("2"), whole("1")])
    #expect(texts(order.lines) == whole("c", "b", "a"))
    #expect(order.next?.id == 1)
  }

  @Test(arguments: policies) func dynamicObjects(policy: Realm.UpdatePolicy) throws {
    let order = try order()
    let dynamic = realm.dynamicObject(ofType: "UpsertOrder", forPrimaryKey: 1)!
    let lines = dynamic.dynamicList("lines")
    let values: [String: Any] = [
      "id": 1, "lines": Array(lines.reversed()), "first": dynamic["second"] as Any, "second": order.first!,
    ]
    try realm.write { _ = realm.dynamicCreate("UpsertOrder", value: values, update: policy) }
    #expect(texts(order.lines) == whole("c", "b", "a"))
    #expect([text(order.first), text(order.second)] == [whole("2"), whole("1")])
  }

  @Test(arguments: policies) func collectionsOfValues(policy: Realm.UpdatePolicy) throws {
    let order = try order()
    try update(["texts": order.otherTexts, "otherTexts": order.texts.map { $0 + "!" }], policy)
    #expect([Array(order.texts), Array(order.otherTexts)] == [["u"], ["s!", "t!"]])
    try update(["mixed": order.otherMixed, "otherMixed": order.mixed], policy)
    #expect(order.mixed.listValue?.count == 2)
    #expect(order.mixed.listValue?[1].stringValue == "o")
    #expect(order.otherMixed.listValue?[0].listValue?[0].stringValue == "m")
    try update(["mixed": [order.mixed.listValue![1], order.mixed.listValue![0]]], policy)
    #expect(order.mixed.listValue?[1].listValue?[0].stringValue == "n")
  }

  /// With `.modified` an embedded object keeps its identity, and what is equal is not written.
  @Test func whatComesBackInItsPlaceStays() throws {
    let order = try order()
    let (line, first) = (order.lines[0], order.first!)
    try update(["lines": order.lines, "first": order.first!], .modified)
    #expect(line.isSameObject(as: order.lines[0]) && first.isSameObject(as: order.first))
    let given = UpsertOrder(value: order)
    given.texts.removeAll()
    try realm.write { realm.add(given, update: .modified) }
    #expect(line.isSameObject(as: order.lines[0]) && first.isSameObject(as: order.first))
    #expect(texts(order.lines) == whole("a", "b", "c") && order.texts.isEmpty)
  }

  /// Values are as deep as they like, on any stack.
  @Test func deepValues() throws {
    try onOtherThread { [scratch] in
      let realm = try scratch.open()
      try realm.write {
        let order = realm.create(UpsertOrder.self, value: ["id": 1, "first": ["text": "1"]] as [String: Any])
        var value: [String: Any] = ["id": 1, "second": order.first!]
        for id in 2..<5000 { value = ["id": id, "next": value] }
        realm.create(UpsertOrder.self, value: value, update: .modified)
        #expect(order.second?.text == "1")
      }
    }
  }
}
