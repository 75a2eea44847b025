import RealmSync
import Storage
import TestSupport
import Testing

final class SyncOrchard: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var names: List<String>
  @Persisted(counter: true) var seen: Int
}

final class SyncAnthology: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String
  @Persisted var authors: List<String>
}

/// The class before it had a list.
final class SyncEarlierAnthology: Object {
  override class func _realmObjectName() -> String? { "SyncAnthology" }
  @Persisted(primaryKey: true) var id: Int
  @Persisted var title: String
}

/// Lists of files that were copied, and of databases with a past.
@MainActor @Suite struct CopiedListTests {
  private func settle(_ realms: [Realm]) async throws {
    for _ in 0..<2 {
      for realm in realms {
        try await exchange(realm)
      }
    }
  }

  @Test func whatACopyAndItsOriginalAppendIsNotOneElement() async throws {
    let database = try SyncDatabase([SyncOrchard.self])
    let realm = try await database.open("first.realm")
    try realm.write { _ = realm.create(SyncOrchard.self, value: ["id": 1, "names": ["a"], "seen": 1]) }
    try await realm.syncSession!.wait(for: .upload)
    realm.syncSession!.suspend()
    let orchard = try #require(realm.object(ofType: SyncOrchard.self, forPrimaryKey: 1))
    // The copy takes the registration over, because an increment waits in both.
    try realm.write { orchard.seen += 1 }
    let configuration = database.configuration("copy.realm")
    try realm.writeCopy(toFile: configuration.fileURL!)
    try autoreleasepool {
      let copy = try Realm(
        configuration: .init(fileURL: configuration.fileURL, objectTypes: [SyncOrchard.self]))
      try copy.write { copy.objects(SyncOrchard.self).first!.names.append("of copy") }
    }
    try realm.write { orchard.names.append("of first") }
    let copy = try await Realm.open(configuration: configuration)
    try await copy.syncSession!.wait(for: .upload)
    realm.syncSession!.resume()
    try await settle([realm, copy])
    let names = try database.run("select value from app.\"SyncOrchard.names\" order by _key, _el")
    #expect(Set(names.split(separator: "\n")) == ["a", "of copy", "of first"])
    for realm in [realm, copy] {
      #expect(realm.objects(SyncOrchard.self).first?.names.joined(separator: "\n") == names)
    }
    #expect(try database.run("select seen from app.\"SyncOrchard\"") == "2")
  }

  private func transfer(
    _ configuration: Realm.Configuration, _ body: (Realm) throws -> Void = { _ in }
  ) async throws {
    let realm = try await Realm.open(configuration: configuration)
    try body(realm)
    try await settle([realm])
  }

  @Test func aListThatAMigrationAddsToAnObjectWithAPastArrives() async throws {
    let database = try SyncDatabase([SyncAnthology.self])
    var earlier = database.configuration("realm.realm")
    earlier.objectTypes = [SyncEarlierAnthology.self]
    // An object with the key was deleted before.
    for isDeleted in [true, false] {
      try await transfer(earlier) { realm in
        try realm.write { _ = realm.create(SyncEarlierAnthology.self, value: ["id": 1, "title": "ada"]) }
      }
      if !isDeleted { break }
      try await transfer(earlier) { realm in
        try realm.write { realm.delete(realm.objects(SyncEarlierAnthology.self)) }
      }
    }
    var later = database.configuration("realm.realm")
    later.schemaVersion = 1
    later.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "SyncAnthology") { old, new in
        new!["authors"] = [old!["title"] as! String]
      }
    }
    try await transfer(later) { realm in
      #expect(realm.objects(SyncAnthology.self).first?.authors.first == "ada")
    }
    #expect(try database.run("select owner, value from app.\"SyncAnthology.authors\"") == "1|ada")
  }

  @Test func moreClientsThanElementsCanTellApartAreRefused() async throws {
    let database = try SyncDatabase([SyncOrchard.self])
    try database.run("select setval('realm.client_id_seq', \(1 << 23))")
    let realm = try await database.open("late.realm")
    let error = await #expect(throws: Realm.Error.self) { try await realm.syncSession!.wait(for: .upload) }
    #expect(error?.localizedDescription.contains("more clients") == true)
  }
}
