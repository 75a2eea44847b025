import Foundation
import RealmSwift
import TestSupport
import Testing

// The examples of the documentation's page about actors.

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
    try await realm.asyncWrite {
      realm.create(
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
    try await realm.asyncWrite {
      realm.create(
        ActorTodo.self, value: ["_id": _id, "name": name, "owner": owner, "status": status],
        update: .modified)
    }
  }

  func deleteTodo(id: ObjectId) async throws {
    try await realm.asyncWrite {
      let todo = realm.object(ofType: ActorTodo.self, forPrimaryKey: id)
      realm.delete(todo!)
    }
  }

  func reference(toTodoNamed name: String) -> ThreadSafeReference<ActorTodo> {
    ThreadSafeReference(to: realm.objects(ActorTodo.self).where { $0.name == name }.first!)
  }

  func rename(_ reference: ThreadSafeReference<ActorTodo>, to name: String) async throws -> Bool {
    // Within the write, which shows the newest version.
    try await realm.asyncWrite {
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

  func refresh() async { await realm.asyncRefresh() }

  func close() { realm = nil }
}

/// Opens its realm when it needs it first.
actor LateTodoActor {
  private let configuration: Realm.Configuration
  private var opened: Realm?

  init(_ configuration: Realm.Configuration) { self.configuration = configuration }

  private var realm: Realm {
    get async throws {
      if let opened { return opened }
      let realm = try await Realm.open(configuration: configuration)
      opened = realm
      return realm
    }
  }

  func add(_ name: String) async throws -> Int {
    let realm = try await realm
    try await realm.asyncWrite { _ = realm.create(ActorTodo.self, value: ["name": name]) }
    return realm.objects(ActorTodo.self).count
  }
}

/// Is made by a function, as everything else of it is there before the realm.
actor CreatedTodoActor {
  private var opened: Realm?
  private lazy var realm = opened!
  private lazy var todos = realm.objects(ActorTodo.self)

  private init() {}

  static func create(_ configuration: Realm.Configuration) async throws -> CreatedTodoActor {
    let actor = CreatedTodoActor()
    try await actor.open(configuration)
    return actor
  }

  private func open(_ configuration: Realm.Configuration) async throws {
    opened = try await Realm(configuration: configuration, actor: self)
  }

  func add(_ name: String) async throws -> Int {
    try await realm.asyncWrite { realm.add(ActorTodo(value: ["name": name])) }
    return todos.count
  }
}

actor DefaultTodoActor {
  var realm: Realm!
  init() async throws { realm = try await Realm(actor: self) }

  var count: Int { realm.objects(ActorTodo.self).count }

  func createTodo(name: String, owner: String, status: String) async throws {
    try await realm.asyncWrite {
      realm.create(
        ActorTodo.self,
        value: ["_id": ObjectId.generate(), "name": name, "owner": owner, "status": status])
    }
  }

  func refresh() async { await realm.asyncRefresh() }

  func close() { realm = nil }
}

@MainActor
private func mainNames() async throws -> [String] {
  let realm = try await Realm()
  return realm.objects(ActorTodo.self).map(\.name)
}

@TodoBackground
private func addInBackground(_ name: String) async throws {
  let realm = try await Realm(actor: TodoBackground.shared)
  try await realm.asyncWrite { realm.add(ActorTodo(value: ["name": name])) }
}

@MainActor
private final class TodoModel {
  private let realm: Realm
  private let todos: Results<ActorTodo>

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration)
    todos = realm.objects(ActorTodo.self).sorted(by: \.name)
  }

  var names: [String] { todos.map(\.name) }

  func add(_ name: String) async throws {
    try await realm.asyncWrite { realm.add(ActorTodo(value: ["name": name])) }
  }

  func refresh() async { await realm.asyncRefresh() }
}

@TodoBackground
private final class TodoStore {
  private let realm: Realm

  init(_ configuration: Realm.Configuration) async throws {
    realm = try await Realm(configuration: configuration, actor: TodoBackground.shared)
  }

  func add(_ name: String) async throws -> [String] {
    try await realm.asyncWrite { realm.add(ActorTodo(value: ["name": name])) }
    return realm.objects(ActorTodo.self).sorted(by: \.name).map(\.name)
  }
}

private actor Deleter {
  func delete(_ reference: ThreadSafeReference<ActorTodo>, _ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      if let todo = realm.resolve(reference) { realm.delete(todo) }
    }
  }
}

@globalActor actor TodoBackground: GlobalActor {
  static let shared = TodoBackground()
}

@TodoBackground
private func createInBackground(_ configuration: Realm.Configuration, _ name: String) async throws -> Int {
  // Anything but the main actor has to be named.
  let realm = try await Realm(configuration: configuration, actor: TodoBackground.shared)
  try await realm.asyncWrite {
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
  try await realm.asyncWrite {
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

@Suite struct ActorTests {
  let file: ScratchRealm
  var configuration: Realm.Configuration { file.configuration }

  init() throws { file = ScratchRealm([ActorTodo.self]) }

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
    // It may have followed by itself.
    await first.refresh()
    #expect(await first.todo(named: "shared").owner == "second")
  }

  // MARK: Other ways to make them

  @Test func openedWhenItIsNeeded() async throws {
    let actor = LateTodoActor(configuration)
    #expect(try await actor.add("first") == 1)
    #expect(try await actor.add("second") == 2)
  }

  @Test func createdByAFunction() async throws {
    let actor = try await CreatedTodoActor.create(configuration)
    #expect(try await actor.add("first") == 1)
  }

  @Test func classesOfGlobalActors() async throws {
    let model = try await TodoModel(configuration)
    try await model.add("main")
    let store = try await TodoStore(configuration)
    #expect(try await store.add("background") == ["background", "main"])
    await model.refresh()
    #expect(await model.names == ["background", "main"])
  }

  /// The code as it is on the page, with the default realm.
  @Test func theDefaultRealm() async {
    await #expect(processExitsWith: .success) {
      let file = ScratchRealm([ActorTodo.self])
      Realm.Configuration.defaultConfiguration = file.configuration
      let actor = try await DefaultTodoActor()
      try await actor.createTodo(name: "Leave the ring on the mantle", owner: "Bilbo", status: "In Progress")
      let names = try await mainNames()
      try #require(names == ["Leave the ring on the mantle"])
      try await addInBackground("Pack")
      await actor.refresh()
      try await #require(actor.count == 2)
      await actor.close()
    }
  }

  /// An actor's function may also open a realm for the thread that it runs on, as long as it does not wait meanwhile.
  @Test @MainActor func aThreadsRealmInAnActor() async throws {
    let realm = try await Realm(configuration: configuration)
    let todo = try await realm.asyncWrite {
      realm.create(ActorTodo.self, value: ["_id": ObjectId.generate(), "name": "Arrive safely in Bree"])
    }
    try await Deleter().delete(ThreadSafeReference(to: todo), configuration)
    await realm.asyncRefresh()
    #expect(todo.isInvalidated && realm.isEmpty)
  }

  // MARK: What stops the program

  @Test func anObjectOfAnotherActor() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = ScratchRealm([ActorTodo.self])
      let actor = try await TodoActor(file.configuration)
      try await actor.createTodo(name: "own", owner: "", status: "")
      nonisolated(unsafe) var realm: Realm?
      func take(_ actor: isolated TodoActor) { realm = actor.realm }
      await take(actor)
      print(realm!.objects(ActorTodo.self).count)
    }
    expectStop(
      result, saying: "Realm accessed from incorrect thread. The Realm belongs to the actor 'TodoActor'")
  }
}
