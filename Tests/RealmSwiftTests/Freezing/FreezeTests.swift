import Foundation
import Testing

@testable import RealmSwift

/// Frozen realms, objects and collections: what they show, and how one gets there and back.
@Suite struct FreezeTests {
  final class FrozenCrate: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var name = ""
    @Persisted var labels: List<String>
    @Persisted var tags: MutableSet<Int>
    @Persisted var prices: Map<String, Double>
    @Persisted var children: List<FrozenCrate>
    @Persisted var best: FrozenCrate?
    @Persisted var seal: FrozenSeal?
    @Persisted var anything: AnyRealmValue
    @Persisted(originProperty: "children") var parents: LinkingObjects<FrozenCrate>
  }

  final class FrozenSeal: EmbeddedObject {
    @Persisted var text = ""
    @Persisted var marks: List<Int>
  }

  static func file() throws -> ScratchRealm {
    let file = ScratchRealm([FrozenCrate.self, FrozenSeal.self])
    try file.write { realm in
      var crates: [FrozenCrate] = []
      for id in 0..<10 {
        let crate = realm.create(FrozenCrate.self, value: ["id": id, "name": "crate \(id)"])
        crate.labels.append(objectsIn: (0..<id).map { "label \($0)" })
        crate.tags.insert(objectsIn: 0..<id)
        for price in 0..<id { crate.prices["price \(price)"] = Double(price) }
        crate.children.append(objectsIn: crates)
        crate.best = crates.last
        crate.seal = FrozenSeal(value: ["text": "seal \(id)", "marks": [id, id + 1]])
        let nested: [AnyRealmValue] = [.int(id), .fromDictionary(["key": .string("value \(id)")])]
        crate.anything = .fromArray(nested)
        crates.append(crate)
      }
    }
    return file
  }

  private static func crate(_ realm: Realm, _ id: Int = 5) -> FrozenCrate {
    realm.object(ofType: FrozenCrate.self, forPrimaryKey: id)!
  }

  // MARK: Realms

  @Test func realms() throws {
    let realm = try Self.file().open()
    let frozen = realm.freeze()
    #expect(frozen.isFrozen && !realm.isFrozen)
    #expect(frozen != realm)
    #expect(frozen.freeze() == frozen)
    #expect(realm.freeze() == frozen)
    #expect(frozen.thaw() == realm && realm.thaw() == realm)
    #expect(!frozen.autorefresh && !frozen.refresh())
    #expect(!frozen.isEmpty && !frozen.isInWriteTransaction)
    #expect(frozen.schema.objectSchema.map(\.className) == realm.schema.objectSchema.map(\.className))
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty)
    #expect(frozen.objects(FrozenCrate.self).count == 10)
    let later = realm.freeze()
    #expect(later != frozen && later.isEmpty && later == realm.freeze())
  }

  @Test func aFrozenRealmKeepsTheFileOpen() throws {
    let file = try Self.file()
    var frozen: Realm? = try file.open().freeze()
    #expect(RealmFiles.isOpen(file.configuration))
    #expect(frozen!.objects(FrozenCrate.self).count == 10)
    frozen = nil
    #expect(!RealmFiles.isOpen(file.configuration))
  }

  @Test func inMemory() throws {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: UUID().uuidString, objectTypes: [FrozenCrate.self, FrozenSeal.self])
    var realm: Realm? = try Realm(configuration: configuration)
    try realm!.write { realm!.add(FrozenCrate(value: ["id": 1, "name": "kept"])) }
    let frozen = Self.crate(realm!, 1).freeze()
    realm = nil
    #expect(frozen.name == "kept")
    #expect(frozen.thaw()?.name == "kept")
  }

  @Test func readOnly() throws {
    let file = try Self.file()
    var configuration = file.configuration
    configuration.readOnly = true
    let frozen = try Realm(configuration: configuration).freeze()
    #expect(frozen.objects(FrozenCrate.self).count == 10)
    #expect(Self.crate(frozen).freeze().name == "crate 5")
    #expect(Self.crate(frozen).thaw()?.name == "crate 5")
  }

  @Test func copies() throws {
    let file = try Self.file()
    let realm = try file.open()
    let frozen = realm.freeze()
    let url = frozen.configuration.fileURL!.appendingPathExtension("copy")
    try frozen.writeCopy(toFile: url, encryptionKey: ScratchRealm.usualKey)
    var configuration = realm.configuration
    configuration.fileURL = url
    #expect(try Realm(configuration: configuration).objects(FrozenCrate.self).count == 10)
  }

  @Test func otherClasses() throws {
    let file = try Self.file()
    let realm = try file.open()
    let frozen = realm.freeze()
    #expect(frozen.dynamicObjects("FrozenCrate").count == 10)
    let dynamic = realm.dynamicObjects("FrozenCrate")[5]
    let copy = dynamic.freeze()
    #expect(copy.isFrozen && copy["name"] as? String == "crate 5")
    #expect(copy.thaw() === copy.thaw() || copy.thaw()?["name"] as? String == "crate 5")
    let results = realm.dynamicObjects("FrozenCrate").filter("id > 6").freeze()
    #expect(results.count == 3 && results[0]["name"] as? String == "crate 7")
  }

  // MARK: Objects

  @Test func objects() throws {
    let realm = try Self.file().open()
    let crate = Self.crate(realm)
    let frozen = crate.freeze()
    #expect(frozen.isFrozen && !crate.isFrozen && !frozen.isInvalidated)
    #expect(frozen.freeze() === frozen)
    #expect(frozen.realm == realm.freeze())
    #expect(realm.freeze(crate) == frozen && realm.thaw(frozen)!.isSameObject(as: crate))
    #expect(frozen.best!.isFrozen && frozen.best!.id == 4)
    #expect(frozen.seal!.isFrozen && frozen.seal!.text == "seal 5")
    #expect(crate.thaw() === crate)
    #expect(frozen.thaw()!.isSameObject(as: crate))
    try realm.write {
      crate.name = "changed"
      crate.best = nil
      crate.labels.removeAll()
    }
    #expect(frozen.name == "crate 5" && frozen.best?.name == "crate 4" && frozen.labels.count == 5)
    #expect(frozen.thaw()!.name == "changed")
    try realm.write { realm.delete(crate) }
    #expect(frozen.name == "crate 5")
    #expect(frozen.thaw() == nil && realm.thaw(frozen) == nil)
  }

  @Test func embeddedObjects() throws {
    let realm = try Self.file().open()
    let crate = Self.crate(realm)
    let seal = crate.seal!.freeze()
    #expect(seal.isFrozen && seal.text == "seal 5" && Array(seal.marks) == [5, 6])
    #expect(seal.thaw()!.isSameObject(as: crate.seal))
    #expect(seal.freeze() === seal)
    try realm.write { crate.seal = nil }
    #expect(seal.text == "seal 5" && seal.thaw() == nil)
    #expect(FrozenSeal().thaw() == nil)
  }

  @Test func equality() throws {
    let realm = try Self.file().open()
    let crate = Self.crate(realm)
    let first = crate.freeze()
    let second = crate.freeze()
    #expect(first == second && first.hash == second.hash && first !== second)
    #expect(first.isSameObject(as: second))
    #expect(crate != first && !crate.isSameObject(as: first))
    #expect(crate.seal!.freeze() == crate.seal!.freeze())
    #expect(Set([first, second, Self.crate(realm, 4).freeze()]).count == 2)
    #expect(first.labels == second.labels && first.labels != crate.labels)
    #expect(first.tags == second.tags && first.prices == second.prices)
    #expect(first.labels == crate.labels.freeze())
    try realm.write { crate.name = "changed" }
    #expect(crate.freeze() != first)
  }

  @Test func unmanagedObjects() {
    #expect(!FrozenCrate().isFrozen && !FrozenSeal().isFrozen)
    #expect(!FrozenCrate().labels.isFrozen && !FrozenCrate().prices.isFrozen)
  }

  @Test func keyValueCoding() throws {
    let frozen = try Self.crate(Self.file().open()).freeze()
    #expect(frozen["name"] as? String == "crate 5")
    #expect((frozen["labels"] as? List<String>)?.isFrozen == true)
    #expect(frozen.value(forKeyPath: "best.name") as? String == "crate 4")
    #expect(frozen.description.contains("crate 5"))
  }

  /// A write transaction shows what nobody else sees yet.
  @Test func duringAWrite() throws {
    let realm = try Self.file().open()
    let crate = Self.crate(realm)
    realm.beginWrite()
    #expect(realm.freeze().objects(FrozenCrate.self).count == 10)
    crate.name = "changed"
    realm.create(FrozenCrate.self, value: ["id": 100])
    let frozen = crate.freeze()
    #expect(frozen.name == "crate 5")
    #expect(realm.objects(FrozenCrate.self).freeze().count == 10)
    #expect(frozen.thaw()!.name == "changed")
    realm.cancelWrite()
    #expect(frozen.name == "crate 5" && crate.name == "crate 5")
  }

  // MARK: Collections

  @Test func collections() throws {
    let realm = try Self.file().open()
    let crate = Self.crate(realm)
    let labels = crate.labels.freeze()
    let tags = crate.tags.freeze()
    let prices = crate.prices.freeze()
    let children = crate.children.freeze()
    let parents = crate.parents.freeze()
    #expect(labels.isFrozen && tags.isFrozen && prices.isFrozen && children.isFrozen && parents.isFrozen)
    #expect(labels.freeze() === labels && tags.freeze() === tags && prices.freeze() === prices)
    #expect(labels.thaw() == crate.labels && tags.thaw() == crate.tags && prices.thaw() == crate.prices)
    #expect(children.thaw() == crate.children && parents.thaw() == crate.parents)
    #expect(crate.labels.thaw() === crate.labels)
    try realm.write {
      crate.labels.append("new")
      crate.tags.insert(100)
      crate.prices["new"] = 1
      crate.children.removeLast()
      Self.crate(realm, 6).children.removeAll()
    }
    #expect(Array(labels) == (0..<5).map { "label \($0)" } && labels[4] == "label 4")
    #expect(Set(tags) == Set(0..<5) && prices.count == 5 && prices["price 3"] == 3)
    #expect(children.map(\.id) == Array(0..<5) && children[2].isFrozen)
    #expect(parents.map(\.id) == [6, 7, 8, 9] && parents[0].isFrozen)
    #expect(crate.parents.count == 3)
    #expect(labels.realm == children.realm && labels.realm?.isFrozen == true)
    try realm.write { realm.delete(crate) }
    #expect(labels.count == 5 && labels.thaw() == nil && tags.thaw() == nil && prices.thaw() == nil)
    #expect(parents.count == 4 && parents.thaw() == nil)
  }

  @Test func results() throws {
    let realm = try Self.file().open()
    let live = realm.objects(FrozenCrate.self)
    let chosen = live.where { $0.name.in(["crate 3", "crate 7", "crate 8"]) }.sorted(
      by: \.id, ascending: false)
    let frozen = chosen.freeze()
    #expect(frozen.isFrozen && !chosen.isFrozen && frozen.freeze() == frozen)
    #expect(frozen.map(\.id) == [8, 7, 3])
    let crate = Self.crate(realm)
    let ofList = crate.children.filter("id > 1").freeze()
    let ofLinks = crate.parents.sorted(byKeyPath: "id", ascending: false).freeze()
    let values = crate.labels.sorted(ascending: false).freeze()
    let distinct = live.distinct(by: [\.name]).freeze()
    try realm.write {
      realm.delete(Self.crate(realm, 7))
      crate.labels.removeAll()
      crate.children.removeAll()
    }
    #expect(chosen.map(\.id) == [8, 3] && frozen.map(\.id) == [8, 7, 3] && frozen[1].isFrozen)
    #expect(frozen.thaw()!.map(\.id) == [8, 3])
    #expect(ofList.map(\.id) == [2, 3, 4] && ofList.thaw()!.isEmpty)
    #expect(ofLinks.map(\.id) == [9, 8, 7, 6] && ofLinks.thaw()!.map(\.id) == [9, 8, 6])
    #expect(Array(values) == (0..<5).reversed().map { "label \($0)" } && values.thaw()!.isEmpty)
    #expect(distinct.count == 10 && distinct.thaw()!.count == 9)
    // What is asked of frozen results is frozen.
    let further = frozen.filter("id < 8").sorted(byKeyPath: "id")
    #expect(further.isFrozen && further.map(\.id) == [3, 7] && further.first!.isFrozen)
    #expect(frozen.sum(of: \.id) == 18 && frozen.max(of: \.id) == 8)
    #expect(frozen.index(of: frozen[2]) == 2 && frozen.last?.id == 3)
    try realm.write { realm.delete(crate) }
    #expect(ofList.count == 3 && ofList.thaw() == nil && ofLinks.thaw() == nil)
  }

  @Test func resultsOfLinksOutliveTheirObject() throws {
    let realm = try Self.file().open()
    let parents = Self.crate(realm).parents.where { $0.id > 6 }
    #expect(parents.count == 3)
    try realm.write { realm.delete(Self.crate(realm, 9)) }
    #expect(parents.map(\.id) == [7, 8])
  }

  @Test func hiddenCollections() throws {
    let realm = try Self.file().open()
    let crate = Self.crate(realm)
    let hidden = AnyRealmCollection(crate.labels)
    let frozen = hidden.freeze()
    #expect(frozen.isFrozen && Array(frozen) == Array(crate.labels))
    #expect(frozen.thaw() == hidden && frozen.freeze() == frozen)
    try realm.write { realm.delete(crate) }
    #expect(frozen.count == 5 && frozen.thaw() == nil)
  }

  @Test func nestedValues() throws {
    let realm = try Self.file().open()
    let crate = Self.crate(realm)
    let list = crate.anything.listValue!
    let map = list[1].dictionaryValue!
    let frozenList = list.freeze()
    let frozenMap = map.freeze()
    #expect(frozenList.isFrozen && frozenMap.isFrozen && frozenList[1].dictionaryValue!.isFrozen)
    #expect(frozenList == crate.freeze().anything.listValue!)
    #expect(frozenMap.thaw() == map)
    try realm.write { map["key"] = .int(3) }
    #expect(frozenMap["key"] == .string("value 5"))
    #expect(frozenList[1].dictionaryValue!["key"] == .string("value 5"))
    #expect(frozenMap.thaw()!["key"] == .int(3))
    try realm.write { crate.anything = .none }
    #expect(frozenList.count == 2 && frozenList.thaw() == nil && frozenMap.thaw() == nil)
  }

  @Test func sections() throws {
    let realm = try Self.file().open()
    let sections = realm.objects(FrozenCrate.self).sectioned(
      by: { $0.id % 3 }, sortDescriptors: [SortDescriptor(keyPath: "id")])
    let frozen = sections.freeze()
    let section = sections[1].freeze()
    #expect(frozen.isFrozen && section.isFrozen && frozen.allKeys == [0, 1, 2])
    try realm.write { realm.delete(realm.objects(FrozenCrate.self).where { $0.id < 9 }) }
    #expect(sections.allKeys == [0])
    #expect(frozen.map { $0.map(\.id) } == [[0, 3, 6, 9], [1, 4, 7], [2, 5, 8]])
    #expect(section.map(\.id) == [1, 4, 7] && section[0].isFrozen)
    #expect(frozen.thaw()!.allKeys == [0])
    #expect(section.thaw()!.isInvalidated)
  }

  @Test func longCollections() throws {
    let realm = try Self.file().open()
    let crate = Self.crate(realm)
    try realm.write { crate.labels.append(objectsIn: (5..<5_000).map { "label \($0)" }) }
    let frozen = crate.labels.freeze()
    try realm.write { crate.labels.removeAll() }
    for position in stride(from: 4_999, through: 0, by: -7) {
      #expect(frozen[position] == "label \(position)")
    }
    #expect(frozen.index(of: "label 4321") == 4_321)
  }

  // MARK: Versions

  /// A realm that is in use stays at its version.
  @Test func thawingDoesNotRefresh() throws {
    let file = try Self.file()
    let realm = try file.open()
    #expect(realm.objects(FrozenCrate.self).count == 10)
    nonisolated(unsafe) var frozen: FrozenCrate?
    try onOtherThread {
      let realm = try file.open()
      try realm.write { frozen = realm.create(FrozenCrate.self, value: ["id": 50, "name": "new"]) }
      frozen = frozen!.freeze()
    }
    #expect(realm.objects(FrozenCrate.self).count == 10)
    #expect(frozen!.name == "new" && frozen!.thaw() == nil)
    #expect(realm.objects(FrozenCrate.self).count == 10)
    realm.refresh()
    let thawed = frozen!.thaw()
    #expect(thawed?.name == "new" && thawed?.realm == realm)
    #expect(realm.objects(FrozenCrate.self).count == 11)
  }

  @Test func versionsStayWhileTheyAreFrozen() throws {
    let realm = try Self.file().open()
    let crate = Self.crate(realm)
    var versions: [FrozenCrate] = []
    for number in 0..<50 {
      try realm.write {
        crate.name = "version \(number)"
        crate.labels.append(String(repeating: "x", count: 1_000))
      }
      versions.append(crate.freeze())
    }
    for (number, frozen) in versions.enumerated() {
      #expect(frozen.name == "version \(number)" && frozen.labels.count == 6 + number)
      #expect(frozen.children.count == 5 && frozen.labels[0] == "label 0")
    }
    #expect(Set(versions.map { ObjectIdentifier($0.realm!.core) }).count == 50)
  }
}
