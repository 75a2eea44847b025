import Foundation
import RealmSwift
import TestSupport
import Testing

// The examples of the documentation's page about actors: reacting to changes on another actor.

class SeenDog: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var tag: SeenTag?
  @Persisted var friends: List<SeenDog>
  @Persisted var byPlace: Map<String, SeenDog?>
}

class SeenTag: EmbeddedObject {
  @Persisted var text = ""
}

class SeenDogName: Projection<SeenDog> {
  @Projected(\SeenDog.name) var name
}

/// An actor that is told of changes, and keeps the tokens.
actor SeenListener {
  private(set) var log: [String] = []
  private var tokens: [NotificationToken] = []

  func note(_ entry: String) { log.append(entry) }
  func keep(_ token: NotificationToken) { tokens.append(token) }
  func take() -> [String] {
    defer { log = [] }
    return log
  }

  func stop() {
    for token in tokens { token.invalidate() }
    tokens = []
  }

  /// Returns once so much was told.
  func wait(for count: Int) async throws -> [String] {
    try await eventually { log.count >= count }
    return take()
  }

  func delete(_ reference: ThreadSafeReference<SeenDog>, _ configuration: Realm.Configuration) async throws {
    let realm = try await Realm(configuration: configuration, actor: self)
    try await realm.asyncWrite {
      if let dog = realm.resolve(reference) { realm.delete(dog) }
    }
  }

  private var realm: Realm!

  /// Observes here what belongs to the same actor.
  func watch(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
    let dogs = realm.objects(SeenDog.self)
    let token = await dogs.observe(on: self) { listener, change in
      guard case .update(let dogs, _, let insertions, _) = change else { return }
      for row in insertions { listener.note("own \(dogs[row].name)") }
    }
    keep(token)
  }
}

@Suite @MainActor struct ActorObservingTests {
  let file: ScratchRealm
  let realm: Realm
  let listener = SeenListener()
  private var configuration: Realm.Configuration { file.configuration }

  init() async throws {
    file = ScratchRealm([SeenDog.self, SeenTag.self])
    realm = try await Realm(configuration: file.configuration)
  }

  private func addDog(_ id: Int = 1) async throws -> SeenDog {
    try await realm.asyncWrite {
      realm.create(SeenDog.self, value: ["_id": id, "name": "d\(id)", "tag": ["text": "a"]] as [String: Any])
    }
  }

  @Test func aCollection() async throws {
    let dogs = realm.objects(SeenDog.self)
    let token = await dogs.observe(on: listener) { actor, changes in
      switch changes {
      case .initial(let dogs):
        actor.note("initial \(dogs.count)")
      case .update(let dogs, let deletions, let insertions, let modifications):
        actor.note("\(deletions) \(insertions) \(modifications) of \(dogs.count)")
      case .error(let error):
        actor.note("\(error)")
      }
    }
    #expect(try await listener.wait(for: 1) == ["initial 0"])
    let dog = try await addDog()
    #expect(try await listener.wait(for: 1) == ["[] [0] [] of 1"])
    // What happens on the other actor is told there, too.
    try await listener.delete(ThreadSafeReference(to: dog), configuration)
    #expect(try await listener.wait(for: 1) == ["[0] [] [] of 0"])
    #expect(token.invalidate())
    _ = try await addDog(2)
    _ = try await addDog(3)
    #expect(await listener.take() == [])
  }

  @Test func anObject() async throws {
    let dog = try await addDog()
    let token = await dog.observe(on: listener) { actor, change in
      switch change {
      case .change(let object, let properties):
        for property in properties {
          actor.note("\(type(of: object)) \(property.name) \(property.oldValue!) \(property.newValue!)")
        }
      case .error(let error): actor.note("\(error)")
      case .deleted: actor.note("deleted")
      }
    }
    try await realm.asyncWrite { dog.name = "Wolfie" }
    #expect(try await listener.wait(for: 1) == ["SeenDog name d1 Wolfie"])
    try await realm.asyncWrite { realm.delete(dog) }
    #expect(try await listener.wait(for: 1) == ["deleted"])
    token.invalidate()
  }

  @Test func keyPaths() async throws {
    let dog = try await addDog()
    let dogs = realm.objects(SeenDog.self)
    await listener.keep(
      dog.observe(keyPaths: ["age"], on: listener) { (actor, change: ObjectChange<SeenDog>) in
        if case .change(let dog, _) = change { actor.note("object \(dog.age)") }
      })
    await listener.keep(
      dog.observe(keyPaths: [\SeenDog.age], on: listener) { actor, change in
        if case .change(let dog, _) = change { actor.note("object by key path \(dog.age)") }
      })
    await listener.keep(
      dogs.observe(keyPaths: ["age"], on: listener) { actor, change in
        if case .update(_, _, _, let modifications) = change { actor.note("dogs \(modifications)") }
      })
    await listener.keep(
      dogs.observe(keyPaths: [\SeenDog.age], on: listener) { actor, change in
        if case .update(_, _, _, let modifications) = change {
          actor.note("dogs by key path \(modifications)")
        }
      })
    try await realm.asyncWrite { dog.name = "nobody is told" }
    try await realm.asyncWrite { dog.age = 3 }
    let told = try await listener.wait(for: 4)
    #expect(Set(told) == ["object 3", "object by key path 3", "dogs [0]", "dogs by key path [0]"])
    #expect(told.count == 4)
    await listener.stop()
  }

  @Test func everythingElseThatCanBeObserved() async throws {
    let dog = try await addDog()
    await listener.keep(
      dog.friends.observe(on: listener) { actor, change in
        if case .update(_, _, let insertions, _) = change { actor.note("list \(insertions)") }
      })
    await listener.keep(
      dog.byPlace.observe(on: listener) { actor, change in
        if case .update(_, _, let insertions, _) = change { actor.note("map \(insertions)") }
      })
    await listener.keep(
      dog.byPlace.observe(keyPaths: [\SeenDog.name], on: listener) { actor, change in
        if case .update(let map, _, _, _) = change { actor.note("map by key path \(map.keys)") }
      })
    await listener.keep(
      dog.tag!.observe(on: listener) { actor, change in
        if case .change(_, let properties) = change { actor.note("embedded \(properties[0].newValue!)") }
      })
    await listener.keep(
      realm.objects(SeenDogName.self).first!.observe(keyPaths: [\SeenDogName.name], on: listener) {
        actor, change in
        if case .change(let dog, _) = change { actor.note("projection \(dog.name)") }
      })
    await listener.keep(
      realm.objects(SeenDog.self).sectioned(by: \.age).observe(on: listener) { actor, change in
        if case .update(_, _, _, let modifications, _, _) = change {
          actor.note("sections \(modifications.count)")
        }
      })
    try await realm.asyncWrite {
      dog.friends.append(dog)
      dog.byPlace["Rome"] = dog
      dog.tag!.text = "b"
      dog.name = "Rex"
    }
    let told = try await listener.wait(for: 6)
    #expect(
      Set(told) == [
        "list [0]", "map [\"Rome\"]", "map by key path [\"Rome\"]", "embedded b", "projection Rex",
        "sections 1",
      ])
    await listener.stop()
  }

  @Test func theActorsOwn() async throws {
    try await listener.watch(configuration)
    _ = try await addDog()
    #expect(try await listener.wait(for: 1) == ["own d1"])
    await listener.stop()
  }

  /// The main actor is told of what a realm of another one finds.
  @Test func observingOnTheMainActor() async throws {
    let log = MainLog()
    let token = try await observeOnMain(configuration, log)
    _ = try await addDog()
    try await eventually { !log.entries.isEmpty }
    #expect(log.entries == ["d1"])
    token.invalidate()
  }

  @Test func aCancelledTaskObservesNothing() async throws {
    let dog = try await addDog()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await dog.observe(on: listener) { (actor, _: ObjectChange<SeenDog>) in actor.note("called") }
    }
    #expect(await !task.value.invalidate())
    try await realm.asyncWrite { dog.age = 1 }
    #expect(await listener.take() == [])
  }
}

@MainActor private final class MainLog {
  var entries: [String] = []
}

@TodoBackground
private func observeOnMain(
  _ configuration: Realm.Configuration, _ log: MainLog
) async throws -> NotificationToken {
  let realm = try await Realm(configuration: configuration, actor: TodoBackground.shared)
  return await realm.objects(SeenDog.self).observe(on: MainActor.shared) { _, change in
    guard case .update(let dogs, _, let insertions, _) = change else { return }
    let names = insertions.map { dogs[$0].name }
    MainActor.assumeIsolated { log.entries += names }
  }
}
