import Foundation
import Testing

@testable import RealmSwift

@Suite struct DescriptionTests {
  let scratch: ScratchRealm
  var realm: Realm { scratch.realm }

  init() throws {
    scratch = try ScratchRealm(opening: PetOwner.classes + [EveryScalar.self, EveryOptional.self])
  }

  /// Collections whose type is that of a base class.
  @Test func baseClasses() throws {
    #expect("\(List<Object>())".hasPrefix("List<RealmSwiftObject> <0x"))
    #expect("\(AnyRealmCollection(List<Object>()))".hasPrefix("AnyRealmCollection<RealmSwiftObject> <0x"))
    #expect("\(MutableSet<Object>()) \(Map<String, Object?>())".contains("Map<string, RealmSwiftObject> <0x"))
    #expect("\(List<EmbeddedObject>())".hasPrefix("List<RealmSwiftEmbeddedObject> <0x"))
    let objects = realm.objects(EveryScalar.self as Object.Type)
    #expect("\(objects)".hasPrefix("Results<EveryScalar> <0x"))
    #expect("\(AnyRealmCollection(objects))".hasPrefix("AnyRealmCollection<EveryScalar> <0x"))
  }

  /// The base classes have the names of the official SDK, which calls them otherwise inside.
  @Test func baseClassesHaveTheNamesOfTheOfficialSDK() {
    #expect(RealmSwiftObject.self == Object.self && RealmSwiftEmbeddedObject.self == EmbeddedObject.self)
    #expect(Object.className() == "RealmSwiftObject")
    #expect(EmbeddedObject.className() == "RealmSwiftEmbeddedObject")
    #expect(Object.sharedSchema() == nil && EmbeddedObject.sharedSchema() == nil)
  }

  static let scalars = """
    EveryScalar {
    \tint = 1;
    \tint8 = 2;
    \tint16 = 3;
    \tint32 = 4;
    \tint64 = 5;
    \tbool = 1;
    \tfloat = 1.5;
    \tdouble = 2.5;
    \tstring = text;
    \tdata = <0102 — 2 total bytes>;
    \tdate = 2001-01-01 00:00:10 +0000;
    \tobjectId = 000102030405060708090a0b;
    \tdecimal = 1.25;
    \tuuid = 00112233-4455-6677-8899-AABBCCDDEEFF;
    \tany = 7;
    \tmood = hungry;
    \ttemperature = 36.6;
    }
    """

  @Test(arguments: [false, true]) func scalars(_ isManaged: Bool) throws {
    let object = EveryScalar()
    if isManaged { try realm.write { realm.add(object) } }
    #expect(object.description == Self.scalars)
    #expect("\(object)" == Self.scalars)
  }

  @Test func nullAndFalse() {
    let object = EveryOptional(value: ["bool": false, "double": 3.0])
    #expect(object.description.contains("\tint = (null);\n"))
    #expect(object.description.contains("\tpoint = (null);\n"))
    #expect(object.description.contains("\tbool = 0;\n"))
    #expect(object.description.contains("\tdouble = 3;\n"))
  }

  @Test func longDataIsCut() {
    let object = EveryOptional(value: ["data": Data(0..<30)])
    #expect(
      object.description.contains(
        "\tdata = <00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617 — 30 total bytes>;\n"))
  }

  @Test func linkedObjectsAreIndentedAndLinkingObjectsLeftOut() throws {
    let toy = PetToy(value: ["label": "a\nb", "next": ["label": "c"]] as [String: Any])
    #expect(
      toy.description == """
        PetToy {
        \tlabel = a
        \tb;
        \tnext = PetToy {
        \t\tlabel = c;
        \t\tnext = (null);
        \t};
        }
        """)
    #expect(!HousePet().description.contains("owners"))
  }

  @Test func depthIsLimited() {
    let toy = PetToy()
    toy.next = toy
    let description = toy.description
    #expect(description.contains("<Maximum depth exceeded>"))
    #expect(description.components(separatedBy: "PetToy {").count - 1 == 5)
  }

  @Test func collections() throws {
    let owner = PetOwner(
      value: ["numbers": [4, 5], "pets": [["id": 1]], "scores": ["k": 1.5]] as [String: Any])
    let description = owner.description
    let numbers = try #require(description.range(of: "\tnumbers = List<int> <0x"))
    #expect(description[numbers.upperBound...].contains("> (\n\t\t[0] 4,\n\t\t[1] 5\n\t);\n"))
    #expect(
      description.contains(
        "> (\n\t\t[0] HousePet {\n\t\t\tid = 1;\n\t\t\tname = unnamed;\n\t\t\tage = (null);\n\t\t}\n\t);\n"))
    #expect(description.contains("\tscores = Map<string, double> <0x"))
    #expect(description.contains("\n\t\t[k]: 1.5\n"))
  }

  @Test func longCollectionsAreCut() {
    let owner = PetOwner(value: ["numbers": 0..<105])
    #expect(owner.description.contains("\t\t[99] 99\n\t\t... 5 objects skipped.\n\t);\n"))
    #expect(!owner.description.contains("[100]"))
  }

  @Test func invalidObject() throws {
    let toy = PetToy()
    try realm.write {
      realm.add(toy)
      realm.delete(toy)
    }
    #expect(toy.description == "[invalid object]")
  }
}
