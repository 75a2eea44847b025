import Foundation
import RealmSwift
import TestSupport
import Testing

struct DescribedClassesTests {
  private let folder = ScratchFolder()

  @Test func whateverIsInAFile() throws {
    let mountains = try Mountains()
    let url = folder.file("copy.realm")
    try mountains.realm.writeCopy(toFile: url)
    #expect(try DescribedClass.classes(ofFileAt: url).contains { $0.name == "Hut" })
    let realm = try Realm(configuration: Realm.Configuration(fileURL: url, schema: .ofFile))
    for objectClass in realm.schema.described {
      print(objectClass.name, realm.dynamicObjects(objectClass.name).count)
    }
    #expect(realm.dynamicObjects("Hut").count == 3)
  }

  @Test func describedClasses() throws {
    let url = folder.file("huts.realm")
    let hut = DescribedClass(
      "Hut",
      [
        DescribedProperty("name", .string, primaryKey: true),
        DescribedProperty("beds", .int, indexed: true),
        DescribedProperty("trails", .linkingObjects, of: "Trail", originProperty: "huts"),
      ])
    let trail = DescribedClass(
      "Trail",
      [
        DescribedProperty("length", .double, optional: true),
        DescribedProperty("tags", .string, in: .set),
        DescribedProperty("huts", .object, of: "Hut", in: .list),
      ])
    let configuration = Realm.Configuration(fileURL: url, schemaVersion: 1, schema: [hut, trail])
    for problem in DescribedClass.problems(of: [hut, trail]) {
      print(problem)
    }
    #expect(DescribedClass.problems(of: [hut]).isEmpty == false)
    let json = try JSONEncoder().encode([hut, trail])
    let classes = try JSONDecoder().decode([DescribedClass].self, from: json)
    #expect(classes == [hut, trail])
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.dynamicCreate("Trail", value: ["length": 14.5, "huts": [["name": "Larch", "beds": 12]]])
    }
    let larch = realm.dynamicObject(ofType: "Hut", forPrimaryKey: "Larch")!
    let trails = larch["trails"] as! LinkingObjects<DynamicObject>
    let long = realm.dynamicObjects("Trail").filter("length > 10 AND ANY huts.beds < 20")
    print(trails.count, long.count)  // 1 1
    #expect(trails.count == 1 && long.count == 1)
  }

  @Test func comments() throws {
    let url = folder.file("dogs.realm")
    let dog = DescribedClass(
      "Dog",
      [
        DescribedProperty("name", .string, primaryKey: true),
        DescribedProperty("age", .int, optional: true, indexed: true),
        DescribedProperty("friends", .object, of: "Dog", in: .list),
      ])
    let realm = try Realm(configuration: Realm.Configuration(fileURL: url, schema: [dog]))
    try realm.write { realm.dynamicCreate("Dog", value: ["name": "Rex", "age": 3]) }
    #expect(realm.dynamicObjects("Dog").count == 1)
    let classes = try DescribedClass.classes(ofFileAt: url)
    #expect(classes == [dog])
    let configuration = Realm.Configuration(fileURL: url, schema: .ofFile)
    #expect(configuration.schema == .ofFile)
    let properties = [
      DescribedProperty("owner", .object, of: "Person"),
      DescribedProperty("tags", .string, in: .set),
      DescribedProperty("dogs", .linkingObjects, of: "Dog", originProperty: "owner"),
    ]
    #expect(properties.map(\.isOptional) == [true, false, false])
  }

  /// A sample of the documentation of what is different to the official SDK.
  @Test func filesOfTheOfficialSDK() throws {
    let url = folder.file("people.realm")
    let configuration = Realm.Configuration(fileURL: url, schemaVersion: 7, officialFile: .convert)
    #expect(configuration.officialFile == .convert)
  }
}
