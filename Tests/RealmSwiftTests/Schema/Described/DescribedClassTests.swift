import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Descriptions of classes, before and after they are in a file.
@Suite struct DescribedClassTests {
  private let file = ScratchRealm([])

  private func sorted(_ classes: [DescribedClass]) -> [DescribedClass] {
    classes.sorted { $0.name < $1.name }
  }

  @Test func aRealmHasTheClassesThatWereDescribed() throws {
    let classes = Described.pets + [Described.everything]
    #expect(DescribedClass.problems(of: classes).isEmpty)
    let realm = try Realm(configuration: file.described(.classes(classes)))
    #expect(realm.schema.described == sorted(classes))
    #expect(realm.configuration.schema == .classes(sorted(classes)) && realm.configuration.objectTypes == nil)
    #expect(realm.schema["Dog"]?.described == Described.dog)
    #expect(realm.schema["Dog"]?.objectClass == DynamicObject.self)
    #expect(realm.schema["Dog"]?["owners"]?.type == .linkingObjects)
    #expect(realm.schema["Person"]?["dogs"]?.objectClassName == "Dog")
    #expect(realm.schema.description.contains("columnName = all_dogs"))
  }

  /// What the file has, with the names in it and without linking objects.
  @Test func classesOfAFile() throws {
    #expect(throws: Realm.Error.self) { try DescribedClass.classes(ofFileAt: file.url) }
    do { _ = try Realm(configuration: file.described(.classes(Described.pets + [Described.everything]))) }
    let found = try DescribedClass.classes(ofFileAt: file.url, encryptionKey: ScratchRealm.usualKey)
    var expected = sorted(Described.pets + [Described.everything])
    for number in expected.indices {
      expected[number].properties.removeAll { $0.type == .linkingObjects }
      for property in expected[number].properties.indices {
        expected[number].properties[property].name = expected[number].properties[property].columnName
      }
    }
    #expect(found == expected)
  }

  /// Declared classes and their descriptions are the same to a file, in both directions.
  @Test func declaredClassesAsDescribedOnes() throws {
    let types: [ObjectBase.Type] = PetOwner.classes + [EveryScalar.self, EveryOptional.self]
    let declared = Realm.Configuration(objectTypes: types).classes!
    let described = Schema(declared).described
    #expect(DescribedClass.problems(of: described).isEmpty)
    do {
      let realm = try Realm(configuration: file.described(.classes(described)))
      try realm.write { realm.dynamicCreate("PetOwner", value: ["id": "o", "pets": [["id": 3]]]) }
    }
    var configuration = file.configuration
    configuration.objectTypes = types
    #expect(try Realm.migrationPlan(for: configuration).action == .nothing)
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.object(ofType: PetOwner.self, forPrimaryKey: "o")?.pets.first?.id == 3)
    }
    let plan = try Realm.migrationPlan(for: file.described(.classes(described)))
    #expect(plan.action == .nothing && plan.differences.isEmpty)
  }

  @Test func json() throws {
    let classes = Described.pets + [Described.everything]
    let data = try JSONEncoder().encode(classes)
    #expect(try JSONDecoder().decode([DescribedClass].self, from: data) == classes)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    #expect(
      String(decoding: try encoder.encode(Described.address), as: UTF8.self)
        == #"{"embedded":true,"name":"Address","properties":[{"name":"street","type":"string"},{"class":"Person","name":"resident","type":"object"}]}"#
    )
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(DescribedProperty.self, from: Data(#"{"name":"a","type":"integer"}"#.utf8))
    }
    #expect("\(try #require(error))".contains("'integer' is no type of a property: one of int, bool, string"))
  }

  // MARK: What cannot be stored

  @Test(arguments: [
    (
      [DescribedClass("A", [DescribedProperty("x", .bool, primaryKey: true)])],
      "Property 'A.x' of type 'bool' cannot be made the primary key."
    ),
    (
      [DescribedClass("A", [DescribedProperty("x", .int, in: .list, primaryKey: true)])],
      "Property 'A.x' of type 'array<int>' cannot be made the primary key."
    ),
    (
      [DescribedClass("A", [DescribedProperty("x", .double, indexed: true)])],
      "Property 'A.x' of type 'double' cannot be indexed."
    ),
    (
      [DescribedClass("A", [DescribedProperty("x", .int, fullText: true)])],
      "Property 'A.x' of type 'int' cannot be full-text indexed."
    ),
    (
      [DescribedClass("A", [DescribedProperty("x", .any, optional: true)])],
      "Property 'A.x' of type 'mixed' cannot be nullable."
    ),
    (
      [DescribedClass("A", embedded: true, [DescribedProperty("x", .int, primaryKey: true)])],
      "Embedded object type 'A' cannot have a primary key."
    ),
    (
      [DescribedClass("A", [DescribedProperty("x", .object, of: "B")])],
      "Property 'A.x' of type 'object' has unknown object type 'B'"
    ),
    (
      [DescribedClass("A", [DescribedProperty("x", .object)])],
      "Property 'A.x' of type 'object' does not say which class it links to."
    ),
    (
      [DescribedClass("A", [DescribedProperty("x", .int, of: "A")])],
      "Property 'A.x' of type 'int' names a class and is no link."
    ),
    (
      [DescribedClass("A", [DescribedProperty("x", .object, of: "A", optional: false)])],
      "Object property 'x' must be marked as optional."
    ),
    (
      [DescribedClass("A", [DescribedProperty("x", .object, of: "A", in: .list, optional: true)])],
      "List<A> property 'x' must not be marked as optional."
    ),
    (
      [
        DescribedClass("A", [DescribedProperty("x", .object, of: "B", in: .set)]),
        DescribedClass("B", embedded: true, [DescribedProperty("x", .int)]),
      ],
      "Set property 'A.x' cannot contain embedded object type 'B'. Set semantics are not applicable to embedded objects."
    ),
    (
      [DescribedClass("A", embedded: true, [DescribedProperty("x", .object, of: "A")])],
      "Cycles containing embedded objects are not currently supported: 'A.x'"
    ),
    (
      [
        DescribedClass(
          "A",
          [DescribedProperty("x", .int, primaryKey: true), DescribedProperty("y", .int, primaryKey: true)])
      ],
      "Properties 'y' and 'x' are both marked as the primary key of 'A'"
    ),
    (
      [DescribedClass("A", [DescribedProperty("x", .int), DescribedProperty("x", .string)])],
      "Property 'x' is declared multiple times in the class hierarchy of 'A'"
    ),
    (
      [DescribedClass("A", [DescribedProperty("x", .int), DescribedProperty("y", .int, columnName: "x")])],
      "Property 'A.y' has an alias 'x' that conflicts with a property of the same name."
    ),
    (
      [
        DescribedClass("A", [DescribedProperty("x", .int)]),
        DescribedClass("A", [DescribedProperty("y", .int)]),
      ],
      "Class 'A' is described more than once."
    ),
    ([DescribedClass("A", [])], "No properties are defined for 'A'."),
    ([DescribedClass("", [DescribedProperty("x", .int)])], "A class has no name."),
    ([DescribedClass("A", [DescribedProperty("", .int)])], "A property of 'A' has no name."),
    (
      [DescribedClass("A", [DescribedProperty("x", .linkingObjects, of: "A", originProperty: "y")])],
      "Property 'A.y' declared as origin of linking objects property 'A.x' does not exist"
    ),
    (
      [
        DescribedClass(
          "A",
          [
            DescribedProperty("x", .linkingObjects, of: "A", originProperty: "y"),
            DescribedProperty("y", .int),
          ])
      ],
      "Property 'A.y' declared as origin of linking objects property 'A.x' is not a link"
    ),
    (
      [DescribedClass("A", [DescribedProperty("x", .linkingObjects, of: "A")])],
      "LinkingObjects<A> property 'x' must set the origin property name with @Persisted(originProperty: \"name\")."
    ),
    (
      [
        DescribedClass(
          "A",
          [
            DescribedProperty("x", .object, of: "A"),
            DescribedProperty("y", .linkingObjects, of: "A", indexed: true, originProperty: "x"),
          ])
      ],
      "Property 'A.y' of type 'linking objects<A>' cannot be indexed."
    ),
  ])
  func problems(classes: [DescribedClass], problem: String) throws {
    #expect(DescribedClass.problems(of: classes) == [problem])
    let error = realmError { _ = try Realm(configuration: file.described(.classes(classes))) }
    #expect(error?.code == .fail)
    #expect(
      error?.localizedDescription == "Schema validation failed due to the following errors:\n- \(problem)")
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func allProblemsAreTold() {
    let classes = [
      DescribedClass("A", [DescribedProperty("x", .object, of: "B")]),
      DescribedClass("C", [DescribedProperty("x", .float, primaryKey: true)]),
    ]
    #expect(DescribedClass.problems(of: classes).count == 2)
  }

  @Test func oneOrTheOther() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Realm.Configuration(objectTypes: [], schema: .ofFile)
    }
    expectStop(result, saying: "A Realm Configuration cannot have both objectTypes and a schema.")
    var configuration = file.described(.ofFile)
    configuration.objectTypes = [RealmDog.self]
    #expect(configuration.schema == nil)
    configuration.schema = [Described.toy]
    #expect(configuration.objectTypes == nil && configuration.schema == .classes([Described.toy]))
  }
}
