import Foundation
import RealmSwift
import TestSupport
import Testing

@MainActor @Suite struct ObservedResultsTests {
  private func kennel() throws -> ScreenRealm {
    let screen = try ScreenRealm()
    try screen.realm.write {
      for (index, name) in ["Ada", "Bo", "Cleo", "Dino"].enumerated() {
        screen.realm.add(ScreenDog(name, age: 4 - index, breed: index < 2 ? "poodle" : "boxer"))
      }
    }
    return screen
  }

  private func names(_ dogs: some Sequence<ScreenDog>) -> [String] { dogs.map(\.name) }

  @Test func showsWhatIsThere() throws {
    let screen = try kennel()
    let all = ObservedResults(ScreenDog.self, configuration: screen.file.configuration)
    #expect(names(all.wrappedValue) == ["Ada", "Bo", "Cleo", "Dino"])
    #expect(all.wrappedValue.isFrozen)
    // One version is frozen once, so that nothing seems to have changed.
    let first = all.wrappedValue
    #expect(first == all.wrappedValue)
    let old = ObservedResults(
      ScreenDog.self, configuration: screen.file.configuration, filter: NSPredicate(format: "age > %@", 2),
      sortDescriptor: SortDescriptor(keyPath: "age"))
    #expect(names(old.wrappedValue) == ["Bo", "Ada"])
    let young = ObservedResults(
      ScreenDog.self, configuration: screen.file.configuration, where: { $0.age < 3 },
      sortDescriptor: SortDescriptor(keyPath: \ScreenDog.name, ascending: false))
    #expect(names(young.wrappedValue) == ["Dino", "Cleo"])
  }

  @Test func settingsOfTheQuery() throws {
    let screen = try kennel()
    let dogs = ObservedResults(
      ScreenDog.self, configuration: screen.file.configuration, where: { $0.age < 4 })
    #expect(names(dogs.wrappedValue) == ["Bo", "Cleo", "Dino"])
    dogs.projectedValue.sortDescriptor = SortDescriptor(keyPath: "age")
    #expect(names(dogs.wrappedValue) == ["Dino", "Cleo", "Bo"])
    dogs.searchText("o", on: \.name)
    #expect(names(dogs.wrappedValue) == ["Dino", "Cleo", "Bo"])
    dogs.searchText("Cl", on: \.name)
    #expect(names(dogs.wrappedValue) == ["Cleo"])
    dogs.searchText("poo", on: \.breed)
    #expect(names(dogs.wrappedValue) == ["Bo"])
    dogs.searchText("", on: \.breed)
    dogs.filter = NSPredicate(format: "breed == 'poodle'")
    #expect(names(dogs.wrappedValue) == ["Bo", "Ada"])
    dogs.filter = nil
    #expect(names(dogs.wrappedValue) == ["Dino", "Cleo", "Bo"])
    dogs.where = nil
    dogs.sortDescriptor = nil
    #expect(names(dogs.wrappedValue) == ["Ada", "Bo", "Cleo", "Dino"])
  }

  @Test func changes() throws {
    let screen = try kennel()
    let dogs = ObservedResults(
      ScreenDog.self, configuration: screen.file.configuration,
      sortDescriptor: SortDescriptor(keyPath: "name"))
    dogs.projectedValue.append(ScreenDog("Ace"))
    #expect(names(dogs.wrappedValue) == ["Ace", "Ada", "Bo", "Cleo", "Dino"])
    dogs.projectedValue.remove(dogs.wrappedValue[1])
    #expect(names(dogs.wrappedValue) == ["Ace", "Bo", "Cleo", "Dino"])
    dogs.projectedValue.remove(atOffsets: [0, 3])
    #expect(names(dogs.wrappedValue) == ["Bo", "Cleo"])
    // Only what is among the results is deleted, and deleting twice does nothing.
    let bo = dogs.wrappedValue[0]
    dogs.filter = NSPredicate(format: "name == 'Cleo'")
    dogs.projectedValue.remove(bo)
    #expect(screen.realm.objects(ScreenDog.self).count == 2)
    dogs.filter = nil
    dogs.projectedValue.remove(bo)
    dogs.projectedValue.remove(bo)
    #expect(names(dogs.wrappedValue) == ["Cleo"])
    try screen.realm.write { dogs.projectedValue.append(ScreenDog("Max")) }
    #expect(names(dogs.wrappedValue) == ["Cleo", "Max"])
  }

  @Test func objectsOfAnotherRealm() async throws {
    let screen = try kennel()
    let other = try ScreenRealm()
    let dogs = ObservedResults(ScreenDog.self, configuration: screen.file.configuration)
    let foreign = try other.add(ScreenDog("Rex", age: 9))
    // The answer to what stops the program below: a copy.
    let live = try #require(dogs.wrappedValue.thaw()?.realm)
    try live.write { _ = live.create(ScreenDog.self, value: foreign, update: .modified) }
    #expect(names(dogs.wrappedValue) == ["Ada", "Bo", "Cleo", "Dino", "Rex"])
    try live.write { _ = live.create(ScreenDog.self, value: foreign.freeze(), update: .modified) }
    #expect(dogs.wrappedValue.count == 5)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        let (screen, other) = (try ScreenRealm(), try ScreenRealm())
        let dog = try other.add(ScreenDog("Rex"))
        ObservedResults(ScreenDog.self, configuration: screen.file.configuration).append(dog)
      }
    }
    expectStop(
      result,
      saying: "Object is already managed by another Realm. Use create instead to copy it into this Realm.")
  }

  @Test func theBodyIsComputedAgain() async throws {
    let screen = try kennel()
    @MainActor struct Puppies {
      @ObservedResults(ScreenDog.self, where: { $0.age < 3 }, keyPaths: ["name", "age"]) var dogs
      var body: [String] { dogs.map(\.name) }
    }
    var environment = EnvironmentValues()
    environment.realm = screen.realm
    #expect(environment.realm == screen.realm)
    let puppies = Puppies()
    var bodies: [[String]] = []
    let updates = ViewUpdates(of: puppies, environment: environment) { bodies.append(puppies.body) }
    #expect(puppies.body == ["Cleo", "Dino"])
    await settle()
    #expect(bodies.isEmpty)
    puppies.$dogs.append(ScreenDog("Ace"))
    await settle()
    #expect(bodies == [["Cleo", "Dino", "Ace"]])
    // Neither a property that is not asked for, nor an object that is not found.
    puppies.dogs[0].thaw()!.bind(\.breed).wrappedValue = "terrier"
    screen.realm.objects(ScreenDog.self)[0].bind(\.name).wrappedValue = "Adam"
    await settle()
    #expect(bodies.count == 1)
    puppies.dogs[0].thaw()!.bind(\.name).wrappedValue = "Cleopatra"
    await settle()
    #expect(bodies.last == ["Cleopatra", "Dino", "Ace"])
    puppies.$dogs.searchText("Din", on: \.name)
    await settle()
    #expect(bodies.last == ["Dino"])
    #expect(bodies.count == 3)
    withExtendedLifetime(updates) {}
  }

  @Test func projections() throws {
    let screen = try kennel()
    let lines = ObservedResults(
      ScreenDogLine.self, configuration: screen.file.configuration, filter: NSPredicate(format: "age > 1"),
      sortDescriptor: SortDescriptor(keyPath: "name", ascending: false))
    #expect(lines.wrappedValue.map(\.title) == ["Cleo", "Bo", "Ada"])
    lines.searchText("o", on: \.title)
    #expect(lines.wrappedValue.map(\.title) == ["Cleo", "Bo"])
    lines.remove(lines.wrappedValue[0])
    lines.append(ScreenDogLine(projecting: ScreenDog("Otto", age: 5)))
    lines.searchText("", on: \.title)
    #expect(lines.wrappedValue.map(\.title) == ["Otto", "Bo", "Ada"])
    lines.remove(atOffsets: [0, 2])
    #expect(names(screen.realm.objects(ScreenDog.self)) == ["Bo", "Dino"])
  }

  @Test func sections() async throws {
    let screen = try kennel()
    @MainActor struct Breeds {
      @ObservedSectionedResults<String, ScreenDog> var dogs: SectionedResults<String, ScreenDog>
      var body: [String] { dogs.map { "\($0.key): \($0.map(\.name).joined(separator: " "))" } }
    }
    let breeds = Breeds(
      dogs: ObservedSectionedResults(
        ScreenDog.self, sectionKeyPath: \.breed,
        sortDescriptors: [SortDescriptor(keyPath: "breed"), SortDescriptor(keyPath: "name")],
        configuration: screen.file.configuration))
    var bodies: [[String]] = []
    let updates = ViewUpdates(of: breeds) { bodies.append(breeds.body) }
    #expect(breeds.body == ["boxer: Cleo Dino", "poodle: Ada Bo"])
    #expect(breeds.dogs.isFrozen)
    let shown = breeds.dogs
    #expect(shown == breeds.dogs)
    breeds.$dogs.append(ScreenDog("Ace", breed: "akita"))
    await settle()
    #expect(bodies == [["akita: Ace", "boxer: Cleo Dino", "poodle: Ada Bo"]])
    breeds.$dogs.remove(atOffsets: [1], section: breeds.dogs[2])
    breeds.$dogs.remove(breeds.dogs[0][0])
    #expect(breeds.body == ["boxer: Cleo Dino", "poodle: Ada"])
    breeds.$dogs.filter = NSPredicate(format: "name CONTAINS 'o'")
    #expect(breeds.body == ["boxer: Cleo Dino"])
    breeds.$dogs.filter = nil
    breeds.$dogs.where = { $0.name != "Cleo" }
    #expect(breeds.body == ["boxer: Dino", "poodle: Ada"])
    breeds.$dogs.searchText("A", on: \.name)
    #expect(breeds.body == ["poodle: Ada"])
    let initials = ObservedSectionedResults(
      ScreenDog.self, sectionBlock: { String($0.name.prefix(1)) },
      sortDescriptors: [SortDescriptor(keyPath: "name")], configuration: screen.file.configuration)
    #expect(initials.wrappedValue.allKeys == ["A", "C", "D"])
    let titles = ObservedSectionedResults(
      ScreenDogLine.self, sectionKeyPath: \.title, configuration: screen.file.configuration)
    #expect(titles.wrappedValue.allKeys == ["Ada", "Cleo", "Dino"])
    withExtendedLifetime(updates) {}
  }

  @Test func sectionsNeedAnOrder() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        _ = ObservedSectionedResults(ScreenDog.self, sectionBlock: \.name, sortDescriptors: [])
      }
    }
    expectStop(
      result,
      saying: "sortDescriptors must not be empty when sectioning ObservedSectionedResults with `sectionBlock`"
    )
  }
}
