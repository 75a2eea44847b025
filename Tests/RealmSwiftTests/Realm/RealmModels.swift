import Foundation
import RealmSwift

class RealmDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted(indexed: true) var age = 0
  @Persisted var best: RealmDog?
}

class RealmPlace: Object {
  @Persisted(primaryKey: true) var code = ""
  @Persisted var title: String?
}

/// A class that realms do not know by default: many of these cannot be stored, or share a name.
class Hidden: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class HiddenEmbedded: EmbeddedObject {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Realms of `RealmDog` and `RealmPlace`.
extension ScratchRealm {
  static let classes: [ObjectBase.Type] = [RealmDog.self, RealmPlace.self]

  convenience init() { self.init(Self.classes) }

  func configuration(_ types: [ObjectBase.Type] = classes, version: UInt64 = 0) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: url, encryptionKey: configuration.encryptionKey, schemaVersion: version, objectTypes: types)
  }

  func open(_ types: [ObjectBase.Type] = classes, version: UInt64 = 0) throws -> Realm {
    try Realm(configuration: configuration(types, version: version))
  }

  func openReadOnly(_ types: [ObjectBase.Type] = classes, version: UInt64 = 0) throws -> Realm {
    var configuration = configuration(types, version: version)
    configuration.readOnly = true
    return try Realm(configuration: configuration)
  }

  /// A realm with some dogs, closed again.
  func fill(dogs: Int = 100) throws {
    let realm = try open()
    try realm.write {
      for id in 0..<dogs { realm.add(RealmDog(value: ["id": id, "name": "dog \(id)", "age": id % 20])) }
    }
  }
}

/// Runs a body on a thread of its own and waits for it.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
  try! onOtherThread(body)
}

/// The `Realm.Error` that a body throws.
func realmError(_ body: () throws -> Void) -> Realm.Error? {
  do {
    try body()
    return nil
  } catch {
    return error as? Realm.Error
  }
}
