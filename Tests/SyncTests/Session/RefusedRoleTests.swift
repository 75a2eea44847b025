import Dispatch
import RealmSwift
import RealmSync
import Synchronization
import TestSupport
import Testing

/// Sessions whose role or password the server does not accept.
@MainActor @Suite struct RefusedRoleTests {
  private final class Provider: Sendable {
    let password = Mutex("wr0ng")
    let questions = Atomic(0)

    func answer() -> String {
      questions.add(1, ordering: .relaxed)
      return password.withLock { $0 }
    }
  }

  private func open(_ database: SyncDatabase, role: String, _ provider: Provider) async throws -> Realm {
    var configuration = database.configuration("realm.realm")
    configuration.syncConfiguration = SyncConfiguration(
      url: database.server.connectionString(role: role, database: database.name),
      password: .provider { provider.answer() }, pollInterval: 60)
    return try await Realm.open(configuration: configuration)
  }

  private func refusal(of session: SyncSession) async throws -> String {
    var reason: String?
    try await eventually {
      if case .refused(_, let found) = session.health.status { reason = found }
      return reason != nil
    }
    return try #require(reason)
  }

  @Test func theProviderIsAskedUntilItsPasswordIsAccepted() async throws {
    let database = try SyncDatabase()
    try database.server.makeRole("forgetful", password: "r1ght")
    try database.run("grant realm_user to forgetful")
    let provider = Provider()
    let realm = try await open(database, role: "forgetful", provider)
    let session = try #require(realm.syncSession)
    let reason = try await refusal(of: session)
    #expect(
      reason.contains("password authentication failed for user \"forgetful\"") && reason.contains("28P01"))
    #expect(!reason.contains("wr0ng"))
    #expect(session.state == .active && session.connectionStatus != .connected)
    let questions = provider.questions.load(ordering: .relaxed)
    try await eventually { provider.questions.load(ordering: .relaxed) > questions + 1 }
    provider.password.withLock { $0 = "r1ght" }
    try await session.wait(for: .download)
    #expect(session.health.status == .current)
  }

  @Test func anUnknownRoleIsRefused() async throws {
    let database = try SyncDatabase()
    let realm = try await open(database, role: "unheard_of", Provider())
    let session = try #require(realm.syncSession)
    #expect(try await refusal(of: session).contains("role \"unheard_of\" does not exist"))
    // In one statement: a session that finds the role without its membership ends every wait.
    try database.run("create role unheard_of login in role realm_user")
    try await session.wait(for: .download)
    #expect(session.health.status == .current)
  }

  /// The caller goes on while the rows of the pull are still applied.
  @Test func anUploadThatSucceedsEndsTheRefusal() async throws {
    let database = try SyncDatabase()
    try database.server.makeRole("belated", password: "r1ght")
    try database.run("grant realm_user to belated")
    let provider = Provider()
    let realm = try await open(database, role: "belated", provider)
    let session = try #require(realm.syncSession)
    try realm.write { _ = realm.create(SyncDog.self, value: ["id": 1]) }
    _ = try await refusal(of: session)
    let isRead = DispatchSemaphore(value: 0)
    let token = session.addProgressNotification(for: .download, mode: .forCurrentlyOutstandingWork) { _ in
      isRead.wait()
    }
    provider.password.withLock { $0 = "r1ght" }
    try await session.wait(for: .upload)
    let status = session.health.status
    isRead.signal()
    if case .behind = status {} else { Issue.record("\(status)") }
    withExtendedLifetime(token) {}
    try await session.wait(for: .download)
    #expect(session.health.status == .current)
  }

  private struct SealedKeychain: Error, CustomStringConvertible {
    var description: String { "the keychain is sealed" }
  }

  /// Whether the server can be reached is not known then.
  @Test func aProviderThatThrowsIsToldApartAndAskedAgain() async throws {
    let database = try SyncDatabase()
    let provider = Provider()
    let isSealed = Mutex(true)
    var configuration = database.configuration("realm.realm")
    configuration.syncConfiguration = SyncConfiguration(
      url: database.server.connectionString(database: database.name),
      password: .provider {
        let password = provider.answer()
        if isSealed.withLock({ $0 }) { throw SealedKeychain() }
        return password
      }, pollInterval: 60)
    let realm = try await Realm.open(configuration: configuration)
    let session = try #require(realm.syncSession)
    let reason = try await refusal(of: session)
    #expect(reason == "The provider of the password has failed: the keychain is sealed")
    #expect(session.state == .active && session.connectionStatus != .connected)
    let questions = provider.questions.load(ordering: .relaxed)
    try await eventually { provider.questions.load(ordering: .relaxed) > questions + 1 }
    isSealed.withLock { $0 = false }
    try await session.wait(for: .download)
    #expect(session.health.status == .current)
  }
}
