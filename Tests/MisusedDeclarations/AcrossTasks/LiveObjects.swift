// Live objects and realms that leave their thread, actor or task. The compiler finds these after it has checked the types.
import RealmSwift

class Person: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var name: String
}

actor Store {
  func add(_ person: Person) {}
  func first() -> Person? { nil }
  func open() throws -> Realm { try Realm() }
}

func give(_ person: Person, to store: Store) async {
  // expected-error@+2 {{sending 'person' risks causing data races}}
  // expected-note@+1 {{sending task-isolated 'person' to actor-isolated instance method 'add' risks causing data races between actor-isolated and task-isolated uses}}
  await store.add(person)
}

func takeObject(_ store: Store) async {
  // expected-error@+1 {{non-Sendable 'Person?'-typed result can not be returned from actor-isolated instance method 'first()' to nonisolated context}}
  print(await store.first()?.name ?? "")
}

func takeRealm(_ store: Store) async throws {
  // expected-error@+1 {{non-Sendable 'Realm'-typed result can not be returned from actor-isolated instance method 'open()' to nonisolated context}}
  print(try await store.open())
}

func startTask(_ person: Person) {
  // expected-error@+2 {{passing closure as a 'sending' parameter risks causing data races between code in the current task and concurrent execution of the closure}}
  // expected-note@+1 {{closure captures 'person' which is accessible to code in the current task}}
  Task { print(person.name) }
}

@MainActor func startDetachedTask(_ people: Results<Person>) {
  // expected-error@+2 {{passing closure as a 'sending' parameter risks causing data races between main actor-isolated code and concurrent execution of the closure}}
  // expected-note@+1 {{closure captures main actor-isolated 'people'}}
  Task.detached { print(people.count) }
}
