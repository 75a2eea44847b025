import Foundation
import TestSupport
import Testing

@testable import RealmSwift

class IndexedVisit: Object {
  @Persisted var city = ""
  @Persisted var age = 0
  @Persisted var day = Date(timeIntervalSince1970: 0)
  @Persisted var weight = 0.5

  override class func indexes() -> [Index] {
    [.index(\.city, \.age), .index(\IndexedVisit.day, \.city), .index(\.age), .unique(\.day)]
  }
}

/// Indexes that classes name, in the schema of the file.
@Suite struct CompoundIndexSchemaTests {
  let file = ScratchRealm([IndexedVisit.self])

  private static let properties = [
    DescribedProperty("city", .string), DescribedProperty("age", .int), DescribedProperty("day", .date),
    DescribedProperty("weight", .double),
  ]

  private func described(_ indexes: [Index]) -> Realm.Configuration {
    file.described([DescribedClass("IndexedVisit", Self.properties, indexes: indexes)])
  }

  private var stored: [Index]? {
    get throws {
      try autoreleasepool {
        try Realm(configuration: file.described(.ofFile)).schema["IndexedVisit"]?.indexes
      }
    }
  }

  @Test func theSchemaSaysThem() throws {
    let realm = try file.open()
    let schema = realm.schema["IndexedVisit"]!
    #expect(schema.indexes == [Index(.plain, ["city", "age"]), Index(.plain, ["day", "city"])])
    // Those of one property are marks of it.
    #expect(schema["age"]!.isIndexed && schema["day"]!.isUnique && !schema["city"]!.isIndexed)
    #expect(try stored == schema.indexes)
    let data = try JSONEncoder().encode(schema.described)
    #expect(try JSONDecoder().decode(DescribedClass.self, from: data) == schema.described)
  }

  @Test func theyComeAndGo() throws {
    try file.write { realm in
      for age in 0..<100 {
        realm.create(
          IndexedVisit.self,
          value: ["city": "c\(age % 7)", "age": age, "day": Date(timeIntervalSince1970: Double(age))])
      }
    }
    let first = try #require(try stored)
    // A class that names none leaves them.
    try autoreleasepool {
      let realm = try Realm(configuration: described([]))
      try realm.write { realm.dynamicObjects("IndexedVisit")[3]["city"] = "x" }
    }
    #expect(try stored == first)
    let plan = try Realm.migrationPlan(for: described([.unique(\.city, \.age), first[0]]))
    #expect(plan.action == .silent)
    #expect(
      plan.differences == [
        "Unique index 'city, age' of class 'IndexedVisit' has been added.",
        "Index 'day, city' of class 'IndexedVisit' has been removed.",
      ])
    try autoreleasepool { _ = try Realm(configuration: described([.unique(\.city, \.age), first[0]])) }
    #expect(try stored == [first[0], Index(.unique, ["city", "age"])])
    try autoreleasepool { _ = try Realm(configuration: described([.none])) }
    #expect(try stored == [])
    try autoreleasepool { _ = try file.open() }
    #expect(try Realm.verify(at: file.url, encryptionKey: ScratchRealm.usualKey).faults == [])
    let copy = file.folder.appendingPathComponent("copy.realm")
    try autoreleasepool { try file.open().writeCopy(toFile: copy, encryptionKey: ScratchRealm.usualKey) }
    #expect(try Realm.verify(at: copy, encryptionKey: ScratchRealm.usualKey).faults == [])
  }

  /// An index follows its properties: it goes with one of them, and comes again with another type.
  @Test func changedProperties() throws {
    try file.write { realm in
      for age in 0..<10 {
        realm.create(IndexedVisit.self, value: ["age": age, "day": Date(timeIntervalSince1970: Double(age))])
      }
    }
    var properties = Self.properties
    properties[1] = DescribedProperty("age", .string)
    var configuration = file.described(
      [DescribedClass("IndexedVisit", properties, indexes: [.index(\.city, \.age)])], version: 1)
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "IndexedVisit") { old, new in new!["age"] = "\(old!["age"] as! Int)"
      }
    }
    try autoreleasepool { _ = try Realm(configuration: configuration) }
    #expect(try stored == [Index(.plain, ["city", "age"])])
    #expect(try Realm.verify(at: file.url, encryptionKey: ScratchRealm.usualKey).faults == [])
    properties.remove(at: 1)
    try autoreleasepool {
      _ = try Realm(configuration: file.described([DescribedClass("IndexedVisit", properties)], version: 2))
    }
    #expect(try stored == [])
    #expect(try Realm.verify(at: file.url, encryptionKey: ScratchRealm.usualKey).faults == [])
  }

  /// A class that names none: its indexes follow renamed properties, and its own primary key takes the place of another one.
  @Test func classesThatNameNone() throws {
    try autoreleasepool {
      let realm = try Realm(configuration: described([.primaryKey(\.city, \.age), .unique(\.age, \.day)]))
      try realm.write {
        for age in 0..<10 { realm.dynamicCreate("IndexedVisit", value: ["city": "x", "age": age]) }
      }
    }
    var properties = Self.properties
    properties[1] = DescribedProperty("years", .int)
    var renamed = file.described([DescribedClass("IndexedVisit", properties)], version: 1)
    renamed.migrationBlock = { migration, _ in
      migration.renameProperty(onType: "IndexedVisit", from: "age", to: "years")
    }
    try autoreleasepool { _ = try Realm(configuration: renamed) }
    #expect(try stored == [Index(.primaryKey, ["city", "years"]), Index(.unique, ["years", "day"])])
    #expect(try Realm.verify(at: file.url, encryptionKey: ScratchRealm.usualKey).faults == [])
    properties[1] = DescribedProperty("years", .string)
    var retyped = file.described([DescribedClass("IndexedVisit", properties)], version: 2)
    retyped.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "IndexedVisit") { old, new in
        new!["years"] = "\(old!["years"] as! Int)"
      }
    }
    try autoreleasepool { _ = try Realm(configuration: retyped) }
    #expect(try stored == [Index(.primaryKey, ["city", "years"]), Index(.unique, ["years", "day"])])
    let plan = try Realm.migrationPlan(
      for: file.described(
        [DescribedClass("IndexedVisit", properties.filter { $0.name != "years" })], version: 3))
    #expect(
      plan.differences == [
        "Property 'IndexedVisit.years' has been removed.",
        "Primary key 'city, years' of class 'IndexedVisit' has been removed.",
        "Unique index 'years, day' of class 'IndexedVisit' has been removed.",
      ])
    properties[1] = DescribedProperty("years", .string, primaryKey: true)
    let keyed = file.described([DescribedClass("IndexedVisit", properties)], version: 3)
    try autoreleasepool {
      let realm = try Realm(configuration: keyed)
      #expect(realm.dynamicObject(ofType: "IndexedVisit", forPrimaryKey: "7")?["city"] as? String == "x")
    }
    #expect(try stored == [Index(.unique, ["years", "day"])])
    #expect(try Realm.verify(at: file.url, encryptionKey: ScratchRealm.usualKey).faults == [])
  }

  @Test func tooManyAtOnce() throws {
    let names = (0..<12).map { "p\($0)" }
    let pairs = names.flatMap { a in names.filter { $0 != a }.map { Index(.plain, [a, $0]) } }
    func configuration(_ indexes: ArraySlice<Index>) -> Realm.Configuration {
      file.described([
        DescribedClass("Wide", names.map { DescribedProperty($0, .int) }, indexes: Array(indexes))
      ])
    }
    try autoreleasepool { _ = try Realm(configuration: configuration(pairs[..<40])) }
    let error = realmError { _ = try Realm(configuration: configuration(pairs[40..<80])) }
    #expect(error?.localizedDescription.hasPrefix("Class 'Wide' cannot have more than 64 indexes") == true)
    try autoreleasepool { _ = try Realm(configuration: configuration(pairs[40..<60])) }
    try autoreleasepool { _ = try Realm(configuration: configuration(pairs[40..<80])) }
    guard case .classes(let classes)? = configuration(pairs[..<65]).schema else { return }
    #expect(
      DescribedClass.problems(of: classes) == [
        "Class 'Wide' cannot have more than 64 indexes over several properties."
      ])
  }

  @Test func collectionsCanNotBe() {
    func problems(_ indexes: [Index], unique: Bool? = nil) -> [String] {
      DescribedClass.problems(of: [
        DescribedClass(
          "IndexedVisit",
          Self.properties + [
            DescribedProperty("tags", .string, in: .list, unique: unique),
            DescribedProperty("names", .string, in: .set), DescribedProperty("notes", .string, in: .map),
          ], indexes: indexes)
      ])
    }
    let unique = "Property 'IndexedVisit.tags' of type 'array<string>' cannot be unique."
    #expect(problems([], unique: true) == [unique])
    #expect(problems([.unique(\.tags)]) == [unique])
    #expect(
      problems([.unique(\.names)])
        == ["Property 'IndexedVisit.names' of type 'set<string>' cannot be unique."])
    #expect(
      problems([.index(\.city, \.tags)])
        == [
          "Property 'IndexedVisit.tags' of type 'array<string>' cannot be in an index over several properties."
        ])
    #expect(
      problems([.unique(\.notes, \.city)])
        == [
          "Property 'IndexedVisit.notes' of type 'dictionary<string, string>' cannot be in an index over several properties."
        ])
    #expect(
      problems([.primaryKey(\.city, \.names)])
        == [
          "Property 'IndexedVisit.names' of type 'set<string>' cannot be in an index over several properties."
        ])
  }

  @Test(
    arguments: [
      ([.index(\.city, \.town)], "Class 'IndexedVisit' has no property 'town' that an index could be over."),
      (
        [.unique(\.city.name)],
        "Class 'IndexedVisit' has no property 'city.name' that an index could be over."
      ),
      ([.index(\.city, \.city)], "An index of class 'IndexedVisit' names a property twice: 'city', 'city'."),
      (
        [.index(\.city, \.weight)],
        "Property 'IndexedVisit.weight' of type 'double' cannot be in an index over several properties."
      ),
      (
        [.primaryKey(\.city)],
        "The primary key of class 'IndexedVisit' is one property: write '@Persisted(primaryKey: true) var city'."
      ),
      (
        [.primaryKey(\.city, \.age), .primaryKey(\.age, \.city)],
        "Class 'IndexedVisit' has more than one primary key."
      ),
      ([Index(.plain, [])], "An index of class 'IndexedVisit' names no properties."),
      ([.unique(\.weight)], "Property 'IndexedVisit.weight' of type 'double' cannot be unique."),
    ] as [([Index], String)]) func indexesThatCanNotBe(indexes: [Index], problem: String)
  {
    let problems = DescribedClass.problems(of: [
      DescribedClass("IndexedVisit", Self.properties, indexes: indexes)
    ])
    #expect(problems == [problem])
  }
}
