import Foundation
import RealmSync
import TestSupport
import Testing

/// Audits, through the interface of the library.
@MainActor @Suite struct AuditSessionTests {
  private func configuration(_ database: SyncDatabase, auditInterval: TimeInterval) -> Realm.Configuration {
    var configuration = database.configuration("realm.realm")
    configuration.syncConfiguration = SyncConfiguration(
      url: database.url, pollInterval: 1,
      auditInterval: auditInterval)
    return configuration
  }

  @Test func healthIsCurrentOnlyAfterAnAuditThatFindsNothing() async throws {
    let database = try SyncDatabase([SyncSample.self, SyncDog.self])
    try database.run("insert into app.\"SyncDog\" (id, name) values (1, 'Rex'), (2, 'Ada')")
    let realm = try await Realm.open(configuration: configuration(database, auditInterval: .infinity))
    let session = try #require(realm.syncSession)
    try realm.write { realm.add(SyncSample()) }
    try await session.wait(for: .upload)
    #expect(session.health.lastAudit == nil)
    #expect(try await session.audit().differences == 0)
    #expect(session.health.status == .current && session.health.lastAudit?.objects == 3)
    try database.run(
      "set session_replication_role = replica; update app.\"SyncDog\" set name = 'x' where id = 2")
    #expect(try await session.audit().differences == 1)
    if case .behind = session.health.status {} else { Issue.record("\(session.health.status)") }
    realm.refresh()
    #expect(realm.object(ofType: SyncDog.self, forPrimaryKey: 2)?.name == "x")
    try await session.audit()
    #expect(session.health.status == .current)
    #expect(session.health.uploadLag.map { $0.median <= $0.maximum } == true)
  }

  @Test func aSessionAuditsByItself() async throws {
    let database = try SyncDatabase()
    let realm = try await Realm.open(configuration: configuration(database, auditInterval: 0.2))
    let session = try #require(realm.syncSession)
    try await eventually { session.health.lastAudit != nil }
    let first = try #require(session.health.lastAudit?.date)
    try await eventually { session.health.lastAudit.map { $0.date > first } == true }
  }
}

/// An address that is embedded in a person.
final class AuditAddress: EmbeddedObject {
  @Persisted var city: String
  @Persisted var since: Date
}

/// A person with an optional address.
final class AuditPerson: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var address: AuditAddress?
}

extension AuditSessionTests {
  @Test func whatTheServerHasOfAbsentEmbeddedObjectsIsNotCompared() async throws {
    let database = try SyncDatabase([AuditPerson.self, AuditAddress.self])
    try database.run(
      """
      insert into app."AuditPerson" (id, address, address_city) values (1, true, 'Oslo'), (2, false, 'Rome'), (3, false, '')
      """)
    let realm = try await Realm.open(configuration: configuration(database, auditInterval: .infinity))
    let session = try #require(realm.syncSession)
    #expect(try await session.audit().differences == 0)
    try database.run(
      "set session_replication_role = replica; update app.\"AuditPerson\" set address_city = 'Bern'")
    #expect(try await session.audit().differences == 1)
    realm.refresh()
    #expect(realm.object(ofType: AuditPerson.self, forPrimaryKey: 1)?.address?.city == "Bern")
  }
}
