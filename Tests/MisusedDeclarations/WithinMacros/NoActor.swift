// What does not compile because of what a macro makes of it.
import RealmSwift

// A function that belongs to no actor cannot write or refresh a realm in turn with others.
// error: 'nil' is not compatible with expected argument type '_ActorOfTheRealm'
func write(_ realm: Realm) async throws {
  try await realm.asyncWrite { realm.deleteAll() }
}

func refresh(_ realm: Realm) async {
  await realm.asyncRefresh()
}
