import Foundation
import RealmSync

/// A dog that everybody who has joined can add, change and remove.
final class Dog: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var age: Int
  /// Who has written the object last.
  @Persisted var writer: String
}
