import Foundation
import RealmSwift
import Testing

/// Lists and maps inside `AnyRealmValue`.
struct NestedCollectionTests {
  @Test func storedAndChangedInPlace() {
    let storage = ScratchRealm.ofCollections()
    let owner = ValueLists()
    owner.any = .fromDictionary([
      "numbers": .fromArray([.int(1), .int(2)]),
      "deep": .fromDictionary(["text": .string("x")]),
    ])
    _ = storage.added(owner)
    let map = owner.any.dictionaryValue!
    #expect(map.keys == ["deep", "numbers"])
    let numbers = map["numbers"]!.listValue!
    #expect(numbers.realm == storage.realm)
    #expect(Array(numbers) == [.int(1), .int(2)])
    storage.write {
      numbers.append(.string("three"))
      numbers[0] = .none
      numbers.move(from: 0, to: 2)
      map["deep"]!.dictionaryValue!["text"] = .double(1.5)
      map["new"] = .fromArray([])
    }
    let again = storage.realm.objects(ValueLists.self)[0].any.dictionaryValue!
    #expect(again.keys == ["deep", "new", "numbers"])
    #expect(Array(again["numbers"]!.listValue!) == [.int(2), .string("three"), .none])
    #expect(again["deep"]!.dictionaryValue!["text"] == .double(1.5))
    #expect(again["new"]!.listValue!.isEmpty)
    storage.write { map["deep"]!.dictionaryValue!.removeObject(for: "text") }
    #expect(again["deep"]!.dictionaryValue!.count == 0)
    #expect(numbers == again["numbers"]!.listValue!)
  }

  @Test func inListsAndMaps() {
    let storage = ScratchRealm.ofCollections()
    let lists = storage.added(ValueLists())
    let maps = storage.added(ValueMaps())
    storage.write {
      lists.mixed.append(.fromArray([.int(1)]))
      lists.mixed.append(.fromDictionary(["a": .bool(true)]))
      maps.mixed["k"] = .fromArray([.fromArray([.string("deep")])])
      lists.mixed[0].listValue!.append(.int(2))
      lists.mixed[1].dictionaryValue!["b"] = .bool(false)
      maps.mixed["k"]!.listValue![0].listValue![0] = .string("deeper")
    }
    #expect(Array(lists.mixed[0].listValue!) == [.int(1), .int(2)])
    #expect(lists.mixed[1].dictionaryValue!.keys == ["a", "b"])
    #expect(maps.mixed["k"]!.listValue![0].listValue![0] == .string("deeper"))
    #expect(lists.mixed[1].listValue == nil)
  }

  @Test func replacingInvalidates() {
    let storage = ScratchRealm.ofCollections()
    let owner = ValueLists()
    owner.any = .fromArray([.int(1)])
    _ = storage.added(owner)
    let list = owner.any.listValue!
    #expect(!list.isInvalidated)
    storage.write { owner.any = .int(3) }
    #expect(list.isInvalidated)
    let lists = storage.added(ValueLists())
    storage.write { lists.mixed.append(.fromArray([])) }
    let inner = lists.mixed[0].listValue!
    storage.write { lists.mixed.removeAll() }
    #expect(inner.isInvalidated)
  }

  @Test func linksInside() {
    let storage = ScratchRealm.ofCollections()
    let owner = ValueLists()
    let wolfie = Walker("Wolfie")
    owner.any = .fromArray([.object(wolfie), .fromDictionary(["dog": .object(wolfie)])])
    _ = storage.added(owner)
    #expect(wolfie.realm != nil)
    let list = owner.any.listValue!
    #expect(list[0].object(Walker.self)?.name == "Wolfie")
    storage.write { storage.realm.delete(wolfie) }
    #expect(list[0] == .none)
    #expect(list[1].dictionaryValue!["dog"] == AnyRealmValue.none)
  }
}
