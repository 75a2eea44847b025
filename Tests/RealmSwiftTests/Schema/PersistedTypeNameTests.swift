import Foundation
import SwiftRuntime
import TestSupport
import Testing

@testable import RealmSwift

/// The types of properties as found by their names, beside what the runtime says.
@Suite struct PersistedTypeNameTests {
  private enum Colour: String, PersistableEnum { case red, blue }

  private class Place: EmbeddedObject {
    @Persisted var name: String
    @Persisted(originProperty: "place") var owners: LinkingObjects<Known>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  private class Known: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var int: Int
    @Persisted var int8: Int8
    @Persisted var int16: Int16
    @Persisted var int32: Int32?
    @Persisted var int64: Int64
    @Persisted var bool: Bool
    @Persisted var text: String?
    @Persisted var float: Float
    @Persisted var double: Double?
    @Persisted var date: Date
    @Persisted var data: Data?
    @Persisted var uuid: UUID
    @Persisted var decimal: Decimal128?
    @Persisted var link: Known?
    @Persisted var place: Place?
    @Persisted var numbers: List<Int>
    @Persisted var dates: List<Date?>
    @Persisted var links: List<Known>
    @Persisted var places: List<Place>
    @Persisted var texts: MutableSet<String>
    @Persisted var identifiers: MutableSet<UUID?>
    @Persisted var linkSet: MutableSet<Known>
    @Persisted var weights: Map<String, Double>
    @Persisted var titles: Map<String, String>
    @Persisted var notes: Map<String, String?>
    @Persisted var linkMap: Map<String, Known?>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  private class Longer: Known {
    @Persisted var more: Bool?
    var ordinary = 0
    let list = [1]
  }

  private class Others: Object {
    @Persisted var colour: Colour?
    @Persisted var colours: List<Colour>
    @Persisted var anything: AnyRealmValue
    @Persisted var values: List<AnyRealmValue>
    @Persisted(originProperty: "link") var linkers: LinkingObjects<Known>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  private class Generic<Value: PersistableEnum>: Object {
    @Persisted var value: Value
    @Persisted var number: Int
  }

  /// What is found of each property of a class that has a name, beside its type.
  private static func found(
    _ type: AnyClass
  ) throws -> [(name: String, found: PersistedTypeName.Found, type: Any.Type)] {
    try #require(StoredField.all(of: type)).map {
      ($0.name, PersistedTypeName.type(try #require($0.typeName)), $0.type)
    }
  }

  @Test(
    arguments: [Known.self, Longer.self, Place.self, Others.self, Generic<Colour>.self] as [ObjectBase.Type])
  func theyAreThoseOfTheRuntime(_ type: ObjectBase.Type) throws {
    for (name, found, expected) in try Self.found(type) {
      switch found {
      case .known(let type): #expect(ObjectIdentifier(type) == ObjectIdentifier(expected), "\(name)")
      case .other: #expect(!(expected is any AnyPersisted.Type), "\(name)")
      case .unknown: #expect(expected is any AnyPersisted.Type, "\(name)")
      }
    }
  }

  /// Otherwise opening a file would be slower, and nobody would notice.
  @Test func theUsualTypesAreKnown() throws {
    let found = try Self.found(Longer.self)
    let known = found.filter { if case .known = $0.found { true } else { false } }.map(\.name)
    let expected = found.filter { $0.type is any AnyPersisted.Type }.map(\.name)
    #expect(known == expected)
    #expect(known.count == 28)
  }

  @Test func theRestIsLeftToTheRuntime() throws {
    let unknown = try Self.found(Others.self).filter { if case .unknown = $0.found { true } else { false } }
    #expect(unknown.map(\.name) == ["_colour", "_colours", "_anything", "_values", "_linkers"])
  }
}
