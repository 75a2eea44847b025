import Foundation
import RealmSwift

class RuntimePerson: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = "nobody"
  @Persisted var score: Double?
  @Persisted var dogs: List<RuntimeDog>
  @Persisted var notes: Map<String, String>
  @Persisted var address: RuntimeAddress?
}

/// The properties of two classes.
final class RuntimeEmployee: RuntimePerson {
  @Persisted(indexed: true) var number = -1
  @Persisted var anything: AnyRealmValue
}

final class RuntimeDog: Object {
  @Persisted var name = ""
  @Persisted var age = -1
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<RuntimePerson>
}

final class RuntimeAddress: EmbeddedObject {
  @Persisted var city = ""
}

/// Found only by what the compiler notes of it: nobody names it.
private final class RuntimeHidden: Object {
  @Persisted var number = 0
}

/// What it stores besides lies between the properties.
final class RuntimeCounter: Object {
  @Persisted var first = 1
  var uses = -1
  weak var friend: RuntimeCounter?
  lazy var text = "\(first) and \(second)"
  var anything: any Sequence = [-1, -1]
  @Persisted var second = -1
}

class RuntimeNumbered<Kind>: Object {
  @Persisted var number = 0
}

final class RuntimeDogProjection: Projection<RuntimeDog> {
  @Projected(\RuntimeDog.name) var called
  @Projected(\RuntimeDog.owners) var people
}

/// An actor with the executor that actors have.
actor Keeper {
  private var realm: Realm!

  func open(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  func rename(_ id: Int, to name: String) throws -> String {
    try realm.write { realm.object(ofType: RuntimePerson.self, forPrimaryKey: id)!.name = name }
    return realm.objects(RuntimePerson.self).sorted(byKeyPath: "id").map(\.name).joined(separator: " ")
  }
}

/// Runs actors on a queue, and knows when that is where one is.
final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "keeper")
  private let key = DispatchSpecificKey<Bool>()

  init() { queue.setSpecific(key: key, value: true) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func isIsolatingCurrentContext() -> Bool? { DispatchQueue.getSpecific(key: key) != nil }

  func checkIsolated() { precondition(isIsolatingCurrentContext() == true) }
}

/// An actor that runs on a queue.
actor QueueKeeper {
  private let executor = QueueExecutor()
  private var realm: Realm!

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func open(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  var names: String {
    realm.objects(RuntimePerson.self).sorted(byKeyPath: "id").map(\.name).joined(separator: " ")
  }
}
