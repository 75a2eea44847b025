import Foundation
import RealmSwift
import TestSupport
import Testing

/// `index(matching:)` of lists in memory.
struct InMemoryIndexTests {
  private func list<Element: RealmCollectionValue>(_ elements: [Element]) -> List<Element> {
    let list = List<Element>()
    list.append(objectsIn: elements)
    return list
  }

  @Test func numbers() {
    let ints = list([3, 500, 7, 7])
    #expect(ints.index(matching: { $0 == 7 && $0 < 456 }) == 2)
    #expect(ints.index(matching: { $0 > 1000 }) == nil)
    #expect(ints.index(matching: "SELF > %@", 3) == 1)
    #expect(ints.index(matching: "SELF IN %@", [7, 500]) == 1)
    #expect(ints.index(matching: { $0.contains(4...7) }) == 2)
    #expect(list([1.5, -2]).index(matching: { $0 < 0 }) == 1)
    #expect(List<Int>().index(matching: "TRUEPREDICATE") == nil)
  }

  @Test func texts() {
    let names = list(["Ada", "Bo", "ÅSA"])
    #expect(names.index(matching: { $0.starts(with: "B") }) == 1)
    #expect(names.index(matching: "SELF ==[cd] %@", "asa") == 2)
    #expect(names.index(matching: "SELF ==[c] %@", "asa") == nil)
    #expect(names.index(matching: { $0.like("*o") }) == 1)
  }

  @Test func otherValues() {
    #expect(list([nil, 4, nil] as [Int?]).index(matching: { $0 == 4 }) == 1)
    #expect(list([4, nil] as [Int?]).index(matching: { $0 == nil }) == 1)
    #expect(list([Mood.content, .asleep]).index(matching: { $0 == .asleep }) == 1)
    let date = Date(timeIntervalSince1970: 1000)
    #expect(list([.distantPast, date]).index(matching: { $0 == date }) == 1)
    let id = UUID()
    #expect(list([UUID(), id]).index(matching: "SELF == %@", id) == 1)
    let mixed: List<AnyRealmValue> = list([.none, .string("x"), .int(4)])
    #expect(mixed.index(matching: "SELF == 4") == 2)
    #expect(mixed.index(matching: "SELF == 'x'") == 1)
  }

  @Test func properties() {
    let walkers = list([Walker("Ada", weight: 3), Walker("Bo", age: 5, weight: 9), Walker("Cleo", age: 5)])
    #expect(walkers.index(matching: { $0.age == 5 }) == 1)
    #expect(walkers.index(matching: { $0.age == 5 && $0.weight == 0 }) == 2)
    #expect(walkers.index(matching: "age == nil") == 0)
    #expect(walkers.index(matching: { !($0.name == "Ada") }) == 1)
    #expect(walkers.index(matching: "name == 'Dan'") == nil)
    #expect(walkers.index(matching: "weight > age") == 1)
  }

  @Test func links() {
    let ada = Walker("Ada", age: 3)
    ada.nicknames.append(objectsIn: ["Countess", "A"])
    let bo = Walker("Bo")
    bo.friend = ada
    let walkers = list([ada, bo])
    #expect(walkers.index(matching: { $0.friend.name == "Ada" }) == 1)
    #expect(walkers.index(matching: "friend == nil") == 0)
    #expect(walkers.index(matching: "friend != nil") == 1)
    #expect(walkers.index(matching: "ANY nicknames == 'A'") == 0)
    #expect(walkers.index(matching: { $0.nicknames.count == 0 }) == 1)
  }

  @Test func collections() {
    let empty = Kennel()
    let full = Kennel()
    full.walkers.append(Walker("Ada", age: 3))
    full.walkers.append(Walker("Bo", age: 4))
    full.walkerMap["x"] = Walker("Cleo", age: 9)
    full.collars.append(Collar("red", size: 4))
    let kennels = list([empty, full])
    #expect(kennels.index(matching: "ANY walkers.age > 3") == 1)
    #expect(kennels.index(matching: "walkers.@sum.age == 7") == 1)
    #expect(kennels.index(matching: "ANY walkerMap.@allKeys == 'x'") == 1)
    #expect(kennels.index(matching: "ANY walkerMap.@allValues.age == 9") == 1)
    #expect(kennels.index(matching: { $0.collars.colour == "red" }) == 1)
    #expect(kennels.index(matching: "SUBQUERY(walkers, $w, $w.age > 2).@count == 2") == 1)
    #expect(kennels.index(matching: "walkers.@count == 3") == nil)
  }

  @Test func managedObjectsInAListInMemory() {
    let storage = ScratchRealm.ofCollections()
    let ada = storage.added(Walker("Ada", age: 3))
    let bo = storage.added(Walker("Bo", age: 4))
    let walkers = list([ada, bo, Walker("Bo", age: 4)])
    #expect(walkers.index(matching: "SELF == %@", bo) == 1)
    #expect(walkers.index(matching: { $0.age == 4 }) == 1)
    let other = storage.added(Walker("Other"))
    #expect(walkers.index(matching: "SELF == %@", other) == nil)
  }

  @Test func managedListsAgree() {
    let storage = ScratchRealm.ofCollections()
    let kennel = Kennel()
    kennel.walkers.append(objectsIn: [Walker("Ada", age: 3), Walker("Bo", age: 4), Walker("Cleo", age: 4)])
    let before = kennel.walkers.index(matching: { $0.age == 4 })
    _ = storage.added(kennel)
    #expect(kennel.walkers.realm != nil)
    #expect(kennel.walkers.index(matching: { $0.age == 4 }) == before)
    #expect(before == 1)
  }

  // MARK: What stops the program

  @Test func unknownProperties() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let walkers = List<Walker>()
      walkers.append(Walker("Ada"))
      _ = walkers.index(matching: "wings == 2")
    }
    expectStop(result, saying: "Property 'wings' not found in object of type 'Walker'")
  }

  @Test func managedListsOfValues() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ScratchRealm.ofCollections().added(ValueLists()).ints.index(matching: { $0 == 1 })
    }
    expectStop(result, saying: "Querying is currently only implemented for arrays of Realm Objects")
  }

  @Test func managedSetsOfValues() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ScratchRealm.ofCollections().added(ValueSets()).ints.where { $0 == 1 }
    }
    expectStop(result, saying: "Querying is currently only implemented for sets of Realm Objects")
  }
}
