import RealmSwift
import RealmSync
import TestSupport
import Testing

/// Tasks that are cancelled while they wait for a session.
@MainActor @Suite(.timeLimit(.minutes(10))) struct CancelledWaitTests {
  enum Wait: CaseIterable {
    case upload, download, audit, resync, subscription

    @MainActor func run(_ realm: Realm) async throws {
      let session = realm.syncSession!
      switch self {
      case .upload: try await session.wait(for: .upload)
      case .download: try await session.wait(for: .download)
      case .audit: try await session.audit()
      case .resync: try await session.resyncEverything()
      case .subscription:
        try await realm.objects(SyncDog.self).subscribe(name: "all", waitForSync: .always, timeout: 1e6)
      }
    }
  }

  @Test(arguments: Wait.allCases, [false, true])
  func aWaitEndsWhenItsTaskIsCancelled(wait: Wait, isCancelledAtOnce: Bool) async throws {
    let database = try SyncDatabase()
    var configuration = database.configuration("realm.realm")
    configuration.syncConfiguration = SyncConfiguration(
      url: database.url, initialSubscriptions: { _ in }, pollInterval: 1)
    let realm = try await Realm.open(configuration: configuration)
    let session = try #require(realm.syncSession)
    try await session.wait(for: .download)
    session.suspend()
    try realm.write { realm.create(SyncDog.self, value: ["id": 1]) }
    let task = Task { try await wait.run(realm) }
    if !isCancelledAtOnce { for _ in 0..<1000 { await Task.yield() } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    session.resume()
    try await session.wait(for: .upload)
    #expect(try database.run("select id from app.\"SyncDog\"") == "1")
  }
}
