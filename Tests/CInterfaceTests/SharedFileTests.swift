import Foundation
import RealmSwift
import TestSupport
import Testing

private final class Pet: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted(indexed: true) var age: Int
  @Persisted var weight: Double?
  @Persisted var born: Date?
  @Persisted var any: AnyRealmValue
  @Persisted var best: Pet?
  @Persisted var friends: List<Pet>
  @Persisted var tags: MutableSet<String>
  @Persisted var scores: Map<String, Int>
}

/// Typed Swift classes and C use the same file, without a migration.
struct SharedFileTests {
  private let folder = ScratchFolder()

  private var configuration: Realm.Configuration {
    Realm.Configuration(fileURL: folder.file("test.realm"), objectTypes: [Pet.self])
  }

  @Test func typedClassesReadWhatCWrote() throws {
    try run("with_swift_writes")
    let classes = try DescribedClass.classes(ofFileAt: folder.file("test.realm"))
    let realm = try Realm(configuration: configuration)
    let rex = try #require(realm.object(ofType: Pet.self, forPrimaryKey: "Rex"))
    #expect(rex.age == 3)
    #expect(rex.weight == 12.5)
    #expect(rex.born == Date(timeIntervalSince1970: 1_600_000_000.5))
    #expect(rex.any == .string("anything"))
    #expect(rex.best?.name == "Ada")
    #expect(rex.friends.map(\.name) == ["Ada"])
    #expect(Array(rex.tags) == ["anything"])
    #expect(rex.scores["agility"] == 7)
    #expect(realm.objects(Pet.self).where { $0.age > 5 }.map(\.name) == ["Ada"])

    let written = ScratchFolder()
    var own = configuration
    own.fileURL = written.file("typed.realm")
    _ = try Realm(configuration: own)
    #expect(try DescribedClass.classes(ofFileAt: written.file("typed.realm")) == classes)
  }

  @Test func cReadsWhatTypedClassesWrote() throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let mia = realm.create(Pet.self, value: ["name": "Mia"])
      let tom = realm.create(Pet.self, value: ["name": "Tom", "age": 5])
      tom.born = Date(timeIntervalSince1970: 1_600_000_000.25)
      tom.any = .int(42)
      tom.best = mia
      tom.scores["speed"] = 8
    }
    let classes = try DescribedClass.classes(ofFileAt: folder.file("test.realm"))
    try run("with_swift_reads")
    #expect(try DescribedClass.classes(ofFileAt: folder.file("test.realm")) == classes)
  }

  private func run(_ name: String) throws {
    let (end, said) = try ChildProgram.run(
      [BuiltProducts.file("CInterfaceProgram").path, name, folder.url.path])
    #expect(end == .exit(0), "\(String(decoding: said, as: UTF8.self))")
  }
}
