// What does not compile, with what the compiler has to say: `Scripts/check-messages` compares it.
import RealmSwift

class OldDog: Object {
  @Persisted var name = ""
  // expected-error@+1 {{Declare an optional property with '@Persisted var age: Int?'}}
  let age = RealmOptional<Int>()
  // expected-error@+1 {{Declare the property with '@Persisted var value: AnyRealmValue'}}
  let toy = RealmProperty<AnyRealmValue>()
}

class MisusedDog: Object {
  // expected-error@+1 {{unique}}
  @Persisted(unique: true) var tags: List<String>
  // expected-error@+1 {{autoIncrement}}
  @Persisted(primaryKey: true, autoIncrement: true) var weight: Double
}

func observe(_ dog: OldDog) {
  // expected-error@+1 {{There is no key-value observing on Linux. Use 'observe(keyPaths:}}
  _ = dog.observe(\.name, options: [.new, .old]) { dog, change in
    print(dog.name, change.newValue ?? "", change.oldValue ?? "")
  }
  // expected-error@+1 {{There is no key-value observing on Linux. Use 'observe(keyPaths:}}
  _ = dog.observe(\.name) { _, _ in }
  // expected-error@+1 {{There is no key-value observing on Linux. Use 'observe(keyPaths:}}
  dog.addObserver(dog, forKeyPath: "name", options: .new, context: nil)
  // expected-error@+1 {{There is no key-value observing on Linux. Invalidate the token}}
  dog.removeObserver(dog, forKeyPath: "name")
  // What there is instead.
  _ = dog.observe(keyPaths: [\.name]) { (change: ObjectChange<OldDog>) in print(change) }
}

@MainActor func write(_ realm: Realm) async throws {
  try await realm.asyncWrite { realm.deleteAll() }
}
