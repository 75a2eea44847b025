import Foundation
import RealmSwift
import Testing

struct LinkingObjectsTests {
  @Test func followsLinksAndLists() {
    let storage = ScratchRealm.ofCollections()
    let wolfie = Walker("Wolfie")
    #expect(wolfie.kennels.count == 0)
    #expect(wolfie.kennels.realm == nil)
    _ = storage.added(wolfie)
    #expect(wolfie.kennels.isEmpty)
    let kennel = storage.added(Kennel(value: ["name": "north"]))
    let kennels = wolfie.kennels
    storage.write {
      kennel.walkers.append(objectsIn: [wolfie, wolfie])
      #expect(kennels.count == 2)
    }
    #expect(kennels.map(\.name).elementsEqual(["north", "north"]))
    #expect(kennels.index(of: kennel) == 0)
    #expect(kennels.first!.isSameObject(as: kennel))
    #expect(kennels.realm == storage.realm)
    storage.write { kennel.walkers.remove(at: 0) }
    #expect(kennels.count == 1)
    let rex = Walker("Rex", age: 4)
    rex.friend = wolfie
    _ = storage.added(rex)
    #expect(wolfie.admirers.map(\.name).elementsEqual(["Rex"]))
    #expect(wolfie.admirers.max(of: \.age) == 4)
    #expect(wolfie.admirers == wolfie.admirers)
    #expect(wolfie.admirers != rex.admirers)
    storage.write { rex.friend = nil }
    #expect(wolfie.admirers.isEmpty)
    storage.write { storage.realm.delete(kennel) }
    #expect(kennels.isEmpty)
  }

  @Test func outlivesTheAccessor() {
    let storage = ScratchRealm.ofCollections()
    _ = storage.added(Walker(value: ["name": "a", "friend": ["name": "b"]]))
    let admirers = storage.realm.object(ofType: Walker.self, forPrimaryKey: "b")!.admirers
    #expect(admirers.map(\.name).elementsEqual(["a"]))
    let all = storage.realm.objects(Walker.self).map { ($0.name, $0.admirers) }
    let counts = Dictionary(uniqueKeysWithValues: all.map { ($0.0, $0.1.count) })
    #expect(counts == ["a": 0, "b": 1])
  }

  @Test func deletedTarget() {
    let storage = ScratchRealm.ofCollections()
    let wolfie = storage.added(Walker("Wolfie"))
    let kennels = wolfie.kennels
    #expect(!kennels.isInvalidated)
    storage.write { storage.realm.delete(wolfie) }
    #expect(kennels.isInvalidated)
  }

  @Test func walkIsNotDisturbed() {
    let storage = ScratchRealm.ofCollections()
    let wolfie = storage.added(Walker("Wolfie"))
    storage.write {
      for name in ["a", "b", "c"] {
        storage.realm.add(Walker(value: ["name": name, "friend": wolfie]))
      }
      var names: [String] = []
      for admirer in wolfie.admirers {
        names.append(admirer.name)
        admirer.friend = nil
      }
      #expect(names == ["a", "b", "c"])
    }
    #expect(wolfie.admirers.isEmpty)
  }
}
