import Foundation
import OfficialConversion
import RealmSwift
import TestSupport
import Testing

@testable import OfficialFiles

/// Classes as the programs had them that wrote the samples open the converted files as they are.
struct RealmTests {
  private let folder = ScratchFolder()

  private func open(_ sample: Sample, version: UInt64, _ types: [ObjectBase.Type]) throws -> Realm {
    let url = folder.file("\(sample.name).realm")
    _ = try OfficialConversion.run(from: sample.path, key: sample.key, to: url.path)
    // A difference between file and classes would need a migration.
    return try Realm(
      configuration: Realm.Configuration(fileURL: url, schemaVersion: version, objectTypes: types))
  }

  @Test func objectsLinksAndEmbeddedObjects() throws {
    let realm = try open(
      .schema, version: 7,
      [
        Converted.Person.self, Converted.Address.self, Converted.Company.self, Converted.New.self,
        Converted.Untouched.self,
      ])
    let persons = realm.objects(Converted.Person.self)
    let expected = try Sample.schema.description().classes.first { $0.name == "Person" }!.objects
    #expect(persons.count == expected.count)
    for values in expected.values {
      guard case .int(let id) = values["id"] else { continue }
      let person = try #require(realm.object(ofType: Converted.Person.self, forPrimaryKey: Int(id)))
      #expect(Content(person.givenName) == values["givenName"] && Content(person.note) == values["note"])
      #expect((person.address == nil) == (values["address"] == .null))
      #expect(Set(person.tags.map { Content($0) }) == Set((values["tags"] ?? .null).elements))
    }
    let company = try #require(realm.object(ofType: Converted.Company.self, forPrimaryKey: "ACME"))
    #expect(company.employees.first?.givenName == "First0")
    #expect(company.employees[0].companies.first == company)
    #expect(realm.objects(Converted.Untouched.self).first?.v.stringValue == "here")
    #expect(realm.objects(Converted.New.self).count == 5)
    #expect(
      persons.where { $0.note == "note" }.count == expected.values.count { $0["note"] == .text("note") })
    try realm.write { realm.delete(company) }
  }

  @Test func valuesOfAllTypes() throws {
    let realm = try open(.encrypted, version: 3, [Converted.AllTypes.self, Converted.PKString.self])
    let objects = realm.dynamicObjects("AllTypes")
    let expected = try Sample.encrypted.description().classes.first { $0.name == "AllTypes" }!.objects
    #expect(objects.count == expected.count)
    for (object, key) in zip(objects, expected.keys.sorted()) {
      for (name, content) in expected[key]! where content != .null || name != "mixed" {
        #expect(Content.is(object[name], content), "\(name) of object \(key)")
      }
    }
  }
}

extension Content {
  fileprivate init(_ string: String?) { self = string.map { .string(Array($0.utf8)) } ?? .null }

  fileprivate var elements: [Content] {
    switch self {
    case .list(let elements): elements
    case .set(let elements): Array(elements)
    default: []
    }
  }

  /// Whether a value of a dynamic object is what was described.
  fileprivate static func `is`(_ value: Any?, _ content: Content) -> Bool {
    switch content {
    case .null: value == nil
    case .int(let number): value as? Int == Int(number)
    case .bool(let flag): value as? Bool == flag
    case .float(let bits): (value as? Float)?.bitPattern == bits
    case .double(let bits): (value as? Double)?.bitPattern == bits
    case .string(let bytes): (value as? String).map { Array($0.utf8) } == bytes
    case .data(let bytes): value as? Data == Data(bytes)
    case .date:
      content.withDatesOfDoubles
        == (value as? Date).map { .double($0.timeIntervalSinceReferenceDate.bitPattern) }
    case .objectId(let bytes): (value as? ObjectId)?.stringValue == bytes.map { $0.hexadecimal }.joined()
    case .uuid(let bytes): (value as? UUID).map { withUnsafeBytes(of: $0.uuid) { Array($0) } } == bytes
    case .decimal(let high, _): (value as? Decimal128).map { $0.isNaN == (high >> 58 & 31 == 31) } == true
    case .link: value is ObjectBase
    case .list, .set, .dictionary: value != nil
    }
  }
}

extension UInt8 {
  fileprivate var hexadecimal: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}

/// Classes of the samples.
enum Converted {
  class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var givenName: String
    @Persisted var lastName: String
    @Persisted var age: Int?
    @Persisted var height: Float?
    @Persisted var zip: String
    @Persisted var address: Address?
    @Persisted(indexed: true) var note: String?
    @Persisted var email: String
    @Persisted var tags: MutableSet<String>
    @Persisted(originProperty: "employees") var companies: LinkingObjects<Company>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class Address: EmbeddedObject {
    @Persisted var street: String
    @Persisted var town: String

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class Company: Object {
    @Persisted(primaryKey: true) var name: String
    @Persisted var employees: List<Person>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class New: Object {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var when: Date
    @Persisted var person: Person?

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class Untouched: Object {
    @Persisted var v: AnyRealmValue

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class AllTypes: Object {
    @Persisted var int: Int
    @Persisted var intOpt: Int?
    @Persisted var bool: Bool
    @Persisted var boolOpt: Bool?
    @Persisted var float: Float
    @Persisted var floatOpt: Float?
    @Persisted var double: Double
    @Persisted var doubleOpt: Double?
    @Persisted var string: String
    @Persisted var stringOpt: String?
    @Persisted var binary: Data
    @Persisted var binaryOpt: Data?
    @Persisted var timestamp: Date
    @Persisted var timestampOpt: Date?
    @Persisted var objectId: ObjectId
    @Persisted var objectIdOpt: ObjectId?
    @Persisted var decimal: Decimal128
    @Persisted var decimalOpt: Decimal128?
    @Persisted var uuid: UUID
    @Persisted var uuidOpt: UUID?
    @Persisted var mixed: AnyRealmValue

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  class PKString: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var n: Int

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}
