import Foundation
import RealmSwift
import Storage
import TestSupport
import Testing

@testable import RealmTool

/// Programs with classes, observers and synchronisation find what Studio writes.
struct OtherProgramsTests {
  private let studio: WritableStudio

  init() throws { studio = try WritableStudio() }

  /// Runs a body as a program does that has the classes of the file.
  private func program<Result>(_ body: (Realm) throws -> Result) throws -> Result {
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: studio.path), schema: .classes(WritableStudio.classes))
    return try body(Realm(configuration: configuration))
  }

  private func set(_ row: Int, _ property: Int, _ value: String) -> String {
    "{\"op\":\"set\",\"class\":\"Person\",\"row\":\(row),\"property\":\(property),\"value\":\(value)}"
  }

  private func deletion(_ row: Int) -> String { "{\"op\":\"delete\",\"class\":\"Person\",\"row\":\(row)}" }

  @Test func indexesAndRulesHoldForPrograms() async throws {
    let people = try await studio.makePeople(3)
    let (person, team) = (
      try await studio.properties(of: "Person"), try await studio.properties(of: "Team")
    )
    let edit =
      set(people[1], person["name"]!, "\"found\"") + "," + set(people[1], person["about"]!, "\"rare words\"")
    let create = """
      {"op":"create","class":"Team","values":[[\(team["id"]!),1],\
      [\(team["members"]!),[{"class":"Person","row":\(people[0])}]]]}
      """
    #expect(try await studio.batch(edit + "," + create).status == 200)
    #expect(try await studio.batch(deletion(people[1])).status == 200)
    func found() throws -> [Int] {
      try program { realm in
        ["name == 'found'", "about TEXT 'rare'", "id == 2"].map {
          realm.dynamicObjects("Person").filter($0).count
        }
      }
    }
    #expect(try found() == [0, 0, 0])
    #expect(try await studio.undo().status == 200)
    #expect(try found() == [1, 1, 1])
    // The rule deletes for the program what Studio has put into the list.
    try program { realm in
      try realm.write { realm.delete(realm.dynamicObject(ofType: "Team", forPrimaryKey: 1)!) }
    }
    #expect(try await studio.count("Person") == 2)
    // Undo restores no object that the program has deleted since.
    #expect(try await studio.undo().status == 409)
    #expect(try await studio.count("Person") == 2)
    #expect(try studio.faults() == "")
  }

  /// Observers and synchronisation read the change log.
  @Test(arguments: [false, true]) func theChangeLogTellsWhatWasWritten(_ isSynced: Bool) async throws {
    let people = try await studio.makePeople(3)
    let numbers = try await studio.properties(of: "Person")
    if isSynced {
      try await studio.session.run { realm in
        try realm.transaction { Writer(realm.realm.storedVersion).markSynced() }
      }
    }
    let (name, friend) = (numbers["name"]!, numbers["friend"]!)
    let link = "{\"class\":\"Person\",\"row\":\(people[1])}"
    try await studio.batch(set(people[0], friend, link))
    let start = try await studio.session.run { $0.realm.storedVersion.version }
    try await studio.batch(set(people[0], name, "\"new\"") + "," + deletion(people[1]))
    #expect(try await studio.undo().status == 200)
    try await studio.session.run { realm in
      let snapshot = realm.realm.storedVersion
      let table = snapshot.catalogue.table(named: "Person")!
      let changes = try #require(snapshot.changes(after: start)?.tables[table])
      #expect(changes.modified[name]?.contains(people[0]) == true)
      #expect(changes.modified[friend]?.contains(people[0]) == true)
      #expect(changes.deleted.contains(people[1]) && changes.insertedRange.count == 1)
      if !isSynced { return }
      let entries = try snapshot.syncEntries(after: start).compactMap { entry in
        entry.tables.first { $0.table == table }.map { (entry.origin, $0) }
      }
      try #require(entries.count == 2)
      #expect(entries.allSatisfy { $0.0 == .user })
      #expect(entries[0].1.written[name]?.contains(people[0]) == true)
      // Deleting the target removes the link without a write to it; undoing writes it.
      #expect(entries[0].1.severed[friend]?.contains(people[0]) == true)
      #expect(entries[0].1.deleted == [DeletedKey(key: .int(2), row: people[1])])
      #expect(entries[1].1.written[friend]?.contains(people[0]) == true)
      #expect(entries[1].1.created.contains(changes.insertedRange.lowerBound))
    }
  }
}
