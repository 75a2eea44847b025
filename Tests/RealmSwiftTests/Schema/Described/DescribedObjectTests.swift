import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Objects of described classes have all that objects of declared ones have.
@Suite struct DescribedObjectTests {
  nonisolated(unsafe) private static let values: [PropertyType: [Any]] = [
    .int: [1, -2, 3], .bool: [true, false], .string: ["", "b", "c"], .data: [Data([1]), Data()],
    .date: [Date(timeIntervalSinceReferenceDate: 1), Date(timeIntervalSinceReferenceDate: -1)],
    .float: [Float(0.5), Float(-1)], .double: [0.25, -1.0], .any: [1, "x", Data([2])],
    .objectId: [ObjectId("000102030405060708090a0b"), ObjectId("ff0102030405060708090a0b")],
    .decimal128: [Decimal128(1), Decimal128("2.5")], .UUID: [UUID(), UUID()],
  ]

  private func hashable(_ value: Any?) -> AnyHashable? {
    if let mixed = value as? AnyRealmValue { return hashable(mixed._rlmDynamicValue) }
    return value as? AnyHashable
  }

  @Test func valuesOfAllTypes() throws {
    let described = try DescribedRealm([Described.everything, Described.toy])
    let realm = described.realm
    var value: [String: Any] = ["id": 1]
    for (type, values) in Self.values {
      for suffix in type == .any ? [""] : ["", "_optional"] {
        value["one_\(type)\(suffix)"] = values[0]
        value["list_\(type)\(suffix)"] = values
        value["set_\(type)\(suffix)"] = values
        value["map_\(type)\(suffix)"] = ["a": values[0], "b": values[1]]
      }
    }
    value["one_object"] = ["label": "ball"]
    value["list_object"] = [["label": "x"], ["label": "y"]]
    value["set_object"] = [["label": "z"]]
    value["map_object"] = ["k": ["label": "w"]]
    try realm.write { realm.dynamicCreate("Everything", value: value) }
    let object = try #require(realm.dynamicObject(ofType: "Everything", forPrimaryKey: 1))
    for (type, values) in Self.values {
      for suffix in type == .any ? [""] : ["", "_optional"] {
        #expect(hashable(object["one_\(type)\(suffix)"]) == hashable(values[0]), "\(type)\(suffix)")
        let list = try #require(Enumeration.elements(object["list_\(type)\(suffix)"] as Any))
        #expect(list.map { hashable($0) } == values.map { hashable($0) }, "\(type)\(suffix)")
        let set = try #require(Enumeration.elements(object["set_\(type)\(suffix)"] as Any))
        #expect(Set(set.map { hashable($0) }) == Set(values.map { hashable($0) }), "\(type)\(suffix)")
        let map = try #require(Enumeration.entries(object["map_\(type)\(suffix)"] as Any))
        #expect(map.map { hashable($0.value) } == values.prefix(2).map { hashable($0) }, "\(type)\(suffix)")
      }
    }
    #expect((object.one_object as? DynamicObject)?.label as? String == "ball")
    #expect((object.list_object as? List<DynamicObject>)?.map { $0.label as? String } == ["x", "y"])
    #expect((object.set_object as? MutableSet<DynamicObject>)?.first?.label as? String == "z")
    #expect((object.map_object as? Map<String, DynamicObject?>)?["k"]??.label as? String == "w")
    #expect((object.list_string_optional as? List<String?>)?.count == 3)
    try realm.write {
      object.list_int = [7]
      (object.list_string_optional as? List<String?>)?.append(nil)
      (object.set_UUID as? MutableSet<UUID>)?.removeAll()
      (object.map_double as? Map<String, Double>)?["c"] = 9
      object.one_any = ["nested": [1, ["deep": realm.dynamicCreate("Toy", value: ["label": "far"])]]]
      object.one_object = nil
      (object.list_object as? List<DynamicObject>)?.append(
        realm.dynamicCreate("Toy", value: ["label": "new"]))
    }
    #expect((object.list_int as? List<Int>).map { Array($0) } == [7])
    #expect((object.list_string_optional as? List<String?>)?.last == .some(nil))
    #expect((object.set_UUID as? MutableSet<UUID>)?.isEmpty == true)
    #expect((object.map_double as? Map<String, Double>)?["c"] == 9)
    let nested = (object.one_any as? Map<String, AnyRealmValue>)?["nested"]?.listValue
    let far = nested?[1].dictionaryValue?["deep"]?.dynamicObject
    #expect(nested?[0] == .int(1) && far?.label as? String == "far")
    #expect(object.one_object == nil && (object.list_object as? List<DynamicObject>)?.count == 3)
  }

  @Test func whatIsLeftOutHasDefaults() throws {
    let described = try DescribedRealm([Described.everything, Described.toy])
    let realm = described.realm
    let before = Date()
    try realm.write { realm.dynamicCreate("Everything", value: ["id": 1]) }
    let object = try #require(realm.dynamicObjects("Everything").first)
    #expect(object.one_int as? Int == 0 && object.one_bool as? Bool == false)
    #expect(object.one_string as? String == "" && object.one_data as? Data == Data())
    #expect(object.one_float as? Float == 0 && object.one_double as? Double == 0)
    #expect(object.one_decimal128 as? Decimal128 == 0)
    // As a declaration without a value has it.
    let date = try #require(object.one_date as? Date)
    #expect(date >= before.addingTimeInterval(-1) && date <= Date())
    #expect(object.one_UUID is UUID && object.one_objectId is ObjectId)
    for type in Described.scalarTypes where type != .any { #expect(object["one_\(type)_optional"] == nil) }
    #expect(object.one_any == nil && object.one_object == nil)
    #expect((object.list_int as? List<Int>)?.isEmpty == true)
  }

  /// Keys of values that are made up identify objects; others have to be given.
  @Test func keys() throws {
    let described = try DescribedRealm()
    let realm = described.realm
    try realm.write {
      let first = realm.dynamicCreate("Person", value: ["name": "a"])
      let second = realm.dynamicCreate("Person")
      #expect(first.id as? ObjectId != second.id as? ObjectId)
      #expect(
        realm.dynamicObject(ofType: "Person", forPrimaryKey: first.id!)?.isSameObject(as: first) == true)
    }
  }

  @Test func anObjectOfAnotherClass() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let described = try DescribedRealm()
      let person = try described.addPerson("Ann", dogs: 1...1)
      try described.realm.write {
        let toy = described.realm.dynamicCreate("Toy", value: ["label": "ball"])
        (person.dogs as? List<DynamicObject>)?.append(toy)
      }
    }
    expectStop(result, saying: "Object of type 'Toy' does not match RLMArray type 'Dog'.")
  }

  @Test func aKeyThatIsLeftOut() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let described = try DescribedRealm()
      try described.realm.write { _ = described.realm.dynamicCreate("Dog", value: ["age": 1]) }
    }
    expectStop(result, saying: "Missing value for property 'Dog.name'.")
  }

  @Test func aDuplicateKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let described = try DescribedRealm()
      try described.realm.write {
        for _ in 0..<2 { _ = described.realm.dynamicCreate("Dog", value: ["name": "Rex"]) }
      }
    }
    expectStop(
      result, saying: "Attempting to create an object of type 'Dog' with an existing primary key value 'Rex'."
    )
  }

  @Test func linksEmbeddedObjectsAndWaysBack() throws {
    let described = try DescribedRealm()
    let realm = described.realm
    let person = try realm.write {
      realm.dynamicCreate(
        "Person",
        value: [
          "name": "Ann",
          "dogs": [["name": "Rex", "age": 3, "toys": [["label": "ball"]]], ["Max", 4, "long", []]],
          "home": ["street": "Elm"], "places": [["street": "Oak"], ["Pine"]],
        ] as [String: Any])
    }
    let rex = try #require(described.dog("Rex"))
    let max = try #require(described.dog("Max"))
    #expect(max.age as? Int == 4 && max.story as? String == "long")
    #expect((rex.toys as? List<DynamicObject>)?.first?.label as? String == "ball")
    #expect((rex.owners as? LinkingObjects<DynamicObject>)?.map { $0.name as? String } == ["Ann"])
    #expect((person.home as? DynamicObject)?.street as? String == "Elm")
    #expect((person.places as? List<DynamicObject>)?.map { $0.street as? String } == ["Oak", "Pine"])
    try realm.write {
      person.favourite = rex
      person.byName = ["m": max, "nobody": nil] as [String: Any?]
      (person.home as? DynamicObject)?.resident = person
      person.extra = rex
    }
    #expect((person.favourite as? DynamicObject)?.isSameObject(as: rex) == true)
    #expect((person.byName as? Map<String, DynamicObject?>)?["m"]??.isSameObject(as: max) == true)
    #expect((person.extra as? DynamicObject)?.name as? String == "Rex")
    #expect(person.value(forKeyPath: "home.resident.favourite.toys") is List<DynamicObject>)
    try realm.write { realm.delete(rex) }
    #expect(
      person.favourite == nil && person.extra == nil && (person.dogs as? List<DynamicObject>)?.count == 1)
    let home = try #require(person.home as? DynamicObject)
    try realm.write { person.home = ["street": "New", "resident": person] as [String: Any] }
    #expect(home.isInvalidated && (person.home as? DynamicObject)?.street as? String == "New")
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty)
  }

  @Test func upserts() throws {
    let described = try DescribedRealm()
    let realm = described.realm
    let person = try described.addPerson("Ann", dogs: 1...3)
    let home = try realm.write {
      person.home = ["street": "Elm"]
      return try #require(person.home as? DynamicObject)
    }
    try realm.write {
      let same = realm.dynamicCreate(
        "Person", value: ["id": person.id!, "home": ["street": "Oak"]] as [String: Any], update: .modified)
      #expect(same.isSameObject(as: person))
      realm.dynamicCreate("Dog", value: ["name": "Ann 2", "age": 20], update: .all)
    }
    #expect(person.name as? String == "Ann" && home.street as? String == "Oak" && !home.isInvalidated)
    #expect((person.dogs as? List<DynamicObject>)?.map { $0.age as? Int } == [1, 20, 3])
    #expect(realm.dynamicObjects("Dog").count == 3)
  }

  /// Objects of another realm are copied, whatever classes that has.
  @Test func copiesBetweenRealms() throws {
    let source = try DescribedRealm()
    let target = try DescribedRealm()
    let person = try source.addPerson("Ann", dogs: 1...3)
    try source.realm.write { person.extra = source.dog("Ann 2") }
    try target.realm.write { target.realm.dynamicCreate("Person", value: person, update: .modified) }
    let copy = try #require(target.realm.dynamicObjects("Person").first)
    #expect(copy.id as? ObjectId == person.id as? ObjectId)
    #expect((copy.dogs as? List<DynamicObject>)?.map { $0.name as? String } == ["Ann 1", "Ann 2", "Ann 3"])
    #expect((copy.extra as? DynamicObject)?.realm == target.realm)
    #expect(target.realm.dynamicObjects("Dog").count == 3)
  }
}
