import Foundation
import TestSupport
import Testing

@testable import RealmSwift

class KeyedLine: Object {
  @Persisted var order = 0
  @Persisted var place: String?
  @Persisted var text = ""
  @Persisted var next: KeyedLine?

  override class func indexes() -> [Index] { [.primaryKey(\KeyedLine.order, \.place)] }

  convenience init(_ order: Int, _ place: String?, _ text: String = "") {
    self.init()
    (self.order, self.place, self.text) = (order, place, text)
  }
}

class KeyedOrder: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var lines: List<KeyedLine>
}

/// Primary keys of several properties.
@Suite struct CompositeKeyTests {
  let file = ScratchRealm([KeyedLine.self, KeyedOrder.self])

  @Test func lookingUp() throws {
    let realm = try file.open()
    try realm.write {
      realm.add(KeyedLine(1, "a", "first"))
      realm.add(KeyedLine(1, nil, "null"))
      realm.create(KeyedLine.self, value: [2, "a", "second"] as [Any])
      // Within the transaction.
      #expect(realm.object(ofType: KeyedLine.self, forPrimaryKey: (2, "a"))?.text == "second")
    }
    func text(_ key: Any) -> String? { realm.object(ofType: KeyedLine.self, forPrimaryKey: key)?.text }
    #expect(realm.object(ofType: KeyedLine.self, forPrimaryKey: (1, "a"))?.text == "first")
    #expect(text((order: 1, place: "a")) == "first" && text([1, "a"] as [Any]) == "first")
    #expect(text(["place": "a", "order": 2] as [String: Any]) == "second")
    #expect(
      text((1, String?.none)) == "null" && text(["order": 1, "place": NSNull()] as [String: Any]) == "null")
    #expect(text((3, "a")) == nil && text((2, String?.none)) == nil)
    #expect(
      realm.dynamicObject(ofType: "KeyedLine", forPrimaryKey: (2, "a"))?["text"] as? String == "second")
    #expect(realm.schema["KeyedLine"]?.indexes == [.primaryKey(\.order, \.place)])
    #expect(realm.schema["KeyedLine"]!.description.contains("primaryKey(order, place)"))
  }

  /// Objects that are reached too deep to be added at once keep their keys as well.
  @Test(arguments: [Realm.UpdatePolicy.error, .modified, .all]) func longChains(
    policy: Realm.UpdatePolicy
  )
    throws
  {
    let first = KeyedLine(1, "a", "1")
    var last = first
    for order in 2...200 {
      last.next = KeyedLine(order, "a", "\(order)")
      last = last.next!
    }
    let realm = try file.open()
    try realm.write { realm.add(first, update: policy) }
    #expect(realm.objects(KeyedLine.self).map(\.order).sorted() == Array(1...200))
    for order in 1...200 {
      #expect(realm.object(ofType: KeyedLine.self, forPrimaryKey: (order, "a"))?.text == "\(order)")
    }
  }

  @Test func updating() throws {
    let realm = try file.open()
    try realm.write {
      realm.add(KeyedLine(1, "a", "first"))
      realm.add(KeyedLine(1, "a", "again"), update: .modified)
      realm.create(
        KeyedLine.self, value: ["order": 1, "place": "b", "text": "new"] as [String: Any], update: .all)
      realm.create(
        KeyedLine.self, value: ["order": 1, "place": "b", "text": "newer"] as [String: Any], update: .all)
      // What is nested is found by its key as well, in memory and in dictionaries, and links back.
      let order = KeyedOrder()
      order.lines.append(objectsIn: [KeyedLine(1, "a", "third"), KeyedLine(2, "x")])
      order.lines[1].next = order.lines[0]
      realm.add(order, update: .modified)
      realm.create(
        KeyedOrder.self, value: ["lines": [["order": 2, "place": "x", "text": "y"]]] as [String: Any],
        update: .modified)
    }
    let lines = realm.objects(KeyedLine.self).sorted(
      by: ["order", "place"].map { SortDescriptor(keyPath: $0) })
    #expect(lines.map(\.text) == ["third", "newer", "y"])
    #expect(lines[2].next == lines[0])
    // The key may be changed, and is free for others then.
    try realm.write {
      lines[0].place = "c"
      realm.add(KeyedLine(1, "a", "other"))
    }
    #expect(realm.object(ofType: KeyedLine.self, forPrimaryKey: (1, "c"))?.text == "third")
    let error = #expect(throws: Realm.Error.self) { try realm.write { lines[0].place = "b" } }
    #expect(error?.code == .ruleBroken)
    #expect(
      error?.localizedDescription.hasPrefix(
        "Only one object of class 'KeyedLine' can have 'order' 1, 'place' 'b': those with primary key (1, 'b') in row "
      )
        == true)
    #expect(Set(lines.map(\.hashValue)).count == 4 && Set(lines).count == 4)
  }

  @Test(arguments: ["add", "create", "key", "single"]) func misuse(_ what: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [what = what as String] in
      let realm = try ScratchRealm([KeyedLine.self, KeyedOrder.self]).open()
      realm.beginWrite()
      realm.add(KeyedLine(1, nil))
      switch what {
      case "add": realm.add(KeyedLine(1, nil))
      case "create": realm.create(KeyedLine.self, value: ["order": 1])
      case "key": _ = realm.object(ofType: KeyedLine.self, forPrimaryKey: ("x", "y"))
      default: _ = realm.object(ofType: KeyedLine.self, forPrimaryKey: 1)
      }
    }
    let expected =
      switch what {
      case "key": "Invalid value 'x'"
      case "single":
        "The primary key of 'KeyedLine' consists of 'order', 'place': a tuple or a dictionary with values for them is needed, and '1' is none."
      default:
        "Attempting to create an object of type 'KeyedLine' with an existing primary key value '(1, (null))'."
      }
    expectStop(result, saying: expected)
  }

  /// A key is no mere index: it comes with a new schema version, and only when it is one.
  @Test func migration() throws {
    let properties = [
      DescribedProperty("order", .int), DescribedProperty("place", .string, optional: true),
      DescribedProperty("text", .string), DescribedProperty("next", .object, of: "KeyedLine"),
    ]
    let lists = DescribedClass(
      "KeyedOrder",
      [
        DescribedProperty("id", .int, primaryKey: true),
        DescribedProperty("lines", .object, of: "KeyedLine", in: .list),
      ])
    let plain = file.described([DescribedClass("KeyedLine", properties), lists])
    try autoreleasepool {
      let realm = try Realm(configuration: plain)
      try realm.write {
        for place in ["a", "b", "a"] {
          realm.dynamicCreate("KeyedLine", value: ["order": 1, "place": place, "text": place])
        }
      }
    }
    let missing = realmError { _ = try file.open() }
    #expect(
      missing?.localizedDescription.contains(
        "- Primary key 'order, place' of class 'KeyedLine' has been added.") == true)
    var configuration = file.configuration
    configuration.schemaVersion = 1
    let double = realmError { _ = try Realm(configuration: configuration) }
    #expect(double?.code == .ruleBroken)
    configuration.migrationBlock = { migration, _ in
      var number = 0
      migration.enumerateObjects(ofType: "KeyedLine") { _, new in
        number += 1
        new!["order"] = number
      }
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.object(ofType: KeyedLine.self, forPrimaryKey: (3, "a"))?.text == "a")
  }
}
