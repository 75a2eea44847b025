import Foundation
import RealmSwift

/// A dog with indexes and a link, in files of its own.
class KennelDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var age = 0
  @Persisted(indexed: true) var born = Date(timeIntervalSince1970: 0)
  @Persisted var owner: KennelOwner?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class KennelOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var city = 0
  @Persisted var dogs: List<KennelDog>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Nothing but numbers, for files of any size.
class KennelNumber: Object {
  @Persisted var value = 0

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

extension Realm {
  static func openKennel(at path: String) throws -> Realm {
    var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path))
    configuration.objectTypes = [KennelDog.self, KennelOwner.self, KennelNumber.self]
    return try Realm(configuration: configuration)
  }
}
