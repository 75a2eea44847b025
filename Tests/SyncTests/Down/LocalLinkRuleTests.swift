import Foundation
import RealmSync
import TestSupport
import Testing

/// A local class whose link denies the deletion of a synchronised object.
final class SyncKeeper: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(onDelete: .deny) var dog: SyncDog?
}

@MainActor @Suite struct LocalLinkRuleTests {
  @Test func whatTheServerHasDeletedIsDeletedDespiteALocalRule() async throws {
    let database = try SyncDatabase()
    var configuration = database.configuration("realm.realm", synchronised: [SyncDog.self])
    configuration.objectTypes = [SyncDog.self, SyncKeeper.self]
    try database.run("insert into app.\"SyncDog\" (id) values (1), (2)")
    let realm = try await Realm.open(configuration: configuration)
    let session = try #require(realm.syncSession)
    try await session.wait(for: .download)
    realm.refresh()
    try realm.write {
      for id in 1...2 {
        let keeper = realm.create(SyncKeeper.self, value: ["id": id])
        keeper.dog = realm.object(ofType: SyncDog.self, forPrimaryKey: id)
      }
    }
    try database.run("delete from app.\"SyncDog\" where id = 1")
    try await session.wait(for: .download)
    realm.refresh()
    #expect(realm.objects(SyncDog.self).map(\.id) == [2])
    #expect(realm.object(ofType: SyncKeeper.self, forPrimaryKey: 1)?.dog == nil)
    // The rule holds for the program.
    #expect(throws: (any Error).self) { try realm.write { realm.delete(realm.objects(SyncDog.self)) } }
    #expect(realm.object(ofType: SyncKeeper.self, forPrimaryKey: 2)?.dog?.id == 2)
  }
}
