import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// `@Persisted(onDelete: …)`, one by one; all kinds of links are in `RandomDeletionTests`.
@Suite struct DeleteRuleTests {
  static let classes: [ObjectBase.Type] = [RuledOwner.self, RuledThing.self, RuledMaker.self]
  let file = ScratchRealm(classes)

  private func names(_ realm: Realm) -> [String] { realm.objects(RuledThing.self).map(\.name).sorted() }

  private func owner(_ realm: Realm, _ id: Int, _ things: [String]) -> RuledOwner {
    let owner = realm.create(RuledOwner.self, value: ["id": id])
    owner.things.append(objectsIn: things.map { RuledThing($0) })
    return owner
  }

  @Test func theTargetsGoWithTheOwner() throws {
    let realm = try file.open()
    try realm.write {
      let owner = owner(realm, 1, ["a", "b"])
      _ = self.owner(realm, 2, ["c"])
      let thing = owner.things[0]
      realm.delete(owner)
      #expect(thing.isInvalidated && names(realm) == ["c"])
    }
    #expect(names(realm) == ["c"])
  }

  /// Only deleting the owner deletes.
  @Test func leavingAListDeletesNothing() throws {
    let realm = try file.open()
    try realm.write {
      let owner = owner(realm, 1, ["a", "b", "c"])
      owner.things.remove(at: 0)
      owner.things = List()
      owner.shared = RuledThing("d")
      owner.shared = nil
      realm.create(
        RuledOwner.self, value: ["id": 1, "things": [["name": "e"]]] as [String: Any], update: .all)
    }
    #expect(names(realm) == ["a", "b", "c", "d", "e"])
  }

  @Test func sharedOnesStayUntilTheLast() throws {
    let realm = try file.open()
    try realm.write {
      let shared = realm.create(RuledThing.self, value: ["name": "shared"])
      for id in 1...3 { realm.create(RuledOwner.self, value: ["id": id, "shared": shared] as [String: Any]) }
      realm.delete(realm.object(ofType: RuledOwner.self, forPrimaryKey: 1)!)
      #expect(names(realm) == ["shared"])
    }
    try realm.write { realm.delete(realm.object(ofType: RuledOwner.self, forPrimaryKey: 2)!) }
    #expect(names(realm) == ["shared"])
    try realm.write { realm.delete(realm.object(ofType: RuledOwner.self, forPrimaryKey: 3)!) }
    #expect(names(realm) == [])
  }

  /// The last owners go together, or a certain owner of another property holds it.
  @Test func sharedOnesGoWithAllTheirOwners() throws {
    let realm = try file.open()
    try realm.write {
      let shared = realm.create(RuledThing.self, value: ["name": "shared"])
      for id in 1...300 {
        realm.create(RuledOwner.self, value: ["id": id, "shared": shared] as [String: Any])
      }
      let list = owner(realm, 1_000, [])
      list.things.append(shared)
      realm.delete(realm.objects(RuledOwner.self).where { $0.id < 200 })
      #expect(names(realm) == ["shared"])
      realm.delete(realm.objects(RuledOwner.self).where { $0.id < 1_000 })
      #expect(names(realm) == ["shared"])
      realm.delete(list)
      #expect(names(realm) == [])
    }
  }

  @Test func circles() throws {
    let file = ScratchRealm([RuledNode.self, RuledPart.self])
    let realm = try file.open()
    try realm.write {
      let nodes = (0..<10).map { realm.create(RuledNode.self, value: ["id": $0]) }
      for number in 0..<9 { nodes[number].one1 = nodes[(number + 1) % 9] }
      nodes[3].list1.append(nodes[3])
      nodes[9].one1 = nodes[9]
      realm.delete(nodes[5])
      #expect(realm.objects(RuledNode.self).map(\.id) == [9])
      realm.delete(nodes[9])
      #expect(realm.isEmpty)
      // Those that own each other keep each other, also when the last owner from outside goes.
      let owned = (0..<3).map { realm.create(RuledNode.self, value: ["id": $0]) }
      owned[0].one2 = owned[1]
      owned[1].one2 = owned[2]
      owned[2].one2 = owned[1]
      realm.delete(owned[0])
      #expect(realm.objects(RuledNode.self).map(\.id).sorted() == [1, 2])
      // One that owns itself has no other owner.
      realm.delete(owned[1])
      #expect(realm.isEmpty)
      let outer = realm.create(RuledNode.self, value: ["id": 1])
      outer.one2 = realm.create(RuledNode.self, value: ["id": 2])
      outer.one2?.one2 = outer.one2
      realm.delete(outer)
      #expect(realm.isEmpty)
    }
  }

  /// On a stack of 256 KB.
  @Test(arguments: [1, 2, 4]) func longChains(rule: Int) throws {
    let file = ScratchRealm([RuledNode.self, RuledPart.self])
    let count = TestLength.count(20_000, long: 1_000_000)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      let realm = try! file.open()
      try! realm.write {
        var last = realm.create(RuledNode.self, value: ["id": 0])
        for id in 1..<count {
          let next = realm.create(RuledNode.self, value: ["id": id])
          switch rule {
          case 1: last.one1 = next
          case 2: last.list2.append(next)
          default: last.one0 = next
          }
          last = next
        }
      }
      try! realm.write {
        realm.delete(realm.object(ofType: RuledNode.self, forPrimaryKey: 0)!, cascading: rule == 4)
      }
      #expect(realm.isEmpty)
      done.signal()
    }
    thread.stackSize = 256 * 1024
    thread.start()
    done.wait()
  }

  @Test func cascadingForOnce() throws {
    let realm = try file.open()
    try realm.write {
      let maker = realm.create(RuledMaker.self, value: ["name": "m"])
      let owners = (0..<3).map { owner(realm, $0, ["a\($0)", "b\($0)"]) }
      owners[0].things[0].maker = maker
      realm.delete(owners[0], cascading: true)
      #expect(maker.isInvalidated && names(realm) == ["a1", "a2", "b1", "b2"])
      let kept = realm.create(RuledThing.self, value: ["name": "kept"])
      owners[1].shared = kept
      owners[2].shared = kept
      realm.delete(owners[1], cascading: true)
      #expect(names(realm) == ["a2", "b2", "kept"])
      realm.delete([owners[2]], cascading: true)
      #expect(realm.isEmpty)
    }
  }

  @Test func everyWayOfDeleting() throws {
    let realm = try file.open()
    func make() -> [RuledOwner] { (0..<4).map { owner(realm, $0, ["a\($0)"]) } }
    try realm.write {
      realm.delete(make())
      #expect(realm.isEmpty)
      _ = make()
      realm.delete(realm.objects(RuledOwner.self))
      #expect(realm.isEmpty)
      _ = make()
      realm.delete(realm.dynamicObjects("RuledOwner")[0])
      #expect(names(realm).count == 3)
      realm.deleteAll()
      #expect(realm.isEmpty)
      // A realm that does not have the class of the targets deletes them all the same.
      _ = make()
    }
    try autoreleasepool {
      var configuration = file.configuration
      configuration.objectTypes = [RuledMaker.self]
      let other = try Realm(configuration: configuration)
      try other.write { other.delete(other.dynamicObjects("RuledOwner")) }
    }
    realm.refresh()
    #expect(realm.isEmpty)
  }

  /// What the embedded object in its place owns as well stays, as in an upsert of the same.
  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func embeddedObjectsThatAreReplacedByEqualOnes(_ policy: Realm.UpdatePolicy) throws {
    let file = ScratchRealm([RuledNode.self, RuledPart.self])
    let realm = try file.open()
    func ids() -> [Int] { realm.objects(RuledNode.self).map(\.id).sorted() }
    func upsert(_ parts: [Int]) {
      realm.create(
        RuledNode.self,
        value: ["id": 1, "part": ["one1": ["id": 2]], "parts": parts.map { ["list1": [["id": $0]]] }]
          as [String: Any], update: policy)
    }
    try realm.write {
      upsert([3, 4])
      upsert([3, 4])
      upsert([4, 3])
      #expect(ids() == [1, 2, 3, 4])
      let node = realm.object(ofType: RuledNode.self, forPrimaryKey: 1)!
      node.part = RuledPart(value: ["one1": node.part!.one1!])
      node.parts.replaceSubrange(0..<1, with: [RuledPart(value: ["list1": Array(node.parts[0].list1)])])
      #expect(ids() == [1, 2, 3, 4])
      let copy = RuledNode(1)
      copy.part = RuledPart(value: ["one1": node.part!.one1!])
      realm.add(copy, update: policy)
      #expect(ids() == [1, 2])
      realm.delete(node)
      #expect(ids() == [])
    }
  }

  /// Embedded objects that are replaced take what they own with them, in the end even the object that they are in, which
  /// has been written whole by then.
  @Test func embeddedObjectsThatAreReplaced() throws {
    let file = ScratchRealm([RuledNode.self, RuledPart.self])
    let realm = try file.open()
    func make() -> RuledNode {
      realm.create(
        RuledNode.self,
        value: [
          "id": 1, "part": ["one1": ["id": 2]],
          "parts": [["one1": ["id": 3]], ["list1": [["id": 4], ["id": 5]]]],
        ] as [String: Any], update: .all)
    }
    func ids() -> [Int] { realm.objects(RuledNode.self).map(\.id).sorted() }
    try realm.write {
      let node = make()
      #expect(ids() == [1, 2, 3, 4, 5])
      node.part = RuledPart()
      #expect(ids() == [1, 3, 4, 5])
      node.parts.removeLast()
      #expect(ids() == [1, 3])
      realm.create(RuledNode.self, value: ["id": 1, "parts": []] as [String: Any], update: .modified)
      #expect(ids() == [1])
      realm.delete(node)
    }
    let ways: [(RuledNode) -> Void] = [
      { $0.parts = List() },
      { node in
        node.parts = List()
        #expect(node.isInvalidated)
      },
      { node in
        let parts = List<RuledPart>()
        parts.append(RuledPart())
        node.parts = parts
      },
      { $0.parts.replaceSubrange(0..<1, with: [RuledPart(), RuledPart()]) },
      { $0.part = RuledPart() },
      { _ in realm.create(RuledNode.self, value: ["id": 1, "parts": [[:]]] as [String: Any], update: .all) },
      { _ in realm.add(RuledNode(1), update: .all) },
      { $0["parts"] = [["one0": NSNull()]] },
    ]
    for way in ways {
      try realm.write {
        let node = make()
        // In a circle back to the object.
        node.part!.one1!.one1 = node
        node.parts[0].one1!.one1 = node
        way(node)
        #expect(node.isInvalidated)
        #expect(ids().isEmpty && realm.objects(RuledNode.self).isEmpty)
      }
      #expect(try Realm.verify(at: file.url, encryptionKey: ScratchRealm.usualKey).isSound)
    }
  }

  // MARK: Who sees it

  /// Observers of all classes are told of everything that went with the owner.
  @Test func observersAreTold() throws {
    let queue = DispatchQueue(label: "observer")
    try queue.sync {
      let realm = try Realm(configuration: file.configuration, queue: queue)
      try realm.write { for id in 1...3 { _ = owner(realm, id, ["a\(id)", "b\(id)"]) } }
      let owners = CollectionLog.observe(realm.objects(RuledOwner.self))
      let things = CollectionLog.observe(realm.objects(RuledThing.self))
      let list = CollectionLog.observe(realm.objects(RuledOwner.self)[2].things)
      var isDeleted = false
      let token = realm.objects(RuledThing.self)[2].observe { if case .deleted = $0 { isDeleted = true } }
      realm.refresh()
      for log in [owners, things, list] { _ = log.take() }
      try onOtherThread { [file] in
        let other = try file.open()
        try other.write { other.delete(other.object(ofType: RuledOwner.self, forPrimaryKey: 2)!) }
      }
      realm.refresh()
      #expect(owners.take() == [.update(deletions: [1], insertions: [], modifications: [])])
      #expect(things.take() == [.update(deletions: [2, 3], insertions: [], modifications: [])])
      #expect(list.take() == [] && isDeleted)
      // Nothing is told of what was denied.
      try realm.write { realm.objects(RuledThing.self)[0].maker = RuledMaker(value: ["name": "m"]) }
      realm.refresh()
      for log in [owners, things] { _ = log.take() }
      #expect(throws: Realm.Error.self) { try realm.write { realm.delete(realm.objects(RuledMaker.self)) } }
      realm.refresh()
      #expect(things.take() == [] && owners.take() == [])
      withExtendedLifetime(token) {}
    }
  }

  @Test func frozenRealmsKeepAll() throws {
    let realm = try file.open()
    try realm.write { _ = owner(realm, 1, ["a", "b"]) }
    let frozen = realm.freeze()
    try realm.write { realm.delete(realm.objects(RuledOwner.self)) }
    #expect(frozen.objects(RuledOwner.self)[0].things.map(\.name) == ["a", "b"])
    #expect(realm.isEmpty)
  }
}
