import Foundation
import RealmSwift
import TestSupport
import Testing

@MainActor @Suite struct BoundCollectionTests {
  @MainActor private struct Household {
    @ObservedRealmObject var person: ScreenPerson
    var names: [String] { person.dogs.map(\.name) }
  }

  private func household(_ screen: ScreenRealm, _ names: [String]) throws -> Household {
    let person = ScreenPerson()
    person.dogs.append(objectsIn: names.map { ScreenDog($0) })
    return Household(person: try screen.add(person))
  }

  /// What is in memory only cannot be removed from a realm.
  @Test func removingWhatIsInMemory() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        let screen = try ScreenRealm()
        let results = ObservedResults(ScreenDog.self, configuration: screen.realm.configuration)
        _ = results.wrappedValue.count
        results.projectedValue.remove(ScreenDog("nobody's"))
      }
    }
    expectStop(result, saying: "Can only delete an object from the Realm it belongs to.")
  }

  @Test func lists() throws {
    let screen = try ScreenRealm()
    let home = try household(screen, ["a", "b", "c", "d"])
    home.$person.dogs.append(ScreenDog("e"))
    #expect(home.names == ["a", "b", "c", "d", "e"])
    home.$person.dogs.remove(at: 1)
    #expect(home.names == ["a", "c", "d", "e"])
    home.$person.dogs.remove(atOffsets: [0, 2])
    #expect(home.names == ["c", "e"])
    #expect(screen.realm.objects(ScreenDog.self).count == 5)
    // A frozen object of the realm is thawed before it is put in.
    let first = try #require(screen.realm.objects(ScreenDog.self).first).freeze()
    home.$person.dogs.append(first)
    #expect(home.names == ["c", "e", "a"])
    home.$person.dogs.move(fromOffsets: [2], toOffset: 0)
    #expect(home.names == ["a", "c", "e"])
    home.$person.dogs.move(fromOffsets: [0], toOffset: 3)
    #expect(home.names == ["c", "e", "a"])
    #expect(home.$person.dogs.wrappedValue.isFrozen)
  }

  @Test func aListOfItsOwn() throws {
    let screen = try ScreenRealm()
    let person = try screen.add(ScreenPerson())
    @MainActor struct Names { @ObservedRealmObject var dogs: List<ScreenDog> }
    let names = Names(dogs: person.dogs)
    names.$dogs.append(ScreenDog("a"))
    names.$dogs.append(ScreenDog("b"))
    names.$dogs.move(fromOffsets: [1], toOffset: 0)
    #expect(names.dogs.map(\.name) == ["b", "a"])
    #expect(names.dogs.isFrozen)
    names.$dogs.remove(at: 0)
    #expect(person.dogs.map(\.name) == ["a"])
    person.bind(\.dogs).append(ScreenDog("c"))
    try screen.realm.write { screen.realm.delete(person) }
    #expect(names.dogs.isEmpty)
    names.$dogs.append(ScreenDog("d"))
    #expect(screen.realm.objects(ScreenDog.self).count == 3)
  }

  @Test func sets() throws {
    let screen = try ScreenRealm()
    let dog = try screen.add(ScreenDog("Wolfie"))
    let tags = dog.bind(\.tags)
    tags.insert("calm")
    tags.insert("calm")
    tags.insert("old")
    #expect(Set(dog.tags) == ["calm", "old"])
    tags.remove("calm")
    #expect(Set(dog.tags) == ["old"])
    #expect(tags.wrappedValue.isFrozen)
  }

  @Test func maps() throws {
    let screen = try ScreenRealm()
    let dog = try screen.add(ScreenDog("Wolfie"))
    let visits = dog.bind(\.visits)
    visits.set(object: 2, for: "2024")
    visits.set(object: 3, for: "2025")
    #expect(visits["2025"] == 3)
    #expect(dog.visits.count == 2)
    visits.set(object: nil, for: "2024")
    #expect(visits["2024"] == nil)
    #expect(dog.visits.keys == ["2025"])
    #expect(visits.wrappedValue.isFrozen)
  }

  @Test func stateOwnsAnObjectInMemoryUntilItIsAdded() async throws {
    let screen = try ScreenRealm()
    @MainActor struct Form {
      @StateRealmObject var dog: ScreenDog
      var body: String { "\(dog.name): \(dog.tricks.joined(separator: " "))" }
    }
    let form = Form(dog: ScreenDog("Wolfie"))
    var bodies: [String] = []
    let updates = ViewUpdates(of: form) { bodies.append(form.body) }
    form.$dog.name.wrappedValue = "Rex"
    await settle()
    form.$dog.tricks.append("sit")
    await settle()
    #expect(bodies == ["Rex: ", "Rex: sit"])
    let person = try screen.add(ScreenPerson())
    person.bind(\.dogs).append(form.dog)
    #expect(form.dog.isFrozen)
    form.$dog.name.wrappedValue = "Max"
    #expect(person.dogs[0].name == "Max")
    await settle()
    #expect(bodies.last == "Max: sit")
    form.dog = ScreenDog("new")
    await settle()
    #expect(bodies.last == "new: ")
    form.dog = person.dogs[0]
    form.$dog.delete()
    #expect(person.dogs.isEmpty)
    #expect(form.body == ": ")
    withExtendedLifetime(updates) {}
  }

  @Test func stateOfCollections() throws {
    @MainActor struct Form {
      @StateRealmObject var list = List<String>()
      @StateRealmObject var set = MutableSet<Int>()
      @StateRealmObject var map = Map<String, Int>()
    }
    let form = Form()
    form.$list.append("a")
    form.$list.append("b")
    form.$list.move(fromOffsets: [1], toOffset: 0)
    form.$set.insert(1)
    form.$map.set(object: 4, for: "x")
    #expect(Array(form.list) == ["b", "a"])
    #expect(Array(form.set) == [1])
    #expect(form.$map["x"] == 4)
    let screen = try ScreenRealm()
    let dog = try screen.add(ScreenDog("Wolfie"))
    form.list = dog.tricks
    form.$list.append("sit")
    #expect(Array(dog.tricks) == ["sit"])
    #expect(form.list.isFrozen)
  }
}
