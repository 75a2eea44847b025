import Foundation
import RealmSwift
import Testing

class DescribedOwner: Hidden {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var dogs: List<DescribedDog>
  @Persisted var tags: MutableSet<String>
  @Persisted var scores: Map<String, Int?>
  @Persisted var tag: DescribedTag?
  @Persisted var anything: AnyRealmValue
}
class DescribedDog: Hidden {
  @Persisted(indexed: true) var name: String?
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<DescribedOwner>
  override class func propertiesMapping() -> [String: String] { ["name": "dog_name"] }
}
class DescribedTag: HiddenEmbedded { @Persisted var text = "" }

@Suite struct SchemaDescriptionTests {
  let file = ScratchRealm()
  let types: [ObjectBase.Type] = [DescribedOwner.self, DescribedDog.self, DescribedTag.self]

  @Test func descriptionOfAClass() throws {
    let schema = try file.open(types).schema
    #expect(
      schema["DescribedDog"]?.description == """
        DescribedDog {
        \tname {
        \t\ttype = string;
        \t\tcolumnName = dog_name;
        \t\tindexed = YES;
        \t\tisPrimary = NO;
        \t\tarray = NO;
        \t\tset = NO;
        \t\tdictionary = NO;
        \t\toptional = YES;
        \t}
        \towners {
        \t\ttype = linking objects;
        \t\tobjectClassName = DescribedOwner;
        \t\tlinkOriginPropertyName = dogs;
        \t\tcolumnName = owners;
        \t\tindexed = NO;
        \t\tisPrimary = NO;
        \t\tarray = YES;
        \t\tset = NO;
        \t\tdictionary = NO;
        \t\toptional = NO;
        \t}
        }
        """)
  }

  @Test func descriptionOfAnEmbeddedClass() throws {
    let schema = try file.open(types).schema
    #expect(
      schema["DescribedTag"]?.description == """
        DescribedTag (embedded) {
        \ttext {
        \t\ttype = string;
        \t\tcolumnName = text;
        \t\tindexed = NO;
        \t\tisPrimary = NO;
        \t\tarray = NO;
        \t\tset = NO;
        \t\tdictionary = NO;
        \t\toptional = NO;
        \t}
        }
        """)
  }

  @Test func descriptionOfAProperty() throws {
    let schema = try file.open(types).schema
    #expect(
      schema["DescribedOwner"]?["dogs"]?.description == """
        dogs {
        \ttype = object;
        \tobjectClassName = DescribedDog;
        \tlinkOriginPropertyName = (null);
        \tcolumnName = dogs;
        \tindexed = NO;
        \tisPrimary = NO;
        \tarray = YES;
        \tset = NO;
        \tdictionary = NO;
        \toptional = NO;
        }
        """)
  }

  @Test func descriptionOfTheSchema() throws {
    let schema = try file.open(types).schema
    let classes = schema.objectSchema.map { "\t" + $0.description.replacing("\n", with: "\n\t") + "\n" }
    #expect(schema.description == "Schema {\n" + classes.joined() + "}")
    #expect(schema.objectSchema.map(\.className) == ["DescribedDog", "DescribedOwner", "DescribedTag"])
  }

  @Test func properties() throws {
    let schema = try file.open(types).schema
    let owner = try #require(schema["DescribedOwner"])
    #expect(owner.properties.map(\.name) == ["id", "dogs", "tags", "scores", "tag", "anything"])
    #expect(owner.primaryKeyProperty?.name == "id")
    #expect(owner.objectClass is DescribedOwner.Type)
    #expect(!owner.isEmbedded)
    #expect(!owner.isAsymmetric)
    #expect(owner["id"]?.type == .objectId)
    #expect(owner["id"]?.isIndexed == true)
    #expect(owner["dogs"]?.isArray == true)
    #expect(owner["dogs"]?.objectClassName == "DescribedDog")
    #expect(owner["tags"]?.isSet == true)
    #expect(owner["tags"]?.type == .string)
    #expect(owner["tags"]?.objectClassName == nil)
    #expect(owner["scores"]?.isMap == true)
    #expect(owner["scores"]?.isOptional == true)
    #expect(owner["tag"]?.isOptional == true)
    #expect(owner["anything"]?.type == .any)
    #expect(owner["anything"]?.isOptional == false)
    #expect(owner["nothing"] == nil)
    let dog = try #require(schema["DescribedDog"])
    #expect(dog.properties.map(\.name) == ["name"])
    #expect(dog["owners"]?.type == .linkingObjects)
    #expect(dog["name"]?.columnName == "dog_name")
    #expect(dog["dog_name"] == nil)
    #expect(dog.primaryKeyProperty == nil)
    #expect(schema["DescribedTag"]?.isEmbedded == true)
    #expect(schema["Nothing"] == nil)
  }

  @Test func equality() throws {
    let schema = try file.open(types).schema
    let other = try ScratchRealm().open(types).schema
    #expect(schema == other)
    #expect(schema["DescribedDog"] == other["DescribedDog"])
    #expect(schema["DescribedDog"] != other["DescribedOwner"])
    #expect(schema["DescribedDog"]?["name"] == other["DescribedDog"]?["name"])
    #expect(schema["DescribedOwner"]?["tags"] != schema["DescribedOwner"]?["scores"])
    #expect(try ScratchRealm().open().schema != schema)
  }

  @Test func ofObjects() throws {
    #expect(DescribedDog().objectSchema.className == "DescribedDog")
    let realm = try file.open(types)
    #expect(DescribedDog().objectSchema == realm.schema["DescribedDog"])
    try realm.write {
      #expect(realm.create(DescribedDog.self).objectSchema == realm.schema["DescribedDog"])
      #expect(realm.dynamicObjects("DescribedDog").first?.objectSchema.className == "DescribedDog")
    }
  }

  @Test func theRealmTellsItsClasses() throws {
    let realm = try file.open([RealmPlace.self, RealmDog.self])
    #expect(realm.configuration.objectTypes?.map { $0.className() } == ["RealmDog", "RealmPlace"])
    #expect(realm.configuration.fileURL == file.url)
    let all = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "all classes"))
    #expect(all.schema["RealmDog"] != nil)
    #expect(all.schema["DescribedDog"] == nil)
    #expect(all.configuration.objectTypes?.isEmpty == false)
  }
}
