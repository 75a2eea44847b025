import RealmSwift
import TestSupport
import Testing

/// Embedded objects that own objects, also the one that they are in: what is embedded in an object is no other object, and
/// does not keep it.
@Suite struct EmbeddedOwnerTests {
  private let file = ScratchRealm([RuledWhole.self, RuledOuter.self, RuledInner.self])

  private func whole(_ realm: Realm, _ id: Int) -> RuledWhole? {
    realm.object(ofType: RuledWhole.self, forPrimaryKey: id)
  }

  private func ids(_ realm: Realm) -> [Int] { realm.objects(RuledWhole.self).map(\.id).sorted() }

  /// Puts a part into an object that owns another one, or the same, by a part of its own.
  private func own(_ owned: RuledWhole?, by owner: RuledWhole, _ name: String = "part") {
    owner.parts[name] = RuledOuter()
    let inner = RuledInner()
    owner.parts[name]!!.inner.append(objectsIn: [RuledInner(), inner])
    owner.parts[name]!!.inner[1].owned = owned
  }

  @Test func ownPartsKeepNothing() throws {
    let realm = try file.open()
    try realm.write {
      for id in 1...3 { realm.create(RuledWhole.self, value: ["id": id]) }
      whole(realm, 1)!.others.append(objectsIn: [whole(realm, 2)!, whole(realm, 3)!])
      own(whole(realm, 2), by: whole(realm, 2)!)
      own(whole(realm, 2), by: whole(realm, 3)!)
      own(whole(realm, 3), by: whole(realm, 2)!, "other")
    }
    // By their parts 2 and 3 own each other.
    try realm.write { realm.delete(whole(realm, 1)!) }
    #expect(ids(realm) == [2, 3])
    try realm.write {
      realm.create(
        RuledWhole.self, value: ["id": 4, "others": [["id": 2]]] as [String: Any], update: .modified)
      whole(realm, 3)!.parts.removeAll()
    }
    #expect(ids(realm) == [2, 3, 4])
    // 3 goes with 2, whose part is the only one that owns it.
    try realm.write { realm.delete(whole(realm, 4)!) }
    #expect(ids(realm) == [])
    #expect(try Realm.verify(at: file.url, encryptionKey: ScratchRealm.usualKey).isSound)
  }

  /// A part that is replaced or removed takes what only it owned, whether that has parts that own it or not.
  @Test func removedPartsTakeWhatTheyOwned() throws {
    let realm = try file.open()
    try realm.write {
      for id in 1...4 { realm.create(RuledWhole.self, value: ["id": id]) }
      for id in 2...4 {
        own(whole(realm, id), by: whole(realm, id)!)
        own(whole(realm, id), by: whole(realm, 1)!, "\(id)")
      }
      whole(realm, 1)!.parts["2"] = RuledOuter()
      #expect(ids(realm) == [1, 3, 4])
      whole(realm, 1)!.parts["3"]!!.inner.remove(at: 1)
      #expect(ids(realm) == [1, 4])
      whole(realm, 1)!.parts.removeObject(for: "4")
      #expect(ids(realm) == [1])
    }
    #expect(ids(realm) == [1])
  }

  /// What a part is in stays when the part is replaced, whatever that owned.
  @Test func replacedPartsLeaveTheObjectThatTheyWereIn() throws {
    let realm = try file.open()
    try realm.write {
      let whole = realm.create(RuledWhole.self, value: ["id": 1])
      for isOwning in [true, true, false] {
        own(whole, by: whole)
        whole.parts["part"]!!.owned = isOwning ? whole : nil
      }
      whole.parts["part"]!!.inner.removeAll()
      whole.parts.removeAll()
      #expect(!whole.isInvalidated)
    }
    #expect(ids(realm) == [1])
  }
}
