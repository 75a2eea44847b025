import Foundation
import Testing

@testable import RealmSwift

@MainActor @Suite struct ObservedRealmObjectTests {
  @MainActor private struct DogCard {
    @ObservedRealmObject var dog: ScreenDog
    var body: String { "\(dog.name), \(dog.age)" }
  }

  @Test func showsFrozenCopies() throws {
    let screen = try ScreenRealm()
    let dog = try screen.add(ScreenDog("Wolfie", age: 3))
    let card = DogCard(dog: dog)
    #expect(card.body == "Wolfie, 3")
    #expect(card.dog.isFrozen)
    #expect(!dog.isFrozen)
    let before = card.dog
    try screen.realm.write { dog.age = 4 }
    #expect(before.age == 3)
    #expect(card.body == "Wolfie, 4")
    #expect(before.id == card.dog.id)
  }

  @Test func bindingsWriteWithinATransactionOfTheirOwn() throws {
    let screen = try ScreenRealm()
    let dog = try screen.add(ScreenDog("Wolfie"))
    let card = DogCard(dog: dog.freeze())
    let name = card.$dog.name
    #expect(name.wrappedValue == "Wolfie")
    name.wrappedValue = "Rex"
    #expect(dog.name == "Rex")
    #expect(name.wrappedValue == "Rex")
    #expect(!screen.realm.isInWriteTransaction)
    card.$dog.note.wrappedValue = "shy"
    #expect(dog.note == "shy")
    card.$dog.note.wrappedValue = nil
    #expect(dog.note == nil)
  }

  @Test func bindingsJoinAnOpenTransaction() throws {
    let screen = try ScreenRealm()
    let dog = try screen.add(ScreenDog("Wolfie", age: 3))
    let card = DogCard(dog: dog)
    screen.realm.beginWrite()
    card.$dog.name.wrappedValue = "Rex"
    card.$dog.age.wrappedValue += 1
    card.$dog.tricks.append("sit")
    #expect(screen.realm.isInWriteTransaction)
    #expect((dog.name, dog.age, dog.tricks.count) == ("Rex", 4, 1))
    screen.realm.cancelWrite()
    #expect((dog.name, dog.age, dog.tricks.count) == ("Wolfie", 3, 0))
  }

  @Test func nothingIsWrittenWhenTheValueIsThere() throws {
    let screen = try ScreenRealm()
    let toy = try screen.add(ScreenToy(value: ["name": "ball"]))
    let dog = try screen.add(ScreenDog("Wolfie"))
    let card = DogCard(dog: dog)
    card.$dog.favoriteToy.wrappedValue = toy
    let version = screen.realm.core.snapshot.version
    card.$dog.name.wrappedValue = "Wolfie"
    card.$dog.note.wrappedValue = nil
    card.$dog.favoriteToy.wrappedValue = toy.freeze()
    #expect(screen.realm.core.snapshot.version == version)
    card.$dog.name.wrappedValue = "Rex"
    #expect(screen.realm.core.snapshot.version > version)
  }

  @Test func linksAreGivenFrozenAndStoredLive() throws {
    let screen = try ScreenRealm()
    let ball = try screen.add(ScreenToy(value: ["name": "ball"]))
    let dog = try screen.add(ScreenDog("Wolfie"))
    let toy = DogCard(dog: dog).$dog.favoriteToy
    #expect(toy.wrappedValue == nil)
    toy.wrappedValue = ball.freeze()
    #expect(dog.favoriteToy?.isSameObject(as: ball) == true)
    #expect(toy.wrappedValue?.isFrozen == true)
    // A new object is added by being set.
    toy.wrappedValue = ScreenToy(value: ["name": "bone"])
    #expect(screen.realm.objects(ScreenToy.self).count == 2)
    #expect(dog.favoriteToy?.name == "bone")
    toy.wrappedValue = nil
    #expect(dog.favoriteToy == nil)
  }

  @Test func embeddedObjects() throws {
    let screen = try ScreenRealm()
    let dog = try screen.add(ScreenDog("Wolfie"))
    let card = DogCard(dog: dog)
    card.$dog.collar.wrappedValue = ScreenCollar()
    #expect(dog.collar?.colour == "red")
    dog.collar!.bind(\.colour).wrappedValue = "blue"
    #expect(card.$dog.collar.wrappedValue?.colour == "blue")
  }

  @Test func severalBindingsToOneObject() throws {
    let screen = try ScreenRealm()
    let dog = try screen.add(ScreenDog("Wolfie"))
    let first = DogCard(dog: dog).$dog.name
    let second = DogCard(dog: dog.freeze()).$dog.name
    let third = dog.bind(\.name)
    for (index, binding) in [first, second, third].enumerated() {
      binding.wrappedValue = "n\(index)"
      #expect([first, second, third].map(\.wrappedValue) == Array(repeating: "n\(index)", count: 3))
    }
  }

  @Test func objectsDeletedWhileBound() throws {
    let screen = try ScreenRealm()
    let dog = try screen.add(ScreenDog("Wolfie", age: 3))
    dog.bind(\.tricks).append("sit")
    let frozen = dog.freeze()
    let card = DogCard(dog: dog)
    let (name, tricks, toy) = (card.$dog.name, card.$dog.tricks, card.$dog.favoriteToy)
    #expect(tricks.wrappedValue.count == 1)
    card.$dog.delete()
    #expect(dog.isInvalidated)
    #expect(screen.realm.isEmpty)
    // A new object is shown, and bindings give what they knew.
    #expect(card.body == ", 0")
    #expect(card.dog.realm == nil)
    #expect(name.wrappedValue == "Wolfie")
    #expect(tricks.wrappedValue.isEmpty)
    #expect(toy.wrappedValue == nil)
    name.wrappedValue = "Rex"
    tricks.append("roll over")
    toy.wrappedValue = ScreenToy()
    card.$dog.delete()
    #expect(screen.realm.isEmpty)
    // What was frozen before stays as it was, and cannot be written through.
    let late = DogCard(dog: frozen)
    #expect(late.body == "Wolfie, 3")
    late.$dog.name.wrappedValue = "Rex"
    late.$dog.tricks.append("roll over")
    late.$dog.delete()
    #expect(screen.realm.isEmpty)
  }

  @Test func theBodyIsComputedAgain() async throws {
    let screen = try ScreenRealm()
    let dog = try screen.add(ScreenDog("Wolfie", age: 3))
    let other = try screen.add(ScreenDog("Rex", age: 5))
    let card = DogCard(dog: dog)
    var bodies: [String] = [card.body]
    let updates = ViewUpdates(of: card) { bodies.append(card.body) }
    card.$dog.name.wrappedValue = "Wolf"
    await settle()
    #expect(bodies == ["Wolfie, 3", "Wolf, 3"])
    other.bind(\.age).wrappedValue = 6
    await settle()
    #expect(bodies.count == 2)
    try screen.realm.write {
      dog.name = "W"
      dog.age = 4
    }
    await settle()
    #expect(bodies.count == 3)
    #expect(bodies.last == "W, 4")
    let id = dog.id
    try screen.writeElsewhere { $0.object(ofType: ScreenDog.self, forPrimaryKey: id)!.age = 7 }
    screen.realm.refresh()
    await settle()
    #expect(bodies.last == "W, 7")
    card.$dog.delete()
    await settle()
    #expect(bodies.last == ", 0")
    withExtendedLifetime(updates) {}
  }

  @Test func whatIsWrittenBeforeTheFirstCallIsNotMissed() async throws {
    let screen = try ScreenRealm()
    let person = try screen.add(ScreenPerson())
    @MainActor struct Names {
      @ObservedRealmObject var dogs: List<ScreenDog>
      var body: [String] { dogs.map(\.name) }
    }
    let names = Names(dogs: person.dogs)
    var bodies = [names.body]
    let updates = ViewUpdates(of: names) { bodies.append(names.body) }
    await settle()
    #expect(bodies == [[]])
    let others = Names(dogs: person.dogs)
    var otherBodies = [others.body]
    let otherUpdates = ViewUpdates(of: others) { otherBodies.append(others.body) }
    others.$dogs.append(ScreenDog("Wolfie"))
    await settle()
    #expect(bodies == [[], ["Wolfie"]])
    #expect(otherBodies == [[], ["Wolfie"]])
    withExtendedLifetime((updates, otherUpdates)) {}
  }

  @Test func objectsInMemory() async throws {
    let card = DogCard(dog: ScreenDog("Wolfie"))
    var bodies: [String] = []
    let updates = ViewUpdates(of: card) { bodies.append(card.body) }
    card.$dog.age.wrappedValue = 2
    await settle()
    #expect(bodies == ["Wolfie, 2"])
    card.$dog.tricks.append("sit")
    await settle()
    #expect(bodies.count == 2)
    #expect(Array(card.dog.tricks) == ["sit"])
    card.$dog.delete()
    #expect(card.body == "Wolfie, 2")
    withExtendedLifetime(updates) {}
  }

  @Test func explicitWrites() throws {
    let screen = try ScreenRealm()
    let card = DogCard(dog: try screen.add(ScreenDog("Wolfie")))
    let thawed = try #require(card.dog.thaw())
    let realm = try #require(thawed.realm)
    #expect(realm == screen.realm)
    try realm.write {
      thawed.name = "Rex"
      realm.add(ScreenToy(value: ["name": "ball"]))
    }
    #expect(card.dog.name == "Rex")
  }

  @Test func projections() throws {
    let screen = try ScreenRealm()
    let dog = try screen.add(ScreenDog("Wolfie"))
    @MainActor struct Line { @ObservedRealmObject var dog: ScreenDogLine }
    let line = Line(dog: ScreenDogLine(projecting: dog))
    #expect(line.dog.isFrozen)
    #expect(line.dog.title == "Wolfie")
    line.$dog.title.wrappedValue = "Rex"
    #expect(dog.name == "Rex")
    ScreenDogLine(projecting: dog).bind(\.title).wrappedValue = "Max"
    #expect(line.dog.title == "Max")
    line.$dog.delete()
    #expect(dog.isInvalidated)
    #expect(line.dog.title == "")
  }

  @Test func anObjectOfTheOpenTransactionIsShownLive() throws {
    let screen = try ScreenRealm()
    try screen.realm.write {
      let dog = ScreenDog("Wolfie")
      screen.realm.add(dog)
      let card = DogCard(dog: dog)
      #expect(card.body == "Wolfie, 0")
      #expect(!card.dog.isFrozen)
      card.$dog.name.wrappedValue = "Rex"
      #expect(card.body == "Rex, 0")
    }
  }
}
