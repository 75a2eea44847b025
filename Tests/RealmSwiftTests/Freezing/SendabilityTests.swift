import Foundation
import RealmSwift
import TestSupport
import Testing

class SendDog: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var age = 0
  @Persisted var friends: List<SendDog>
  @Persisted var places: MutableSet<String>
  @Persisted var byPlace: Map<String, SendDog?>
  @Persisted(originProperty: "friends") var friendOf: LinkingObjects<SendDog>
}

class SendDogName: Projection<SendDog> {
  @Projected(\SendDog.name) var name
}

/// What may be sent to other threads and actors is known to the compiler: most of this is tested by compiling.
@Suite struct SendabilityTests {
  let file: ScratchRealm

  init() throws { file = ScratchRealm([SendDog.self]) }

  private func requireSendable<T: Sendable>(_: T.Type) -> Bool { true }

  @Test func sendableTypes() {
    #expect(requireSendable(Realm.Configuration.self))
    #expect(requireSendable(Realm.OpenBehavior.self))
    #expect(requireSendable(Realm.UpdatePolicy.self))
    #expect(requireSendable(Realm.Notification.self))
    #expect(requireSendable(Realm.Error.self))
    #expect(requireSendable(Realm.Diagnostics.self))
    #expect(requireSendable(ThreadSafeReference<SendDog>.self))
    #expect(requireSendable(ThreadSafeReference<Results<SendDog>>.self))
    #expect(requireSendable(ThreadSafe<SendDog>.self))
    #expect(requireSendable(ChangeSequence<ObjectChange<SendDog>>.self))
    #expect(requireSendable(NotificationToken.self))
    #expect(requireSendable(AsyncOpenTask.self))
    #expect(requireSendable(ObjectId.self))
    #expect(requireSendable(Decimal128.self))
    #expect(requireSendable(SortDescriptor.self))
    #expect(requireSendable(Schema.self))
    #expect(requireSendable(ObjectSchema.self))
    #expect(requireSendable(Property.self))
    #expect(requireSendable(StringOptions.self))
    #expect(requireSendable(GeoPoint.self))
    #expect(requireSendable(GeoBox.self))
    #expect(requireSendable(GeoCircle.self))
    #expect(requireSendable(GeoPolygon.self))
    #expect(requireSendable(Distance.self))
  }

  @MainActor private static func dog(_ realm: Realm) throws -> SendDog {
    try realm.write {
      let dog = realm.create(SendDog.self, value: ["name": "Rex", "places": ["Rome"]] as [String: Any])
      dog.friends.append(dog)
      dog.byPlace["Rome"] = dog
      return dog
    }
  }

  // MARK: Frozen things

  /// What was frozen can be sent, whatever kind it is of.
  @Test @MainActor func frozenThings() async throws {
    let realm = try await Realm(configuration: file.configuration)
    let dog = try Self.dog(realm)
    let dogs = realm.objects(SendDog.self)
    let (frozenRealm, frozenDog, frozenDogs) = (realm.freeze(), dog.freeze(), dogs.freeze())
    #expect(
      await Task.detached {
        [frozenRealm.objects(SendDog.self).count, frozenDogs.count, frozenDog.friends.count]
      }.value == [1, 1, 1])
    let frozenFriends = dog.friends.freeze()
    #expect(await Task.detached { frozenFriends[0].name }.value == "Rex")
    let frozenPlaces = dog.places.freeze()
    #expect(await Task.detached { frozenPlaces.contains("Rome") }.value)
    let frozenMap = dog.byPlace.freeze()
    #expect(await Task.detached { frozenMap.keys }.value == ["Rome"])
    let frozenOwners = dog.friendOf.freeze()
    #expect(await Task.detached { frozenOwners.count }.value == 1)
    let frozenAny = AnyRealmCollection(dogs).freeze()
    #expect(await Task.detached { frozenAny.count }.value == 1)
    let frozenName = realm.objects(SendDogName.self).first!.freeze()
    #expect(await Task.detached { frozenName.name }.value == "Rex")
    let frozenSections = dogs.sectioned(by: \.age).freeze()
    #expect(await Task.detached { frozenSections.allKeys }.value == [0])
    let frozenBy = realm.freeze(dog)
    #expect(await Task.detached { frozenBy.name }.value == "Rex")
  }

  /// Freezing what is frozen already gives the same once more, for the next task.
  @Test @MainActor func frozenForSeveralTasks() async throws {
    let realm = try await Realm(configuration: file.configuration)
    let dog = try Self.dog(realm).freeze()
    let names = await withTaskGroup(of: String.self) { group in
      for _ in 0..<4 {
        let copy = dog.freeze()
        group.addTask { copy.name }
      }
      var names: [String] = []
      for await name in group { names.append(name) }
      return names
    }
    #expect(names == ["Rex", "Rex", "Rex", "Rex"] && dog.freeze() === dog)
  }

  private actor Kennel {
    private var realm: Realm!
    private var tokens: [NotificationToken] = []
    private var frozen: [SendDog] = []
    private(set) var heard = 0

    init(_ configuration: Realm.Configuration) async throws {
      realm = try await Realm(configuration: configuration, actor: self)
    }

    /// Frozen things leave the actor.
    func dogs() -> sending Results<SendDog> { realm.objects(SendDog.self).freeze() }
    func first() -> sending SendDog? { realm.objects(SendDog.self).first?.freeze() }

    /// And come to it.
    func keep(_ dog: sending SendDog) { frozen.append(dog) }
    var keptNames: [String] { frozen.map(\.name) }

    func watch() async {
      tokens.append(await realm.objects(SendDog.self).observe(on: self) { kennel, _ in kennel.heard += 1 })
    }

    func stop() {
      for token in tokens { token.invalidate() }
      tokens = []
    }

    deinit { for token in tokens { token.invalidate() } }
  }

  @Test @MainActor func frozenThingsCrossActors() async throws {
    let realm = try await Realm(configuration: file.configuration)
    let dog = try Self.dog(realm)
    let kennel = try await Kennel(file.configuration)
    #expect(await kennel.dogs().map(\.name) == ["Rex"])
    #expect(await kennel.first()?.isFrozen == true)
    await kennel.keep(dog.freeze())
    try realm.write { dog.age = 7 }
    #expect(await kennel.keptNames == ["Rex"])
  }

  // MARK: What else crosses

  @Test @MainActor func tokensBelongToNobody() async throws {
    let realm = try await Realm(configuration: file.configuration)
    let kennel = try await Kennel(file.configuration)
    await kennel.watch()
    _ = try Self.dog(realm)
    try await eventually { await kennel.heard > 0 }
    await kennel.stop()
    let token = realm.objects(SendDog.self).observe { _ in }
    #expect(await Task.detached { token.invalidate() }.value)
  }

  @Test @MainActor func references() async throws {
    let configuration = file.configuration
    let realm = try await Realm(configuration: configuration)
    let dog = try Self.dog(realm)
    let (one, all) = (ThreadSafeReference(to: dog), ThreadSafeReference(to: realm.objects(SendDog.self)))
    let task = Task.detached {
      let realm = try Realm(configuration: configuration, queue: nil)
      return [realm.resolve(one)?.name, realm.resolve(all)?.first?.name]
    }
    #expect(try await task.value == ["Rex", "Rex"])
    // A variable of one's own may be given away, and the wrapper itself may be used by many.
    @ThreadSafe var given = dog
    #expect(await Task.detached { given?.name }.value == "Rex")
    @ThreadSafe var safe = dog
    let shared = Task.detached { [$safe] in $safe.wrappedValue?.name }
    #expect(await shared.value == "Rex")
    let name: String? = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [$safe] in
        continuation.resume(returning: $safe.wrappedValue?.name)
      }
    }
    #expect(name == "Rex")
  }

  /// An object in memory that nobody else has may be given away, too.
  @Test @MainActor func newObjects() async throws {
    let kennel = try await Kennel(file.configuration)
    await kennel.keep(SendDog(value: ["name": "new"]))
    let dog = SendDog()
    dog.name = "newer"
    await kennel.keep(dog)
    #expect(await kennel.keptNames == ["new", "newer"])
  }

  @Test func configurations() async throws {
    var configuration = file.configuration
    configuration.schemaVersion = 1
    configuration.migrationBlock = { _, version in #expect(version < 1) }
    configuration.shouldCompactOnLaunch = { total, used in total > 2 * used && total < 0 }
    let sent = configuration
    let version = try await Task.detached {
      try Realm(configuration: sent, queue: nil).configuration.schemaVersion
    }.value
    #expect(version == 1)
  }

  /// In a task of nobody, without a run loop.
  @Test @MainActor func changes() async throws {
    let realm = try await Realm(configuration: file.configuration)
    let dog = try Self.dog(realm)
    let (all, one, any) = (realm.objects(SendDog.self).changes, dog.changes, realm.changes)
    let first = Task.detached {
      for await case .initial(let dogs) in all { return dogs.count }
      return 0
    }
    #expect(await first.value == 1)
    let tasks = [Task { for await _ in one {} }, Task.detached { for await _ in any {} }]
    for task in tasks {
      task.cancel()
      await task.value
    }
  }
}
