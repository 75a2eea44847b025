import Foundation
import RealmSync

/// A dog, which both programs of the demo can add, change and remove.
final class Dog: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var age: Int
  /// The name of the person whose program has written the object last.
  @Persisted var writer: String
}
