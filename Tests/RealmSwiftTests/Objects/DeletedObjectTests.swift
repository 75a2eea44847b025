import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// What can still be asked of objects that were deleted, and of what belonged to them.
@Suite struct DeletedObjectTests {
  final class Home: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var list: List<Int>
    @Persisted var set: MutableSet<Int>
    @Persisted var map: Map<String, Int>
    @Persisted var room: Room?
    @Persisted var rooms: List<Room>
    @Persisted var named: Map<String, Room?>
    @Persisted var next: Home?
    @Persisted(originProperty: "next") var previous: LinkingObjects<Home>
  }

  final class Room: EmbeddedObject {
    @Persisted var size: Int
    @Persisted var things: List<String>
  }

  let file: ScratchRealm
  var realm: Realm { file.realm }

  init() throws { file = try ScratchRealm(opening: [Home.self, Room.self]) }

  private func expectInvalidCollections(_ home: Home) {
    #expect(home.isInvalidated)
    #expect(home.list.isInvalidated && home.set.isInvalidated && home.map.isInvalidated)
    #expect(home.rooms.isInvalidated && home.named.isInvalidated && home.previous.isInvalidated)
  }

  /// Whether they had been read before or not.
  @Test(arguments: [true, false]) func collections(areRead: Bool) throws {
    try realm.write {
      let (home, other) = (realm.create(Home.self, value: [1]), realm.create(Home.self, value: [2]))
      if areRead {
        #expect(home.list.isEmpty && home.set.isEmpty && home.map.isEmpty && home.previous.isEmpty)
      }
      let same = realm.object(ofType: Home.self, forPrimaryKey: 1)!
      realm.delete(home)
      expectInvalidCollections(home)
      expectInvalidCollections(same)
      realm.invalidate()
      expectInvalidCollections(other)
    }
  }

  @Test func collectionsOfDeletedObjectsCanNotBeUsed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = try ScratchRealm(opening: [Home.self, Room.self])
      try file.realm.write {
        let home = file.realm.create(Home.self, value: [1])
        file.realm.delete(home)
        _ = home.map.count
      }
    }
    expectStop(result, saying: "Dictionary is no longer valid.")
  }

  @Test func embeddedObjectsKeepTheirRealm() throws {
    try realm.write {
      let home = realm.create(Home.self, value: ["id": 1, "room": ["size": 1], "rooms": [["size": 2]]])
      let (room, another) = (home.room!, home.rooms[0])
      home.room = Room()
      home.rooms.removeAll()
      #expect(room.isInvalidated && room.realm == realm)
      #expect(another.isInvalidated && another.realm == realm)
      let last = home.room!
      realm.delete(home)
      #expect(last.isInvalidated && last.realm == realm)
      #expect(home.isInvalidated && home.realm == nil)
    }
  }

  @Test func resultsAfterInvalidation() throws {
    try realm.write { for id in 0..<3 { realm.create(Home.self, value: ["id": id, "list": [2, 1]]) } }
    let all = realm.objects(Home.self)
    let some = all.where { $0.id > 0 }
    let sorted = all.sorted(byKeyPath: "id", ascending: false)
    let home = all[0]
    let values = home.list.sorted()
    let sections = all.sectioned(by: \.id)
    #expect(!all.isInvalidated && !values.isInvalidated && !sections.isInvalidated)
    #expect(all.count == 3 && some.count == 2 && sorted[0].id == 2 && values.count == 2)
    realm.invalidate()
    #expect(home.isInvalidated && home.list.isInvalidated)
    #expect(all.isInvalidated && some.isInvalidated && sorted.isInvalidated && values.isInvalidated)
    #expect(AnyRealmCollection(all).isInvalidated && sections.isInvalidated && sections[0].isInvalidated)
    // They are evaluated again.
    #expect(all.count == 3 && some.count == 2 && sorted[0].id == 2 && sections.count == 3)
    #expect(values.isEmpty)
    #expect(!realm.objects(Home.self).isInvalidated)
    try realm.write { realm.create(Home.self, value: [9]) }
    #expect(all.count == 4 && some.count == 3 && sorted[0].id == 9)
  }

  // MARK: Embedded objects that are updated

  @Test func modifiedInPlace() throws {
    try realm.write {
      let home = realm.create(
        Home.self,
        value: [
          "id": 1, "room": ["size": 1, "things": ["bed"]], "rooms": [["size": 2], ["size": 3]],
          "named": ["a": ["size": 4], "b": ["size": 5]],
        ])
      let (room, first, second) = (home.room!, home.rooms[0], home.rooms[1])
      let (a, b) = (home.named["a"]!!, home.named["b"]!!)
      let update = Home(value: [
        "id": 1, "room": ["size": 11, "things": ["bed", "chair"]], "rooms": [["size": 12]],
        "named": ["a": ["size": 14], "c": ["size": 16]],
      ])
      realm.add(update, update: .modified)
      #expect(room.size == 11 && Array(room.things) == ["bed", "chair"] && home.room!.isSameObject(as: room))
      #expect(first.size == 12 && second.isInvalidated && home.rooms.count == 1)
      #expect(a.size == 14 && b.isInvalidated && home.named.keys == ["a", "c"])
      #expect(home.named["c"]??.size == 16)
      #expect(update.room!.isSameObject(as: room) && update.rooms[0].isSameObject(as: first))
      realm.add(
        Home(value: ["id": 1, "rooms": [["size": 21], ["size": 22], ["size": 23]]]), update: .modified)
      #expect(first.size == 21 && home.rooms.map(\.size) == [21, 22, 23])
      // What an object in memory has is what there is to be.
      #expect(home.room == nil && room.isInvalidated && home.named.isEmpty)
      realm.add(Home(value: ["id": 1, "room": ["size": 31]]), update: .modified)
      let newer = home.room!
      realm.add(Home(value: ["id": 1, "room": ["size": 41]]), update: .all)
      #expect(newer.isInvalidated && home.room?.size == 41)
    }
  }

  /// Only what differs counts as changed.
  @Test func whatIsReported() throws {
    let file = ScratchRealm([Home.self, Room.self])
    let queue = DispatchQueue(label: "embedded")
    try queue.sync {
      let realm = try Realm(configuration: file.configuration, queue: queue)
      try realm.write { realm.create(Home.self, value: ["id": 1, "room": ["size": 1, "things": ["bed"]]]) }
      let room = realm.objects(Home.self)[0].room!
      var changes: [String] = []
      let token = room.observe { (change: ObjectChange<Room>) in
        switch change {
        case .change(_, let properties): changes += properties.map(\.name)
        case .deleted: changes.append("deleted")
        case .error: changes.append("error")
        }
      }
      try realm.write {
        realm.add(Home(value: ["id": 1, "room": ["size": 7, "things": ["bed"]]]), update: .modified)
      }
      realm.refresh()
      #expect(changes == ["size"])
      token.invalidate()
    }
  }
}
