import Foundation
import RealmSwift
import Testing

// The examples of the documentation's pages about actors.

class ActorTodo: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name: String
  @Persisted var owner: String
  @Persisted var status: String
}

actor TodoActor {
  // Implicitly unwrapped, so that `self` can be passed on in `init`.
  var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: self)
  }

  var count: Int { realm.objects(ActorTodo.self).count }

  func createTodo(name: String, owner: String, status: String) async throws {
    try realm.write {
      _ = realm.create(
        ActorTodo.self,
        value: ["_id": ObjectId.generate(), "name": name, "owner": owner, "status": status])
    }
  }

  func todoOwner(forTodoNamed name: String) -> String {
    realm.objects(ActorTodo.self).where { $0.name == name }.first!.owner
  }

  struct TodoValues: Equatable {
    var id: ObjectId
    var name, owner, status: String
  }

  func todo(named name: String) -> TodoValues {
    let todo = realm.objects(ActorTodo.self).where { $0.name == name }.first!
    return TodoValues(id: todo._id, name: todo.name, owner: todo.owner, status: todo.status)
  }

  func updateTodo(_id: ObjectId, name: String, owner: String, status: String) async throws {
    try realm.write {
      _ = realm.create(
        ActorTodo.self, value: ["_id": _id, "name": name, "owner": owner, "status": status],
        update: .modified)
    }
  }

  func deleteTodo(id: ObjectId) async throws {
    try realm.write {
      let todo = realm.object(ofType: ActorTodo.self, forPrimaryKey: id)
      realm.delete(todo!)
    }
  }

  func reference(toTodoNamed name: String) -> ThreadSafeReference<ActorTodo> {
    ThreadSafeReference(to: realm.objects(ActorTodo.self).where { $0.name == name }.first!)
  }

  func rename(_ reference: ThreadSafeReference<ActorTodo>, to name: String) throws -> Bool {
    // Within the write, which shows the newest version.
    try realm.write {
      guard let todo = realm.resolve(reference) else { return false }
      todo.name = name
      return true
    }
  }

  func isSameRealm(_ configuration: Realm.Configuration) async throws -> Bool {
    let opened = try await Realm.open(configuration: configuration)
    let again = try await Realm(configuration: configuration, actor: self)
    return opened == realm && again == realm
  }

  func refresh() -> Bool { realm.refresh() }

  func close() { realm = nil }
}

@globalActor actor TodoBackground: GlobalActor {
  static let shared = TodoBackground()
}

@TodoBackground
private func createInBackground(_ configuration: Realm.Configuration, _ name: String) async throws -> Int {
  // Anything but the main actor has to be named.
  let realm = try await Realm(configuration: configuration, actor: TodoBackground.shared)
  try realm.write {
    _ = realm.create(ActorTodo.self, value: ["_id": ObjectId.generate(), "name": name])
  }
  // After a suspension this may be another thread, where the realm can be used as before.
  await Task.yield()
  return realm.objects(ActorTodo.self).count
}

@TodoBackground
private func openInBackground(_ configuration: Realm.Configuration) async throws -> Int {
  let realm = try await Realm.open(configuration: configuration)
  await Task.yield()
  return realm.objects(ActorTodo.self).count
}

@TodoBackground
private func finish(
  _ reference: ThreadSafeReference<ActorTodo>, _ configuration: Realm.Configuration
)
  async throws
{
  let realm = try await Realm(configuration: configuration, actor: TodoBackground.shared)
  try realm.write {
    guard let todo = realm.resolve(reference) else { return }
    todo.status = "Completed"
  }
}

@MainActor
private func names(_ realm: Realm) async -> [String] {
  await Task.yield()
  return realm.objects(ActorTodo.self).map(\.name)
}

private func create(in actor: isolated TodoActor, _ name: String) async throws -> Int {
  // Isolated to the actor, so that its realm can be used without waiting.
  try actor.realm.write {
    _ = actor.realm.create(ActorTodo.self, value: ["_id": ObjectId.generate(), "name": name])
  }
  return actor.count
}

@Suite struct ActorPagesTests {
  let file: TestRealm
  var configuration: Realm.Configuration { file.configuration }

  init() throws { file = try TestRealm([ActorTodo.self]) }

  @Test func anActorWithItsOwnRealm() async throws {
    let actor = try await TodoActor(configuration)
    try await actor.createTodo(name: "Walk", owner: "Sam", status: "Open")
    #expect(await actor.count == 1)
    #expect(await actor.todoOwner(forTodoNamed: "Walk") == "Sam")
    let todo = await actor.todo(named: "Walk")
    try await actor.updateTodo(_id: todo.id, name: "Run", owner: "Frodo", status: "Done")
    #expect(await actor.todo(named: "Run").owner == "Frodo")
    #expect(try await create(in: actor, "Swim") == 2)
    #expect(try await actor.isSameRealm(configuration))
    try await actor.deleteTodo(id: todo.id)
    #expect(await actor.count == 1)
    await actor.close()
  }

  @Test func tasksOnOneActor() async throws {
    let actor = try await TodoActor(configuration)
    try await withThrowingTaskGroup { group in
      for number in 0..<50 {
        group.addTask { try await actor.createTodo(name: "\(number)", owner: "", status: "") }
      }
      try await group.waitForAll()
    }
    #expect(await actor.count == 50)
  }

  @Test func aGlobalActor() async throws {
    #expect(try await createInBackground(configuration, "first") == 1)
    #expect(try await createInBackground(configuration, "second") == 2)
    #expect(try await openInBackground(configuration) == 2)
  }

  @Test @MainActor func theMainActor() async throws {
    // These are one realm.
    let first = try await Realm(configuration: configuration)
    let second = try await Realm(configuration: configuration, actor: MainActor.shared)
    let third = try await Realm.open(configuration: configuration)
    #expect(first == second && first == third)
    try first.write { _ = first.create(ActorTodo.self, value: ["_id": ObjectId.generate(), "name": "main"]) }
    #expect(await names(first) == ["main"])
  }

  @Test @MainActor func referencesCrossActors() async throws {
    let realm = try await Realm(configuration: configuration)
    let todo = try realm.write {
      realm.create(ActorTodo.self, value: ["_id": ObjectId.generate(), "name": "main", "status": "Open"])
    }
    try await finish(ThreadSafeReference(to: todo), configuration)
    realm.refresh()
    #expect(todo.status == "Completed")
    let actor = try await TodoActor(configuration)
    #expect(try await actor.rename(ThreadSafeReference(to: todo), to: "renamed"))
    let back = await actor.reference(toTodoNamed: "renamed")
    #expect(realm.resolve(back)?.isSameObject(as: todo) == true)
    #expect(todo.name == "renamed")
    let reference = ThreadSafeReference(to: todo)
    try realm.write { realm.delete(todo) }
    #expect(try await !actor.rename(reference, to: "gone"))
  }

  /// The primary key and other values cross as they are.
  @Test func valuesCrossActors() async throws {
    let (first, second) = (try await TodoActor(configuration), try await TodoActor(configuration))
    try await first.createTodo(name: "shared", owner: "first", status: "")
    let todo = await first.todo(named: "shared")
    try await second.updateTodo(_id: todo.id, name: "shared", owner: "second", status: "")
    #expect(await first.refresh())
    #expect(await first.todo(named: "shared").owner == "second")
  }

  // MARK: Opening

  @Test func errors() async throws {
    var missing = configuration
    missing.readOnly = true
    await #expect(throws: Realm.Error.self) { _ = try await TodoActor(missing) }
    await #expect(throws: Realm.Error.self) { @MainActor in _ = try await Realm(configuration: missing) }
  }

  @Test func cancellation() async throws {
    let configuration = configuration
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await TodoActor(configuration)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let main = Task { @MainActor in
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await Realm(configuration: configuration)
    }
    await #expect(throws: CancellationError.self) { try await main.value }
  }

  @Test func callbacks() async throws {
    let configuration = configuration
    let isMain: Bool = try await withCheckedThrowingContinuation { continuation in
      Realm.asyncOpen(configuration: configuration) { result in
        continuation.resume(
          with: result.map { realm in
            try! realm.write { _ = realm.create(ActorTodo.self, value: ["_id": ObjectId.generate()]) }
            return (try? Realm(configuration: configuration, queue: .main)) == realm
          })
      }
    }
    #expect(isMain)
    let queue = DispatchQueue(label: "opening")
    let count: Int = try await withCheckedThrowingContinuation { continuation in
      Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
        continuation.resume(with: result.map { $0.objects(ActorTodo.self).count })
      }
    }
    #expect(count == 1)
  }

  @Test func callbackErrors() async throws {
    var missing = configuration
    missing.readOnly = true
    let configuration = missing
    let code: Realm.Error.Code? = await withCheckedContinuation { continuation in
      Realm.asyncOpen(configuration: configuration) { result in
        guard case .failure(let error) = result else { return continuation.resume(returning: nil) }
        continuation.resume(returning: (error as? Realm.Error)?.code)
      }
    }
    #expect(code == .fileNotFound)
  }

  @Test func cancelledCallback() async throws {
    let configuration = configuration
    let queue = DispatchQueue(label: "cancelled")
    let error: NSError? = await withCheckedContinuation { continuation in
      // The callback can not come before the task was cancelled.
      queue.sync {
        let task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
          guard case .failure(let error) = result else { return continuation.resume(returning: nil) }
          continuation.resume(returning: error as NSError)
        }
        task.cancel()
      }
    }
    #expect(error?.domain == NSPOSIXErrorDomain && error?.code == Int(ECANCELED))
  }

  // MARK: What stops the program

  @Test func anObjectOfAnotherActor() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = try TestRealm([ActorTodo.self])
      let actor = try await TodoActor(file.configuration)
      try await actor.createTodo(name: "own", owner: "", status: "")
      nonisolated(unsafe) var realm: Realm?
      func take(_ actor: isolated TodoActor) { realm = actor.realm }
      await take(actor)
      print(realm!.objects(ActorTodo.self).count)
    }
    expectStopped(
      result, saying: "Realm accessed from incorrect thread. The Realm belongs to the actor 'TodoActor'")
  }
}
