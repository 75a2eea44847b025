import Dispatch
import Foundation
import RealmSwift

final class ScreenToy: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var name = ""
}

final class ScreenCollar: EmbeddedObject, ObjectKeyIdentifiable {
  @Persisted var colour = "red"
}

final class ScreenDog: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var breed = "mixed"
  @Persisted var note: String?
  @Persisted var favoriteToy: ScreenToy?
  @Persisted var collar: ScreenCollar?
  @Persisted var tricks: List<String>
  @Persisted var tags: MutableSet<String>
  @Persisted var visits: Map<String, Int>
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<ScreenPerson>

  convenience init(_ name: String, age: Int = 0, breed: String = "mixed") {
    self.init()
    self.name = name
    self.age = age
    self.breed = breed
  }
}

final class ScreenPerson: Object, ObjectKeyIdentifiable {
  @Persisted var firstName = ""
  @Persisted var dogs: List<ScreenDog>
}

/// A dog as a list of names shows it.
final class ScreenDogLine: Projection<ScreenDog>, ObjectKeyIdentifiable {
  @Projected(\ScreenDog.name) var title
  @Projected(\ScreenDog.collar?.colour) var colour
}

let screenClasses: [ObjectBase.Type] = [
  ScreenToy.self, ScreenCollar.self, ScreenDog.self, ScreenPerson.self,
]

/// Lets the main queue do what waits for it, and what comes from that.
@MainActor func settle() async {
  for _ in 0..<5 {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}

/// A realm of the main thread with a file of its own.
@MainActor struct ScreenRealm {
  let file: ScratchRealm
  let realm: Realm

  init() throws {
    file = ScratchRealm(screenClasses)
    realm = try file.open()
  }

  @discardableResult
  func add<Model: Object>(_ object: Model) throws -> Model {
    try realm.write { realm.add(object) }
    return object
  }

  /// Writes on another thread. The realm does not show it before it is refreshed.
  func writeElsewhere(_ body: @escaping @Sendable (Realm) throws -> Void) throws {
    let file = file
    try onOtherThread {
      let realm = try file.open()
      try realm.write { try body(realm) }
    }
  }
}
