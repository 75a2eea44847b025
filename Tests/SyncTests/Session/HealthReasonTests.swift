import Foundation
import RealmSwift
import RealmSync
import TestSupport
import Testing

/// What the health of a session says while the session cannot go on: what is wrong, and what to do.
@MainActor @Suite struct HealthReasonTests {
  private func open(_ database: SyncDatabase, url: String) async throws -> SyncSession {
    var configuration = database.configuration("realm.realm")
    configuration.syncConfiguration = SyncConfiguration(url: url, pollInterval: 1)
    return try #require(try await Realm.open(configuration: configuration).syncSession)
  }

  private func stopReason(_ session: SyncSession) async throws -> String {
    var reason: String?
    try await eventually {
      if case .stopped(let found) = session.health.status { reason = found }
      return reason != nil
    }
    #expect(session.state == .invalid && session.connectionStatus != .connected)
    return try #require(reason)
  }

  @Test func aRoleWithoutRightsIsToldWhichOneItNeeds() async throws {
    let database = try SyncDatabase()
    try database.server.makeRole("unentitled")
    let session = try await open(
      database, url: database.server.connectionString(role: "unentitled", database: database.name))
    let reason = try await stopReason(session)
    #expect(reason.contains("permission denied for schema realm") && reason.contains("42501"))
    #expect(
      reason.hasSuffix(
        "The role of the URL must be a member of realm_user: let the owner of the database grant that."))
    try database.run("grant realm_user to unentitled")
    session.resume()
    try await eventually { session.health.status == .current }
  }

  @Test(arguments: [
    (role: "without_schema", right: "usage on schema app", named: "schema app"),
    (role: "without_table", right: "select on app.\"SyncDog\"", named: "table SyncDog"),
  ])
  func aMemberIsToldWhichRightRealmUserLacks(role: String, right: String, named: String) async throws {
    let database = try SyncDatabase()
    try database.server.makeRole(role)
    try database.run("grant realm_user to \(role); revoke \(right) from realm_user")
    let session = try await open(
      database, url: database.server.connectionString(role: role, database: database.name))
    let reason = try await stopReason(session)
    #expect(reason.contains("permission denied for \(named)") && reason.contains("42501"), "\(reason)")
    #expect(!reason.contains("must be a member"), "\(reason)")
    #expect(reason.contains("grant usage on schema app to realm_user"), "\(reason)")
    try database.run("grant \(right) to realm_user")
    session.resume()
    try await eventually { session.health.status == .current }
  }

  @Test func aDatabaseThatIsNotPreparedIsToBePrepared() async throws {
    let database = try SyncDatabase()
    let empty = try database.server.makeDatabase()
    let session = try await open(database, url: database.server.connectionString(database: empty))
    let reason = try await stopReason(session)
    #expect(reason.hasSuffix("Prepare the database with 'realm sync init', or correct the URL."), "\(reason)")
  }

  /// A server of its own: PostgreSQL drops a database when all backends have answered, and other tests stop some.
  @Test func aDatabaseThatWasDroppedIsToBeRestored() async throws {
    let database = try SyncDatabase(server: PostgresServer())
    let session = try await open(database, url: database.url)
    try await session.wait(for: .download)
    try database.server.psql("drop database \"\(database.name)\" with (force)", database: "postgres")
    let reason = try await stopReason(session)
    #expect(reason.contains("database \"\(database.name)\" does not exist"), "\(reason)")
    #expect(reason.hasSuffix("Restore the database from a backup, or correct the URL."), "\(reason)")
  }

  @Test func aSuspendedSessionSaysHowItContinues() async throws {
    let database = try SyncDatabase()
    let session = try await open(database, url: database.url)
    session.suspend()
    guard case .offline(_, let reason) = session.health.status else {
      Issue.record("\(session.health.status)")
      return
    }
    #expect(reason == "The program has suspended the session: resume() continues it.")
    #expect(session.state == .inactive)
    session.resume()
    try await eventually { session.health.status == .current }
  }

  @Test func aFileThatWasDeletedStopsItsSession() async throws {
    let database = try SyncDatabase()
    let configuration = database.configuration("realm.realm")
    let session = try await open(database, url: database.url)
    try await session.wait(for: .download)
    try FileManager.default.removeItem(at: try #require(configuration.fileURL))
    try database.run("insert into app.\"SyncDog\" (id) values (1)")
    let reason = try await stopReason(session)
    #expect(reason.contains("was deleted, moved or replaced while it was open"), "\(reason)")
  }
}
