import RealmSwift
import TestSupport
import Testing

struct DogRow: Sendable {
  let name: String
  let age: Int
}

actor DogStore {
  private var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func puppies() -> ChangeSequence<[DogRow]> {
    let puppies = realm.objects(Dog.self).where { $0.age < 2 }
    return puppies.changes(map: { dogs in
      dogs.map { DogRow(name: $0.name, age: $0.age) }
    })
  }
}

/// The samples in documentation comments of feeds of values.
@MainActor struct CommentsOnFeedsTests {
  @Test func feeds() async throws {
    let kennel = try Kennel()
    let store = try await DogStore(kennel.configuration)
    let (puppies, ages) = (Lines(), Lines())
    let dog = kennel.wolfie
    let tasks = [
      Task {
        func print(_ names: [String]) { puppies.add("\(names)") }
        for await puppies in await store.puppies() {
          print(puppies.map(\.name))
        }
      },
      Task {
        func print(_ age: Int) { ages.add("\(age)") }
        for await age in dog.changes(keyPaths: [\.age], map: { $0.age }) {
          print(age)
        }
      },
    ]
    try await eventually { puppies.all == ["[\"Wolfie\"]"] && ages.all == ["1"] }
    try await kennel.realm.asyncWrite { kennel.wolfie.age = 3 }
    try await eventually { puppies.all == ["[\"Wolfie\"]", "[]"] && ages.all == ["1", "3"] }
    for task in tasks {
      task.cancel()
      await task.value
    }
  }

  @Test func keyPaths() async throws {
    let kennel = try Kennel()
    let (realm, dogs) = (kennel.realm, kennel.dogs)
    let lines = Lines()
    let task = Task {
      func print(_ names: [String]) { lines.add("\(names)") }
      for await change in dogs.changes(keyPaths: [\.name]) {
        guard case .update(let dogs, _, _, let modifications) = change else { continue }
        print(modifications.map { dogs[$0].name })
      }
    }
    // The observation begins some time after the task.
    try await eventually {
      try await realm.asyncWrite { kennel.rex.name = "Max" }
      return lines.all.first == "[\"Max\"]"
    }
    task.cancel()
    await task.value
  }
}

private final class Lines: Sendable {
  private let lines = Mutex([String]())

  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}
