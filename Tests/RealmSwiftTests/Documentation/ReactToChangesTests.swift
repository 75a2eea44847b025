import Foundation
import RealmSwift
import TestSupport
import Testing

// The examples of the documentation's page about reacting to changes.

class ReactToy: Object {
  @Persisted var name = ""
}

class ReactDog: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var favoriteToy: ReactToy?
}

class ReactPerson: Object {
  @Persisted var name = ""
  @Persisted var address: ReactAddress?
  @Persisted var dogs: List<ReactDog>
  @Persisted var nicknames: MutableSet<String>
  @Persisted var walks: Map<String, ReactDog?>
}

class ReactAddress: EmbeddedObject {
  @Persisted var city = ""
  @Persisted var country = ""
}

class ReactPersonName: Projection<ReactPerson> {
  @Projected(\ReactPerson.name) var name
  @Projected(\ReactPerson.address?.city) var homeCity
}

/// What the page calls the user interface: a list that follows a collection by what its observer is told.
@MainActor private final class ReactScreen {
  var rows: [String] = []
  var log: [String] = []

  func reload(_ dogs: Results<ReactDog>) { rows = dogs.map(\.name) }

  func update(
    _ dogs: Results<ReactDog>, _ deletions: [Int], _ insertions: [Int], _ modifications: [Int]
  ) {
    // Modifications and deletions are positions before, insertions positions after.
    for row in modifications { rows[row] = "changed" }
    for row in deletions.reversed() { rows.remove(at: row) }
    for row in insertions { rows.insert(dogs[row].name, at: row) }
    for (row, dog) in dogs.enumerated() where rows[row] == "changed" { rows[row] = dog.name }
  }
}

@Suite @MainActor struct ReactToChangesTests {
  let file: ScratchRealm
  let realm: Realm
  private let screen = ReactScreen()

  init() throws {
    file = ScratchRealm([ReactDog.self, ReactPerson.self, ReactToy.self, ReactAddress.self])
    realm = try file.open()
  }

  /// Writes on another thread, while the main actor waits without blocking.
  private func writeElsewhere(_ body: @escaping @Sendable (Realm) throws -> Void) async throws {
    let configuration = file.configuration
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let realm = try Realm(configuration: configuration)
            try realm.write { try body(realm) }
          })
      }
    }
  }

  /// Goes on once the screen has been told of so much.
  private func wait(for count: Int) async throws {
    try await eventually { screen.log.count >= count }
  }

  // MARK: Realms

  @Test func aRealm() async throws {
    let token = realm.observe { [screen] notification, realm in
      screen.log.append("\(notification) \(realm.objects(ReactDog.self).count)")
    }
    try realm.write { realm.add(ReactDog()) }
    #expect(screen.log == ["didChange 1"])
    try await writeElsewhere { $0.add(ReactDog()) }
    try await wait(for: 2)
    #expect(screen.log == ["didChange 1", "didChange 2"])
    token.invalidate()
    try realm.write { realm.add(ReactDog()) }
    #expect(screen.log.count == 2)
  }

  // MARK: Collections

  @Test func aCollection() async throws {
    let dogs = realm.objects(ReactDog.self).sorted(byKeyPath: "age")
    let token = dogs.observe { [weak screen] (changes: RealmCollectionChange) in
      guard let screen else { return }
      switch changes {
      case .initial(let dogs):
        screen.reload(dogs)
        screen.log.append("initial")
      case .update(let dogs, let deletions, let insertions, let modifications):
        screen.update(dogs, deletions, insertions, modifications)
        screen.log.append("update")
      case .error(let error):
        fatalError("\(error)")
      }
    }
    try await wait(for: 1)
    #expect(screen.log == ["initial"] && screen.rows == [])
    try await writeElsewhere { realm in
      for (age, name) in ["Ida", "Bo", "Rex"].enumerated() {
        realm.create(ReactDog.self, value: ["name": name, "age": age])
      }
    }
    try await wait(for: 2)
    #expect(screen.rows == ["Ida", "Bo", "Rex"])
    try await writeElsewhere { realm in
      let dogs = realm.objects(ReactDog.self)
      dogs.where { $0.name == "Ida" }.first!.age = 12
      dogs.where { $0.name == "Rex" }.first!.name = "Max"
      realm.delete(dogs.where { $0.name == "Bo" })
      realm.create(ReactDog.self, value: ["name": "Pup", "age": 0])
    }
    try await wait(for: 3)
    #expect(screen.rows == ["Pup", "Max", "Ida"] && Array(dogs.map(\.name)) == screen.rows)
    token.invalidate()
  }

  @Test func collectionsOfAnObject() async throws {
    let person = try realm.write { realm.create(ReactPerson.self, value: ["name": "Eve"]) }
    let tokens = [
      person.dogs.observe { [screen] (changes: RealmCollectionChange) in
        if case .update(_, _, let insertions, _) = changes { screen.log.append("dogs \(insertions)") }
      },
      person.nicknames.observe { [screen] (changes: RealmCollectionChange) in
        if case .update(let names, _, _, _) = changes { screen.log.append("names \(Array(names))") }
      },
      person.walks.observe { [screen] (changes: RealmMapChange) in
        if case .update(_, let deletions, let insertions, let modifications) = changes {
          screen.log.append("walks \(deletions) \(insertions) \(modifications)")
        }
      },
    ]
    realm.refresh()
    try await writeElsewhere { realm in
      let person = realm.objects(ReactPerson.self)[0]
      let dog = realm.create(ReactDog.self, value: ["name": "Rex"])
      person.dogs.append(dog)
      person.nicknames.insert("Evie")
      person.walks["morning"] = dog
    }
    try await wait(for: 3)
    #expect(Set(screen.log) == ["dogs [0]", "names [\"Evie\"]", "walks [] [\"morning\"] []"])
    withExtendedLifetime(tokens) {}
  }

  // MARK: Objects

  @Test func anObject() async throws {
    let dog = try realm.write { realm.create(ReactDog.self, value: ["name": "Max", "age": 5]) }
    // The type of the change is that of all objects unless it is written down.
    let token = dog.observe { [screen] change in
      switch change {
      case .change(let object, let properties):
        for property in properties {
          screen.log.append("\(property.name) of a \(type(of: object)): \(property.newValue!)")
        }
      case .error(let error):
        screen.log.append("\(error)")
      case .deleted:
        screen.log.append("deleted")
      }
    }
    try await writeElsewhere { $0.objects(ReactDog.self)[0].name = "Wolfie" }
    try await wait(for: 1)
    #expect(screen.log == ["name of a ReactDog: Wolfie"])
    #expect(dog.name == "Wolfie")
    try realm.write { dog.age += 1 }
    try await wait(for: 2)
    #expect(screen.log.last == "age of a ReactDog: 6")
    try await writeElsewhere { $0.delete($0.objects(ReactDog.self)) }
    try await wait(for: 3)
    #expect(screen.log.last == "deleted" && dog.isInvalidated)
    token.invalidate()
  }

  @Test func oldAndNewValues() async throws {
    let dog = try realm.write { realm.create(ReactDog.self, value: ["name": "Max", "age": 5]) }
    let token = dog.observe { [screen] (change: ObjectChange<ReactDog>) in
      guard case .change(let dog, let properties) = change else { return }
      for property in properties {
        let (old, new) = (property.oldValue as? Int, property.newValue as? Int)
        screen.log.append("\(dog.name) \(old.map { "\($0)" } ?? "?") \(new.map { "\($0)" } ?? "?")")
      }
    }
    try await writeElsewhere { $0.objects(ReactDog.self)[0].age = 6 }
    try await wait(for: 1)
    #expect(screen.log == ["Max 5 6"])
    token.invalidate()
  }

  // MARK: Key paths

  @Test func keyPathsOfAnObject() async throws {
    let person = try realm.write {
      realm.create(ReactPerson.self, value: ["name": "Eve", "address": ["city": "Rome"]] as [String: Any])
    }
    let tokens = [
      person.observe(keyPaths: ["address.city"]) { [screen] (change: ObjectChange<ReactPerson>) in
        if case .change = change { screen.log.append("string") }
      },
      person.observe(keyPaths: [\ReactPerson.address?.city]) { [screen] change in
        if case .change(let person, let properties) = change {
          screen.log.append("key path \(person.address!.city) \(properties.map(\.name))")
        }
      },
      person.observe(keyPaths: [\ReactPerson.dogs]) { [screen] change in
        if case .change = change { screen.log.append("dogs") }
      },
    ]
    try await writeElsewhere { $0.objects(ReactPerson.self)[0].name = "Evelyn" }
    try await writeElsewhere { $0.objects(ReactPerson.self)[0].address!.country = "Italy" }
    realm.refresh()
    #expect(person.name == "Evelyn" && person.address!.country == "Italy" && screen.log == [])
    try await writeElsewhere { $0.objects(ReactPerson.self)[0].address!.city = "Milan" }
    try await wait(for: 2)
    #expect(Set(screen.log) == ["string", "key path Milan [\"address\"]"])
    try await writeElsewhere { $0.objects(ReactPerson.self)[0].dogs.append(ReactDog()) }
    try await wait(for: 3)
    #expect(screen.log.last == "dogs")
    withExtendedLifetime(tokens) {}
  }

  @Test func keyPathsOfACollection() async throws {
    try realm.write {
      realm.create(
        ReactDog.self, value: ["name": "Rex", "favoriteToy": ["name": "ball"]] as [String: Any])
    }
    let dogs = realm.objects(ReactDog.self)
    func note(_ name: String) -> (RealmCollectionChange<Results<ReactDog>>) -> Void {
      { [screen] change in
        if case .update(_, _, let insertions, let modifications) = change {
          screen.log.append("\(name) \(insertions) \(modifications)")
        }
      }
    }
    let tokens = [
      dogs.observe(keyPaths: ["name"], note("string")),
      dogs.observe(keyPaths: [\ReactDog.name], note("key path")),
      dogs.observe(keyPaths: [\.favoriteToy?.name, \.age], note("toy")),
      dogs.observe(keyPaths: ["favoriteToy.name", "age"], on: nil, note("toy string")),
    ]
    realm.refresh()
    try await writeElsewhere { $0.objects(ReactDog.self)[0].name = "Max" }
    try await wait(for: 2)
    #expect(Set(screen.log) == ["string [] [0]", "key path [] [0]"])
    screen.log = []
    try await writeElsewhere { $0.objects(ReactToy.self)[0].name = "bone" }
    try await wait(for: 2)
    #expect(Set(screen.log) == ["toy [] [0]", "toy string [] [0]"])
    screen.log = []
    try await writeElsewhere { $0.add(ReactDog()) }
    try await wait(for: 4)
    #expect(screen.log.allSatisfy { $0.hasSuffix(" [1] []") })
    withExtendedLifetime(tokens) {}
  }

  // MARK: Projections

  @Test func aProjection() async throws {
    try realm.write {
      _ = realm.create(
        ReactPerson.self, value: ["name": "Eve", "address": ["city": "Rome"]] as [String: Any])
    }
    let projection = realm.objects(ReactPersonName.self).first!
    let token = projection.observe(keyPaths: ["name"]) { [screen] change in
      switch change {
      case .change(let person, let properties):
        screen.log.append("\(person.name) \(properties.map { "\($0.name) \($0.oldValue!) \($0.newValue!)" })")
      case .error(let error): screen.log.append("\(error)")
      case .deleted: screen.log.append("deleted")
      }
    }
    let typed = projection.observe(keyPaths: [\ReactPersonName.homeCity]) { [screen] change in
      if case .change(let person, _) = change { screen.log.append(person.homeCity!) }
    }
    try await writeElsewhere { $0.objects(ReactPerson.self)[0].name = "Evelyn" }
    try await wait(for: 1)
    #expect(screen.log == ["Evelyn [\"name Eve Evelyn\"]"])
    try await writeElsewhere { $0.objects(ReactPerson.self)[0].address!.city = "Milan" }
    try await wait(for: 2)
    #expect(screen.log.last == "Milan")
    token.invalidate()
    typed.invalidate()
  }

  // MARK: Writing silently, and stopping

  @Test func silentWrites() async throws {
    let dogs = realm.objects(ReactDog.self)
    var tokens: [NotificationToken] = []
    for name in ["skipped", "told"] {
      tokens.append(
        dogs.observe { [screen] change in
          if case .update(_, _, let insertions, _) = change { screen.log.append("\(name) \(insertions)") }
        })
    }
    realm.refresh()
    // The screen shows what the user has done already.
    try realm.write(withoutNotifying: [tokens[0]]) { realm.add(ReactDog()) }
    try await wait(for: 1)
    try realm.write { realm.add(ReactDog()) }
    try await wait(for: 3)
    #expect(screen.log[0] == "told [0]" && Set(screen.log[1...]) == ["told [1]", "skipped [1]"])
    realm.beginWrite()
    realm.add(ReactDog())
    try realm.commitWrite(withoutNotifying: tokens)
    realm.refresh()
    #expect(screen.log.count == 3)
    withExtendedLifetime(tokens) {}
  }

  @Test func stopping() async throws {
    var token: NotificationToken?
    token = realm.objects(ReactDog.self).observe { [screen] _ in screen.log.append("called") }
    try await wait(for: 1)
    token?.invalidate()
    try realm.write { realm.add(ReactDog()) }
    realm.refresh()
    #expect(screen.log.count == 1)
    // A token that nobody keeps stops as well.
    token = realm.objects(ReactDog.self).observe { [screen] _ in screen.log.append("called") }
    try await wait(for: 2)
    token = nil
    try realm.write { realm.add(ReactDog()) }
    realm.refresh()
    #expect(screen.log.count == 2)
  }
}
