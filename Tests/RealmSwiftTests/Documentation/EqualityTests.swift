import Foundation
import RealmSwift
import Testing

/// Which objects are equal, and what they know about themselves.
@Suite struct EqualityTests {
  final class Keyed: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String?
    @Persisted var tags: List<String>
    @Persisted var friend: Keyless?
    @Persisted var part: KeyedPart?
  }

  final class Keyless: Object {
    @Persisted var name: String
    @Persisted(originProperty: "friend") var friends: LinkingObjects<Keyed>
  }

  final class KeyedPart: EmbeddedObject {
    @Persisted var number: Int
  }

  static let classes: [ObjectBase.Type] = [Keyed.self, Keyless.self, KeyedPart.self]
  let file: ScratchRealm
  let realm: Realm

  init() throws {
    file = ScratchRealm(Self.classes)
    realm = try file.open()
    try realm.write {
      for id in 1...3 {
        realm.create(
          Keyed.self, value: ["id": id, "part": [id], "friend": ["friend \(id)"]] as [String: Any])
      }
    }
  }

  private func keyed(_ id: Int) throws -> Keyed {
    try #require(realm.object(ofType: Keyed.self, forPrimaryKey: id))
  }

  @Test func withPrimaryKey() throws {
    let (a, b, other) = (try keyed(1), try keyed(1), try keyed(2))
    #expect(a !== b)
    #expect(a == b)
    #expect(a.hash == b.hash)
    #expect(a != other)
    #expect(a.isSameObject(as: b))
    #expect(!a.isSameObject(as: other))
    #expect(!a.isSameObject(as: nil))
    #expect(Set([a, b, other]).count == 2)
    #expect([a: "found"][b] == "found")
    #expect(AnyRealmValue.object(a) == .object(b))
  }

  @Test func withoutPrimaryKey() throws {
    let (a, b) = (realm.objects(Keyless.self)[0], realm.objects(Keyless.self)[0])
    #expect(a != b)
    #expect(a == a)
    #expect(a.isSameObject(as: b))
    #expect(!a.isSameObject(as: realm.objects(Keyless.self)[1]))
    #expect(Set([a, b]).count == 2)
  }

  @Test func embedded() throws {
    let (a, b) = (try #require(keyed(1).part), try #require(keyed(1).part))
    #expect(a != b)
    #expect(a.isSameObject(as: b))
    #expect(!a.isSameObject(as: try keyed(2).part))
  }

  @Test func unmanaged() throws {
    let (a, b) = (Keyed(value: ["id": 1]), Keyed(value: ["id": 1]))
    #expect(a == a)
    #expect(a != b)
    #expect(!a.isSameObject(as: b))
    // Equal keys, equal hashes; another key, another hash.
    #expect(a.hash == b.hash)
    let before = a.hash
    a.id = 77
    #expect(a.hash != before)
    #expect(a != (try keyed(1)))
    #expect(try keyed(1) != b)
    #expect(a.realm == nil)
    #expect(!a.isInvalidated)
  }

  @Test func ofTwoRealms() throws {
    let otherFile = ScratchRealm(Self.classes)
    let other = try otherFile.open()
    let copy = try other.write { other.create(Keyed.self, value: try keyed(1)) }
    #expect(copy.id == 1)
    #expect(copy != (try keyed(1)))
    #expect(!copy.isSameObject(as: try keyed(1)))
    #expect(other != realm)
    #expect(try file.open() == realm)
    #expect(copy.realm == other)
  }

  @Test func deleted() throws {
    let (a, b) = (try keyed(1), try keyed(1))
    let part = try #require(a.part)
    let tags = a.tags
    try realm.write { realm.delete(a) }
    #expect(a.isInvalidated && b.isInvalidated && part.isInvalidated && tags.isInvalidated)
    #expect(a.realm == nil && b.realm == nil && part.realm == realm)
    #expect(a.isSameObject(as: a))
    #expect(!a.isSameObject(as: b))
    #expect(a.description.contains("invalid"))
    // What has no connection to the realm still works.
    #expect(a.objectSchema.className == "Keyed")
    #expect(a == a)
  }

  @Test func invalidatedWithTheRealm() throws {
    let object = try keyed(1)
    let results = realm.objects(Keyed.self)
    let tags = object.tags
    realm.invalidate()
    #expect(object.isInvalidated && tags.isInvalidated)
    #expect(object.realm == nil)
    #expect(results.count == 3)
    let again = try keyed(1)
    #expect(!again.isInvalidated)
    #expect(again.id == 1)
  }

  @Test func objectSchema() throws {
    let managed = try keyed(1).objectSchema
    let schema = Keyed().objectSchema
    #expect(schema.className == "Keyed")
    #expect(managed.className == "Keyed")
    #expect(schema.properties.map(\.name) == ["id", "name", "tags", "friend", "part"])
    #expect(managed.properties.map(\.name) == schema.properties.map(\.name))
    #expect(schema.properties.map(\.type) == [.int, .string, .string, .object, .object])
    #expect(schema.primaryKeyProperty?.name == "id")
    #expect(schema["id"]?.isIndexed == true)
    #expect(schema["name"]?.isIndexed == true)
    #expect(schema["name"]?.isOptional == true)
    #expect(schema["tags"]?.isArray == true)
    #expect(schema["tags"]?.isOptional == false)
    #expect(schema["friend"]?.objectClassName == "Keyless")
    #expect(schema["friend"]?.isOptional == true)
    #expect(schema["missing"] == nil)
    #expect(!schema.isEmbedded)
    #expect(KeyedPart().objectSchema.isEmbedded)
    #expect(Keyless().objectSchema.primaryKeyProperty == nil)
    #expect(Keyed.className() == "Keyed")
    #expect(realm.schema.objectSchema.map(\.className).sorted() == ["Keyed", "KeyedPart", "Keyless"])
    #expect(realm.schema["Keyed"]?.primaryKeyProperty?.name == "id")
    #expect(realm.schema["Missing"] == nil)
  }

  /// Objects that a loop hands out are objects of their own when they are kept.
  @Test func objectsKeptFromALoop() throws {
    var kept: [Keyed] = []
    var lists: [List<String>] = []
    for object in realm.objects(Keyed.self) {
      kept.append(object)
      lists.append(object.tags)
    }
    #expect(kept.map(\.id) == [1, 2, 3])
    try realm.write {
      for (list, object) in zip(lists, kept) { list.append("of \(object.id)") }
    }
    #expect(kept.map { $0.tags.first } == ["of 1", "of 2", "of 3"])
    var onlyLists: [List<String>] = []
    for object in realm.objects(Keyed.self) { onlyLists.append(object.tags) }
    #expect(onlyLists.map { Array($0) } == [["of 1"], ["of 2"], ["of 3"]])
    let friends = realm.objects(Keyed.self).map { $0.friend?.friends.first?.id }
    #expect(Array(friends) == [1, 2, 3])
  }
}
