import Foundation
import RealmSwift
import TestSupport
import Testing

// The examples of the documentation's page about threading: writing in the background, and handing objects over.

class ThreadedPerson: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var birthdate: Date?
  @Persisted var dogs: List<ThreadedDog>
}

class ThreadedDog: Object {
  @Persisted var name = ""
}

extension Realm {
  /// Writes an object in the background, as a program may extend realms.
  fileprivate func writeAsync<Confined: ThreadConfined>(
    _ passedObject: Confined, errorHandler: @escaping @Sendable (any Swift.Error) -> Void = { _ in },
    block: @escaping @Sendable (Realm, Confined?) -> Void
  ) {
    let reference = ThreadSafeReference(to: passedObject)
    let configuration = configuration
    DispatchQueue(label: "background", autoreleaseFrequency: .workItem).async {
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write {
          let object = realm.resolve(reference)
          block(realm, object)
        }
      } catch {
        errorHandler(error)
      }
    }
  }
}

private func loadName(@ThreadSafe of person: ThreadedPerson?) async throws {
  await Task.yield()
  try await setBirthdate($person, Date(timeIntervalSince1970: 7))
}

@MainActor
private func setBirthdate(_ person: ThreadSafe<ThreadedPerson>, _ date: Date) throws {
  guard let person = person.wrappedValue, let realm = person.realm else { return }
  try realm.write { person.birthdate = date }
}

@Suite @MainActor struct ThreadingTests {
  let file: ScratchRealm
  let realm: Realm
  private var configuration: Realm.Configuration { file.configuration }

  init() throws {
    file = ScratchRealm([ThreadedPerson.self, ThreadedDog.self])
    realm = try file.open()
  }

  private func addPerson(_ name: String = "Jane") throws -> ThreadedPerson {
    let person = ThreadedPerson(value: ["name": name])
    try realm.write { realm.add(person) }
    return person
  }

  /// Runs something on a queue, while the main actor waits without blocking.
  private func inBackground<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "background").async { continuation.resume(with: Result { try body() }) }
    }
  }

  // MARK: Writing in the background

  @Test func manyObjectsInPortions() async throws {
    let configuration = configuration
    try await inBackground {
      let realm = try Realm(configuration: configuration)
      for portion in 0..<10 {
        realm.beginWrite()
        for number in 0..<100 {
          realm.create(
            ThreadedPerson.self,
            value: ["name": "\(portion) \(number)", "birthdate": Date(timeIntervalSince1970: Double(number))]
              as [String: Any])
        }
        try realm.commitWrite()
      }
    }
    await realm.asyncRefresh()
    #expect(realm.objects(ThreadedPerson.self).count == 1000)
  }

  @Test func aRealmOfAQueue() async throws {
    let configuration = configuration
    let queue = DispatchQueue(label: "realm queue")
    let isSame = try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(
          with: Result {
            let realm = try Realm(configuration: configuration, queue: queue)
            try realm.write { realm.add(ThreadedPerson(value: ["name": "queue"])) }
            return try Realm(configuration: configuration, queue: queue) == realm
          })
      }
    }
    #expect(isSame)
    await realm.asyncRefresh()
    #expect(realm.objects(ThreadedPerson.self).map(\.name) == ["queue"])
  }

  @Test func asynchronousWrites() async throws {
    let realm = realm
    await withCheckedContinuation { continuation in
      if realm.isPerformingAsynchronousWriteOperations { return }
      realm.writeAsync {
        realm.add(ThreadedPerson(value: ["name": "later"]))
      } onComplete: { error in
        #expect(error == nil && realm.objects(ThreadedPerson.self).count == 1)
        continuation.resume()
      }
      #expect(realm.isPerformingAsynchronousWriteOperations)
      #expect(realm.isEmpty)
    }
  }

  @Test func anExtensionThatWritesInTheBackground() async throws {
    let person = try addPerson()
    let token: NotificationToken = await withCheckedContinuation { continuation in
      nonisolated(unsafe) var token: NotificationToken?
      token = person.observe { (change: ObjectChange<ThreadedPerson>) in
        if case .change = change { continuation.resume(returning: token!) }
      }
      realm.writeAsync(person) { realm, person in
        person?.birthdate = Date(timeIntervalSince1970: 1)
        realm.add(ThreadedPerson(value: ["name": "John"]))
      }
    }
    #expect(person.birthdate == Date(timeIntervalSince1970: 1))
    #expect(realm.objects(ThreadedPerson.self).count == 2)
    token.invalidate()
  }

  // MARK: Versions

  @Test func autorefresh() async throws {
    let configuration = configuration
    let people = realm.objects(ThreadedPerson.self)
    realm.autorefresh = false
    let add: @Sendable () throws -> Void = {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(ThreadedPerson.self, value: ["name": UUID().uuidString]) }
    }
    try await inBackground(add)
    for _ in 0..<100 { await Task.yield() }
    #expect(people.isEmpty)
    #expect(realm.refresh() && people.count == 1)
    realm.autorefresh = true
    try await inBackground(add)
    try await eventually { people.count >= 2 }
  }

  // MARK: Handing over

  @Test func aReference() async throws {
    let configuration = configuration
    let person = try addPerson()
    let reference = ThreadSafeReference(to: person)
    try await inBackground {
      let realm = try Realm(configuration: configuration)
      try realm.write {
        // Within the write, in which the realm shows the newest version.
        guard let person = realm.resolve(reference) else { return }
        person.dogs.append(ThreadedDog(value: ["name": "Rex"]))
      }
    }
    await realm.asyncRefresh()
    #expect(person.dogs.map(\.name) == ["Rex"] && reference.isInvalidated)
    // Deleted before it is looked up: a realm that was just opened shows the version of the reference at first.
    let late = ThreadSafeReference(to: person)
    let later = ThreadSafeReference(to: person)
    try realm.write { realm.delete(person) }
    let isGone = try await inBackground {
      let realm = try Realm(configuration: configuration)
      guard let person = realm.resolve(late) else { return false }
      realm.refresh()
      return person.isInvalidated && realm.resolve(later) == nil
    }
    #expect(isGone)
  }

  @Test func aThreadSafeVariable() async throws {
    let person = try addPerson()
    @ThreadSafe var personReference = person
    try await inBackground { [$personReference] in
      guard let person = $personReference.wrappedValue else { return }
      try person.realm!.write { person.birthdate = Date(timeIntervalSince1970: 3) }
    }
    await realm.asyncRefresh()
    #expect(personReference?.birthdate == Date(timeIntervalSince1970: 3))
    try realm.write { realm.delete(person) }
    #expect(personReference == nil)
  }

  @Test func aThreadSafeParameter() async throws {
    let person = try addPerson()
    try await loadName(of: person)
    #expect(person.birthdate == Date(timeIntervalSince1970: 7))
    try await loadName(of: nil)
  }

  // MARK: Freezing

  @Test func freezing() async throws {
    let person = try addPerson()
    let people = realm.objects(ThreadedPerson.self)
    let frozenRealm = realm.freeze()
    let frozenPeople = people.freeze()
    let frozenPerson = person.freeze()
    #expect(frozenRealm.isFrozen && frozenPeople.isFrozen && frozenPerson.isFrozen)
    #expect(frozenRealm.objects(ThreadedPerson.self).isFrozen && frozenPerson.realm!.isFrozen)
    #expect(!realm.isFrozen && !people.isFrozen && !person.isFrozen && !person.realm!.isFrozen)
    try realm.write { realm.delete(person) }
    #expect(frozenPerson.name == "Jane" && frozenPerson.thaw() == nil)
    // Any thread may read them, as they were.
    let names = await Task.detached {
      #expect(frozenRealm.objects(ThreadedPerson.self).count == 1)
      return frozenPeople.map(\.name) + [frozenPerson.name]
    }.value
    #expect(names == ["Jane", "Jane"])
  }

  @Test func thawing() async throws {
    let configuration = configuration
    let frozenPerson = try addPerson().freeze()
    try await Task.detached {
      // The live object on this thread.
      guard let person = frozenPerson.thaw(), let realm = person.realm else { return }
      #expect(try realm == Realm(configuration: configuration))
      try realm.write { person.birthdate = Date(timeIntervalSince1970: 5) }
    }.value
    await realm.asyncRefresh()
    #expect(realm.objects(ThreadedPerson.self)[0].birthdate == Date(timeIntervalSince1970: 5))
  }

  @Test func appendingToAFrozenCollection() throws {
    _ = try addPerson("Timmy")
    try realm.write { _ = realm.create(ThreadedDog.self, value: ["name": "Lassie"]) }
    let frozenRealm = realm.freeze()
    let frozenTimmy = frozenRealm.objects(ThreadedPerson.self).where { $0.name == "Timmy" }.first!
    let frozenLassie = frozenRealm.objects(ThreadedDog.self).where { $0.name == "Lassie" }.first!
    #expect(frozenTimmy.isFrozen && frozenTimmy.dogs.isFrozen && frozenLassie.isFrozen)
    // Both have to be thawed.
    let thawedTimmy = frozenTimmy.thaw()
    let thawedLassie = frozenLassie.thaw()
    try realm.write { thawedTimmy?.dogs.append(thawedLassie!) }
    #expect(thawedTimmy?.dogs.first?.name == "Lassie")
    #expect(frozenTimmy.dogs.isEmpty)
  }
}
