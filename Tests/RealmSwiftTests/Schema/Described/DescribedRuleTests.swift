import Foundation
import RealmSwift
import TestSupport
import Testing

class PlainNumber: Object {
  @Persisted(primaryKey: true) var number: Int
}

/// Rules that a file keeps, in descriptions of its classes.
@Suite struct DescribedRuleTests {
  private static let classes = [
    DescribedClass(
      "Order",
      [
        DescribedProperty("number", .int, primaryKey: true, autoIncrement: true),
        DescribedProperty("items", .object, of: "Item", in: .list, onDelete: .cascade),
        DescribedProperty("customer", .object, of: "Customer", onDelete: .deny),
      ]),
    DescribedClass("Customer", [DescribedProperty("name", .string)]),
    DescribedClass("Item", [DescribedProperty("name", .string)]),
  ]

  private static func configuration(
    _ schema: DescribedSchema, in folder: ScratchFolder
  ) -> Realm.Configuration {
    Realm.Configuration(fileURL: folder.file("orders.realm"), schema: schema)
  }

  private static func fill(_ realm: Realm) throws {
    try realm.write {
      realm.dynamicCreate("Order", value: ["items": [["name": "Rope"]], "customer": ["name": "Ida"]])
      realm.dynamicCreate("Order", value: ["items": [["name": "Lamp"]]])
    }
  }

  @Test func theyAreFollowed() throws {
    let folder = ScratchFolder()
    let realm = try Realm(configuration: Self.configuration(.classes(Self.classes), in: folder))
    try Self.fill(realm)
    let orders = realm.dynamicObjects("Order")
    #expect(orders.map { $0.number as? Int } == [1, 2])
    try realm.write { realm.delete(orders.filter("number == 2")) }
    #expect(realm.dynamicObjects("Item").map { $0.name as? String } == ["Rope"])
    #expect(throws: Realm.Error.self) {
      try realm.write { realm.delete(realm.dynamicObjects("Customer")) }
    }
    #expect(realm.dynamicObjects("Customer").count == 1)
  }

  @Test func theFileKeepsThem() throws {
    let folder = ScratchFolder()
    try autoreleasepool {
      try Self.fill(Realm(configuration: Self.configuration(.classes(Self.classes), in: folder)))
    }
    // Neither the classes of the file nor descriptions without rules take any away.
    var plain = Self.classes
    for index in plain[0].properties.indices {
      plain[0].properties[index].autoIncrement = nil
      plain[0].properties[index].deleteRule = nil
    }
    for schema in [DescribedSchema.ofFile, .classes(plain), .ofFile] {
      try autoreleasepool {
        let realm = try Realm(configuration: Self.configuration(schema, in: folder))
        try realm.write {
          let order = realm.dynamicCreate("Order", value: ["items": [["name": "Knife"]]])
          realm.delete(order)
        }
        #expect(realm.dynamicObjects("Item").count == 2)
      }
    }
    let realm = try Realm(configuration: Self.configuration(.ofFile, in: folder))
    #expect(realm.schema.described == Self.classes.sorted { $0.name < $1.name })
    try realm.write { _ = realm.dynamicCreate("Order", value: [String: Any]()) }
    #expect(realm.dynamicObjects("Order").max(ofProperty: "number") == 6)
  }

  /// A program that does not know of the numbering has the file open while another one begins with it.
  @Test func numberingThatBeginsMeanwhile() throws {
    let folder = ScratchFolder()
    let numbered = Self.configuration(
      [
        DescribedClass(
          "PlainNumber", [DescribedProperty("number", .int, primaryKey: true, autoIncrement: true)])
      ], in: folder)
    let realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: folder.file("orders.realm"), objectTypes: [PlainNumber.self]))
    func addElsewhere() throws -> Int {
      try onOtherThread {
        let other = try Realm(configuration: numbered)
        return try other.write {
          other.dynamicCreate("PlainNumber", value: [String: Any]()).number as! Int
        }
      }
    }
    #expect(try addElsewhere() == 1)
    try realm.write { realm.add(PlainNumber(value: [58])) }
    #expect(try addElsewhere() == 59)
    #expect(try realm.write { realm.create(PlainNumber.self).number } == 60)
    #expect(try addElsewhere() == 61)
    #expect(realm.refresh() && realm.objects(PlainNumber.self).count == 5)
  }

  @Test func whatIsMentionedStays() throws {
    let folder = ScratchFolder()
    var ending = Self.classes
    ending[0].properties[0].autoIncrement = false
    ending[0].properties[1].deleteRule = .nullify
    let realm = try Realm(configuration: Self.configuration(.classes(ending), in: folder))
    #expect(realm.schema.described.last == ending[0])
  }

  @Test func theyAreWrittenDown() throws {
    let data = try JSONEncoder().encode(Self.classes)
    #expect(String(decoding: data, as: UTF8.self).contains("\"onDelete\":\"cascade\""))
    #expect(try JSONDecoder().decode([DescribedClass].self, from: data) == Self.classes)
    let wrong = Data(#"{"name": "a", "type": "int", "onDelete": "explode"}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(DescribedProperty.self, from: wrong) }
  }

  @Test func impossibleOnesAreProblems() {
    let problems = DescribedClass.problems(of: [
      DescribedClass("A", [DescribedProperty("name", .string, onDelete: .cascade)]),
      DescribedClass("B", [DescribedProperty("name", .string, primaryKey: true, autoIncrement: true)]),
    ])
    #expect(problems.count == 2, "\(problems)")
  }
}
