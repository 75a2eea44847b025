import Foundation
import RealmSwift
import TestSupport

/// Classes of which the program has no declaration.
enum Described {
  static let scalarTypes: [PropertyType] = [
    .int, .bool, .string, .data, .date, .float, .double, .any, .objectId, .decimal128, .UUID,
  ]

  /// A property of each type in each collection, and an optional one where there may be.
  static let everything: DescribedClass = {
    var properties = [DescribedProperty("id", .int, primaryKey: true)]
    for collection in [nil, DescribedProperty.Collection.list, .set, .map] {
      let prefix = collection?.rawValue ?? "one"
      for type in scalarTypes {
        properties.append(DescribedProperty("\(prefix)_\(type)", type, in: collection))
        if type != .any {
          properties.append(
            DescribedProperty("\(prefix)_\(type)_optional", type, in: collection, optional: true))
        }
      }
      properties.append(DescribedProperty("\(prefix)_object", .object, of: "Toy", in: collection))
    }
    return DescribedClass("Everything", properties)
  }()

  static let toy = DescribedClass("Toy", [DescribedProperty("label", .string, optional: true)])

  static let dog = DescribedClass(
    "Dog",
    [
      DescribedProperty("name", .string, primaryKey: true, columnName: "dog_name"),
      DescribedProperty("age", .int, indexed: true),
      DescribedProperty("story", .string, fullText: true),
      DescribedProperty("toys", .object, of: "Toy", in: .list),
      DescribedProperty("owners", .linkingObjects, of: "Person", originProperty: "dogs"),
    ])
  static let person = DescribedClass(
    "Person",
    [
      DescribedProperty("id", .objectId, primaryKey: true),
      DescribedProperty("name", .string),
      DescribedProperty("dogs", .object, of: "Dog", in: .list, columnName: "all_dogs"),
      DescribedProperty("favourite", .object, of: "Dog"),
      DescribedProperty("byName", .object, of: "Dog", in: .map),
      DescribedProperty("home", .object, of: "Address"),
      DescribedProperty("places", .object, of: "Address", in: .list),
      DescribedProperty("extra", .any),
    ])
  static let address = DescribedClass(
    "Address", embedded: true,
    [DescribedProperty("street", .string), DescribedProperty("resident", .object, of: "Person")])
  static let pets = [dog, person, address, toy]
}

extension ScratchRealm {
  /// The configuration with other classes.
  func described(_ schema: DescribedSchema, version: UInt64 = 0) -> Realm.Configuration {
    var configuration = configuration
    configuration.schema = schema
    configuration.schemaVersion = version
    return configuration
  }
}

/// A realm with described classes, in a file that disappears with it.
struct DescribedRealm {
  let file = ScratchRealm([])
  let realm: Realm

  init(_ classes: [DescribedClass] = Described.pets) throws {
    realm = try Realm(configuration: file.described(.classes(classes)))
  }

  /// A person with dogs whose ages are the numbers.
  @discardableResult
  func addPerson(_ name: String, dogs: ClosedRange<Int>) throws -> DynamicObject {
    try realm.write {
      realm.dynamicCreate(
        "Person",
        value: ["name": name, "dogs": dogs.map { ["name": "\(name) \($0)", "age": $0] as [String: Any] }]
          as [String: Any])
    }
  }

  func dog(_ name: String) -> DynamicObject? { realm.dynamicObject(ofType: "Dog", forPrimaryKey: name) }
}
