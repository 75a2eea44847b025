import RealmSwift
import Testing

/// The names that key paths have in queries.
struct KeyPathNameTests {
  @Test func propertiesAndLinks() {
    #expect(_name(for: \Walker.name) == "name")
    #expect(_name(for: \Walker.friend?.friend?.age) == "friend.friend.age")
    #expect(_name(for: \Walker.name.count) == "name")
    #expect(_name(for: \Walker.self) == "")
  }

  @Test func elementsOfCollections() {
    #expect(_name(for: \Kennel.walkers) == "walkers")
    #expect(_name(for: \Kennel.walkers.count) == "walkers")
    #expect(_name(for: \Kennel.walkers.first?.name) == "walkers")
    #expect(_name(for: \Kennel.walkers[0].name) == "walkers.name")
    #expect(_name(for: \Kennel.walkers[3].friend?.nicknames[0]) == "walkers.friend.nicknames")
    #expect(_name(for: \Kennel.walkerSet[0].age) == "walkerSet.age")
    #expect(_name(for: \Kennel.walkerMap[""]??.weight) == "walkerMap.weight")
    #expect(_name(for: \Kennel.collars[0].colour) == "collars.colour")
    #expect(_name(for: \Walker.kennels[0].name) == "kennels.name")
    #expect(_name(for: \ValueLists.strings[0]) == "strings")
    #expect(_name(for: \ValueMaps.ints["a"]) == "ints")
  }
}
