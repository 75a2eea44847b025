import Foundation
import RealmSwift
import Testing

// The examples of the documentation's page about Swift concurrency: opening, writing and waiting in tasks.

class AwaitTask: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name = ""
  @Persisted var isDone = false
}

@MainActor
private func names(_ realm: Realm) -> [String] {
  realm.objects(AwaitTask.self).sorted(by: \.name).map(\.name)
}

@Suite struct AsyncAwaitTests {
  let file: ScratchRealm
  private var configuration: Realm.Configuration { file.configuration }

  init() throws { file = ScratchRealm([AwaitTask.self]) }

  // MARK: Opening

  @Test func errors() async throws {
    var missing = configuration
    missing.readOnly = true
    await #expect(throws: Realm.Error.self) { _ = try await Holder(missing) }
    await #expect(throws: Realm.Error.self) { @MainActor in _ = try await Realm(configuration: missing) }
  }

  @Test func cancellation() async throws {
    let configuration = configuration
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await Holder(configuration)
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
            try! realm.write { _ = realm.create(AwaitTask.self, value: ["name": "opened"]) }
            return (try? Realm(configuration: configuration, queue: .main)) == realm
          })
      }
    }
    #expect(isMain)
    let queue = DispatchQueue(label: "opening")
    let count: Int = try await withCheckedThrowingContinuation { continuation in
      Realm.asyncOpen(configuration: configuration, callbackQueue: queue) { result in
        continuation.resume(with: result.map { $0.objects(AwaitTask.self).count })
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
      // The callback cannot come before the task was cancelled.
      queue.sync {
        let task: Realm.AsyncOpenTask = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) {
          result in
          guard case .failure(let error) = result else { return continuation.resume(returning: nil) }
          continuation.resume(returning: error as NSError)
        }
        task.cancel()
      }
    }
    #expect(error?.domain == NSPOSIXErrorDomain && error?.code == Int(ECANCELED))
  }

  // MARK: Writing

  /// Neither waiting for the right to write nor for the disk blocks the main thread.
  @Test @MainActor func writingInATask() async throws {
    let realm = try await Realm(configuration: configuration)
    let task = try await realm.asyncWrite { realm.create(AwaitTask.self, value: ["name": "Write"]) }
    #expect(task.name == "Write" && !realm.isInWriteTransaction)
    let count = try await realm.asyncWrite {
      task.isDone = true
      return realm.objects(AwaitTask.self).where { $0.isDone }.count
    }
    #expect(count == 1)
  }

  @Test @MainActor func cancelledWrites() async throws {
    let realm = try await Realm(configuration: configuration)
    // Another write is open, so that those of the tasks have to wait.
    let holder = try await Holder(configuration)
    await holder.begin()
    let tasks = ["first", "second"].map { name in
      Task { try await realm.asyncWrite { realm.add(AwaitTask(value: ["name": name])) } }
    }
    tasks[0].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[0].value }
    await holder.end()
    try await tasks[1].value
    #expect(names(realm) == ["second"])
  }

  private actor Holder {
    private var realm: Realm!

    init(_ configuration: Realm.Configuration) async throws {
      realm = try await Realm(configuration: configuration, actor: self)
    }

    func begin() { realm.beginWrite() }
    func end() { realm.cancelWrite() }

    func add(_ name: String) throws { try realm.write { realm.add(AwaitTask(value: ["name": name])) } }
  }

  @Test @MainActor func writingWithCallbacks() async throws {
    let realm = try await Realm(configuration: configuration)
    let error: (any Error)? = await withCheckedContinuation { continuation in
      realm.writeAsync {
        realm.add(AwaitTask(value: ["name": "callback"]))
      } onComplete: { error in
        continuation.resume(returning: error)
      }
      #expect(realm.isPerformingAsynchronousWriteOperations && realm.isEmpty)
    }
    #expect(error == nil && names(realm) == ["callback"])
  }

  @Test @MainActor func beginningAndCommittingWithCallbacks() async throws {
    let realm = try await Realm(configuration: configuration)
    var log: [String] = []
    let cancelled = realm.beginAsyncWrite { log.append("never") }
    try realm.cancelAsyncWrite(cancelled)
    await withCheckedContinuation { continuation in
      for number in 0..<3 {
        realm.beginAsyncWrite {
          realm.add(AwaitTask(value: ["name": "\(number)"]))
          realm.commitAsyncWrite(allowGrouping: number < 2) { error in
            log.append("\(number) \(error == nil)")
            if number == 2 { continuation.resume() }
          }
        }
      }
      // What is not committed is rolled back.
      realm.beginAsyncWrite { realm.deleteAll() }
    }
    #expect(log == ["0 true", "1 true", "2 true"])
    try await realm.asyncWrite {}
    #expect(names(realm) == ["0", "1", "2"])
  }

  // MARK: Waiting for what others wrote

  @Test @MainActor func refreshing() async throws {
    let realm = try await Realm(configuration: configuration)
    realm.autorefresh = false
    let tasks = realm.objects(AwaitTask.self)
    try await Holder(configuration).add("elsewhere")
    #expect(tasks.isEmpty)
    #expect(await realm.asyncRefresh())
    #expect(tasks.count == 1)
    #expect(await !realm.asyncRefresh())
  }

  /// Following a query in a task of the main actor, and in one of nobody.
  @Test @MainActor func changesInTasks() async throws {
    let realm = try await Realm(configuration: configuration)
    let open = realm.objects(AwaitTask.self).where { !$0.isDone }
    let main = Task {
      for await change in open.changes {
        if case .initial(let tasks) = change, tasks.count == 2 { break }
        if case .update(let tasks, _, _, _) = change, tasks.count == 2 { break }
      }
    }
    let changes = open.changes
    let detached = Task.detached { () -> [String] in
      for await change in changes {
        // What comes is frozen, and may be read wherever the task runs.
        switch change {
        case .initial(let tasks), .update(let tasks, _, _, _):
          if tasks.count == 2 { return tasks.sorted(by: \.name).map(\.name) }
        case .error: break
        }
      }
      return []
    }
    let holder = try await Holder(configuration)
    try await holder.add("one")
    try await holder.add("two")
    #expect(await detached.value == ["one", "two"])
    await main.value
    await realm.asyncRefresh()
    #expect(names(realm) == ["one", "two"])
  }
}
