import Foundation
import RealmSwift
import RealmSync
import TestSupport
import Testing

/// A club with sets and maps of some types.
final class SyncClub: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var members: MutableSet<String>
  @Persisted var moods: MutableSet<Int?>
  @Persisted var dates: MutableSet<Date>
  @Persisted var prices: MutableSet<Decimal128>
  @Persisted var scores: Map<String, Int>
  @Persisted var notes: Map<String, String?>
}

/// A club with further types of elements.
final class SyncSampleClub: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var doubles: MutableSet<Double?>
  @Persisted var data: MutableSet<Data>
  @Persisted var ids: MutableSet<ObjectId>
  @Persisted var uuids: MutableSet<UUID?>
  @Persisted var floatMap: Map<String, Float?>
  @Persisted var dateMap: Map<String, Date?>
  @Persisted var idMap: Map<String, ObjectId?>
  @Persisted var decimalMap: Map<String, Decimal128?>
}

/// Sets and maps between two realms, and the SQL programs.
@MainActor @Suite struct SetsAndMapsTests {
  /// Creates a club with two members and a score.
  private func create(in realm: Realm) throws {
    try realm.write {
      let club = realm.create(SyncClub.self, value: ["id": 1])
      club.members.insert(objectsIn: ["a", "b"])
      club.scores["k"] = 1
    }
  }

  private func found(_ realm: Realm) -> SyncClub? {
    realm.object(ofType: SyncClub.self, forPrimaryKey: 1)
  }

  @Test func elementsAreMergedOneByOne() async throws {
    let database = try SyncDatabase([SyncClub.self])
    let first = try await database.open("first.realm")
    let second = try await database.open("second.realm")
    try first.write {
      let club = first.create(SyncClub.self, value: ["id": 1])
      club.members.insert(objectsIn: ["ada", "ben"])
      club.moods.insert(objectsIn: [nil, 3])
      club.scores["ada"] = 5
      club.notes["none"] = .some(nil)
    }
    try await exchange(first, second)
    let copy = try #require(found(second))
    #expect(Set(copy.members) == ["ada", "ben"] && Set(copy.moods) == [nil, 3])
    #expect(
      copy.scores["ada"] == 5 && copy.notes.keys == ["none"] && copy.notes["none"] == .some(nil))

    // Both at once: each is merged with the other's.
    first.syncSession!.suspend()
    second.syncSession!.suspend()
    try first.write {
      found(first)!.members.insert("cid")
      found(first)!.members.remove("ada")
      found(first)!.scores["ben"] = 7
    }
    try second.write {
      copy.members.insert("dan")
      copy.moods.remove(nil)
      copy.scores["ada"] = 6
      copy.scores["dan"] = 1
    }
    first.syncSession!.resume()
    second.syncSession!.resume()
    try await exchange(first, second)
    try await exchange(first, second)
    for realm in [first, second] {
      let club = try #require(found(realm))
      #expect(Set(club.members) == ["ben", "cid", "dan"] && Set(club.moods) == [3])
      #expect(
        club.scores.asKeyValueSequence().map { "\($0.0) \($0.1)" }.sorted() == [
          "ada 6", "ben 7", "dan 1",
        ])
    }
    #expect(
      try database.run("select value from app.\"SyncClub.members\" order by 1") == "ben\ncid\ndan")

    try second.write { second.delete(second.objects(SyncClub.self)) }
    try await exchange(second, first)
    #expect(found(first) == nil)
    #expect(try database.run("select count(*) from app.\"SyncClub.members\"") == "0")
  }

  @Test func theLaterOfAdditionAndRemovalWinsInAllRealms() async throws {
    let database = try SyncDatabase([SyncClub.self])
    let first = try await database.open("first.realm")
    let second = try await database.open("second.realm")
    try first.write {
      first.create(SyncClub.self, value: ["id": 1]).members.insert(objectsIn: ["a", "b"])
    }
    try await exchange(first, second)
    first.syncSession!.suspend()
    second.syncSession!.suspend()
    // In both realms, one element is removed and added again; the later transaction of each element decides.
    let changes: [(Realm, (SyncClub) -> Void)] = [
      (first, { $0.members.remove("a") }), (second, { $0.members.remove("b") }),
      (second, { $0.members.remove("a") }), (second, { $0.members.insert("a") }),
      (first, { $0.members.remove("b") }), (first, { $0.scores["k"] = 1 }),
      (second, { $0.scores["k"] = 2 }),
    ]
    for (realm, change) in changes {
      // Stamps of one millisecond are not ordered between files.
      usleep(2000)
      try realm.write { change(found(realm)!) }
    }
    second.syncSession!.resume()
    try await exchange(second)
    first.syncSession!.resume()
    try await exchange(first, second)
    try await exchange(first, second)
    for realm in [first, second] {
      #expect(Set(found(realm)!.members) == ["a"] && found(realm)!.scores["k"] == 2)
    }
  }

  @Test func whatSQLProgramsWriteArrives() async throws {
    let database = try SyncDatabase([SyncClub.self])
    let realm = try await database.open("first.realm")
    try create(in: realm)
    try await exchange(realm)
    try database.run(
      """
      insert into app."SyncClub.members" (owner, value) values (1, 'c');
      delete from app."SyncClub.members" where value = 'a';
      insert into app."SyncClub.moods" (owner, value) values (1, null);
      update app."SyncClub.scores" set value = 2
      """)
    try await exchange(realm)
    let club = try #require(found(realm))
    #expect(Set(club.members) == ["b", "c"] && Set(club.moods) == [nil] && club.scores["k"] == 2)
    try database.run(
      "update app.\"SyncClub\" set id = 2; insert into app.\"SyncClub\" (id) values (1)")
    try await exchange(realm)
    let moved = try #require(realm.object(ofType: SyncClub.self, forPrimaryKey: 2))
    #expect(Set(moved.members) == ["b", "c"] && moved.scores["k"] == 2)
    #expect(found(realm)?.members.isEmpty == true)
  }

  @Test func replacingACollectionSendsRemovalsAndAdditions() async throws {
    let database = try SyncDatabase([SyncClub.self])
    let first = try await database.open("first.realm")
    let second = try await database.open("second.realm")
    try create(in: first)
    try await exchange(first, second)
    first.syncSession!.suspend()
    try second.write { found(second)!.members.insert("z") }
    try await exchange(second)
    try first.write {
      let club = found(first)!
      club.members.removeAll()
      club.members.insert(objectsIn: ["b", "c"])
      club.scores.removeAll()
      club.scores["l"] = 2
    }
    first.syncSession!.resume()
    try await exchange(first, second)
    try await exchange(first, second)
    for realm in [first, second] {
      #expect(Set(found(realm)!.members) == ["b", "c", "z"])
      #expect(found(realm)!.scores.keys == ["l"])
    }
  }

  @Test func valuesThatTheServerRoundsAreOneElement() async throws {
    let database = try SyncDatabase([SyncClub.self])
    let first = try await database.open("first.realm")
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000.123_456_7)
    try first.write {
      let club = first.create(SyncClub.self, value: ["id": 1])
      club.dates.insert(date)
      club.prices.insert(try! Decimal128(string: "1.50"))
    }
    try await exchange(first)
    try first.write { found(first)!.prices.insert(try! Decimal128(string: "1.5")) }
    try await exchange(first)
    #expect(found(first)!.dates.count == 1 && found(first)!.prices.count == 1)
    let rounded = try #require(found(first)!.dates.first)
    #expect(abs(rounded.timeIntervalSince(date)) < 1e-6)
    try first.write { found(first)!.dates.remove(rounded) }
    try await exchange(first)
    #expect(try database.run("select count(*) from app.\"SyncClub.dates\"") == "0")
    #expect(found(first)!.dates.isEmpty)
  }

  @Test func anElementThatTheServerRefusesGoes() async throws {
    let database = try SyncDatabase([SyncClub.self])
    try database.run("alter table app.\"SyncClub.members\" add check (value <> 'cat')")
    let rejections = Mutex<[Rejection]>([])
    let realm = try await database.open("first.realm") { new in rejections.withLock { $0 += new } }
    try realm.write {
      realm.create(SyncClub.self, value: ["id": 1]).members.insert(objectsIn: ["a", "cat"])
      realm.create(SyncClub.self, value: ["id": 2]).members.insert("b")
      realm.create(SyncClub.self, value: ["id": 3]).members.insert(objectsIn: ["c", "\0"])
    }
    try await exchange(realm)
    try await exchange(realm)
    #expect(found(realm)?.members.isEmpty == true)
    #expect(
      try database.run("select owner, value from app.\"SyncClub.members\" order by 1") == "2|b\n3|c"
    )
    #expect(realm.object(ofType: SyncClub.self, forPrimaryKey: 3).map { Set($0.members) } == ["c"])
    #expect(rejections.withLock { Set($0.map { "\($0.primaryKey)" }).count } == 2)
  }

  @Test func readingEverythingAgainComparesContents() async throws {
    let database = try SyncDatabase([SyncClub.self])
    let realm = try await database.open("first.realm")
    try create(in: realm)
    try await exchange(realm)
    // Changes that no client can notice: triggers do not run.
    try database.run(
      """
      set session_replication_role = replica;
      delete from app."SyncClub.members" where value = 'a';
      insert into app."SyncClub.members" (owner, value, _rx) values (1, 'c', '3');
      update app."SyncClub.scores" set value = 2
      """)
    realm.syncSession!.suspend()
    try realm.write { found(realm)!.members.insert("pending") }
    realm.syncSession!.resume()
    try await realm.syncSession!.resyncEverything()
    try await exchange(realm)
    let club = try #require(found(realm))
    #expect(Set(club.members) == ["b", "c", "pending"] && club.scores["k"] == 2)
  }

  @Test func elementsOfOtherTypesArrive() async throws {
    let database = try SyncDatabase([SyncSampleClub.self])
    let first = try await database.open("first.realm")
    let second = try await database.open("second.realm")
    let (id, uuid, date) = (
      ObjectId.generate(), UUID(), Date(timeIntervalSince1970: 1_700_000_000.5)
    )
    try first.write {
      let club = first.create(SyncSampleClub.self, value: ["id": id])
      club.doubles.insert(objectsIn: [nil, 0.1, .nan, -0.0])
      club.data.insert(objectsIn: [Data(), Data([0, 255])])
      club.ids.insert(id)
      club.uuids.insert(objectsIn: [uuid, nil])
      club.floatMap[""] = 0.25
      club.dateMap["date"] = date
      club.dateMap["none"] = .some(nil)
      club.idMap["id"] = id
      club.decimalMap["e\u{301}"] = 1.5
      club.decimalMap["\u{e9}"] = .some(nil)
    }
    try await exchange(first, second)
    let club = try #require(second.objects(SyncSampleClub.self).first)
    let sent = try #require(first.objects(SyncSampleClub.self).first)
    #expect(
      club.doubles.map { "\($0.map { "\($0)" } ?? "-")" }
        == sent.doubles.map { "\($0.map { "\($0)" } ?? "-")" })
    #expect(Set(club.data) == [Data(), Data([0, 255])] && Array(club.ids) == [id])
    #expect(Set(club.uuids) == [uuid, nil])
    #expect(
      club.floatMap[""] == 0.25
    )
    #expect(
      club.dateMap["date"] == date && club.dateMap["none"] == .some(nil) && club.idMap["id"] == id)
    #expect(club.decimalMap.count == 2)
    // Nothing is sent again because it came back otherwise.
    let before = try database.run("select pg_current_snapshot()")
    try await exchange(first, second)
    #expect(
      try database.run(
        "select count(*) from app.\"SyncSampleClub.doubles\" where not pg_visible_in_snapshot(_rx, '\(before)')"
      )
        == "0")
  }
}
