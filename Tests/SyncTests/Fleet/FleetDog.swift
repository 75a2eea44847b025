import RealmSync

/// The object that all clients of the fleet write.
final class FleetDog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var age: Int?
  @Persisted(counter: true) var likes: Int
  @Persisted var notes: List<String>
}
