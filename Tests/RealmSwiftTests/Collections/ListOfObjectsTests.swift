import Foundation
import RealmSwift
import Testing

struct ListOfObjectsTests {
  @Test func objectsInMemoryAreAdded() {
    let storage = ScratchRealm.ofCollections()
    let kennel = Kennel()
    let wolfie = Walker("Wolfie", age: 3)
    kennel.walkers.append(wolfie)
    #expect(kennel.walkers[0] === wolfie)
    _ = storage.added(kennel)
    #expect(wolfie.realm == storage.realm)
    #expect(kennel.walkers.count == 1)
    #expect(kennel.walkers[0].isSameObject(as: wolfie))
    storage.write { kennel.walkers.append(objectsIn: [Walker("Rex"), wolfie]) }
    #expect(kennel.walkers.map(\.name).elementsEqual(["Wolfie", "Rex", "Wolfie"]))
    #expect(storage.realm.objects(Walker.self).count == 2)
    #expect(kennel.walkers.index(of: wolfie) == 0)
    #expect(kennel.walkers.index(of: Walker("Wolfie")) == nil)
    #expect(kennel.walkers.contains(wolfie))
  }

  @Test func deletedObjectsLeaveTheList() {
    let storage = ScratchRealm.ofCollections()
    let kennel = storage.added(Kennel())
    let (a, b) = (Walker("a"), Walker("b"))
    storage.write { kennel.walkers.append(objectsIn: [a, b, a, a]) }
    storage.write { storage.realm.delete(a) }
    #expect(kennel.walkers.map(\.name).elementsEqual(["b"]))
    #expect(a.isInvalidated)
    storage.write { storage.realm.delete(kennel.walkers) }
    #expect(kennel.walkers.isEmpty)
    #expect(storage.realm.objects(Walker.self).isEmpty)
  }

  @Test func removingAllKeepsTheObjects() {
    let storage = ScratchRealm.ofCollections()
    let kennel = storage.added(Kennel())
    storage.write {
      kennel.walkers.append(objectsIn: [Walker("a"), Walker("b")])
      kennel.walkers.removeAll()
    }
    #expect(storage.realm.objects(Walker.self).count == 2)
  }

  @Test func cyclesAreAddedOnce() {
    let storage = ScratchRealm.ofCollections()
    let (a, b) = (Walker("a"), Walker("b"))
    a.friend = b
    b.friend = a
    let kennel = Kennel()
    kennel.walkers.append(objectsIn: [a, b, a])
    _ = storage.added(kennel)
    #expect(storage.realm.objects(Walker.self).count == 2)
    #expect(kennel.walkers[2].friend?.name == "b")
  }

  @Test func embeddedObjectsDieWithTheirPlace() {
    let storage = ScratchRealm.ofCollections()
    let kennel = Kennel()
    kennel.collars.append(Collar("red"))
    _ = storage.added(kennel)
    let red = kennel.collars[0]
    storage.write {
      kennel.collars.append(objectsIn: [Collar("green"), Collar("blue")])
      kennel.collars[0] = Collar("black")
    }
    #expect(red.isInvalidated)
    #expect(kennel.collars.map(\.colour).elementsEqual(["black", "green", "blue"]))
    let green = kennel.collars[1]
    storage.write { kennel.collars.remove(at: 1) }
    #expect(green.isInvalidated)
    storage.write { kennel.collars.swapAt(0, 1) }
    #expect(kennel.collars.map(\.colour).elementsEqual(["blue", "black"]))
    let other = List<Collar>()
    other.append(Collar("white"))
    let blue = kennel.collars[0]
    storage.write { kennel.collars = other }
    #expect(blue.isInvalidated)
    #expect(kennel.collars.map(\.colour).elementsEqual(["white"]))
    storage.write { storage.realm.delete(kennel.collars) }
    #expect(kennel.collars.isEmpty)
  }

  @Test func deletedParent() {
    let storage = ScratchRealm.ofCollections()
    let kennel = storage.added(Kennel())
    let walkers = kennel.walkers
    #expect(!walkers.isInvalidated)
    storage.write { storage.realm.delete(kennel) }
    #expect(walkers.isInvalidated)
    #expect(!List<Int>().isInvalidated)
  }

  @Test func cancelledWrite() {
    let storage = ScratchRealm.ofCollections()
    let kennel = storage.added(Kennel())
    storage.write { kennel.walkers.append(Walker("a")) }
    storage.realm.beginWrite()
    kennel.walkers.append(Walker("b"))
    kennel.walkers.remove(at: 0)
    storage.realm.cancelWrite()
    #expect(kennel.walkers.map(\.name).elementsEqual(["a"]))
  }

  @Test func upsertReplacesCollections() {
    let storage = ScratchRealm.ofCollections()
    let first = Walker("a")
    first.nicknames.append(objectsIn: ["x", "y"])
    _ = storage.added(first)
    for policy in [Realm.UpdatePolicy.all, .modified] {
      let second = Walker("a")
      second.nicknames.append(objectsIn: ["y", "z"])
      storage.write { storage.realm.add(second, update: policy) }
      #expect(Array(first.nicknames) == ["y", "z"])
      storage.write { storage.realm.add(Walker("a"), update: policy) }
      #expect(first.nicknames.isEmpty)
    }
  }
}

struct CollectionIterationTests {
  @Test func oneAccessorUnlessItIsKept() {
    let storage = ScratchRealm.ofCollections()
    let owners = storage.added(Kennel())
    storage.write { owners.walkers.append(objectsIn: (0..<2000).map { Walker(String($0), age: $0) }) }
    var kept: [Walker] = []
    for walker in owners.walkers { kept.append(walker) }
    #expect(kept.enumerated().allSatisfy { $0.element.age == $0.offset })
    var last: Walker?
    for (position, walker) in owners.walkers.enumerated() {
      #expect(walker.age == position)
      if position % 7 == 0 { last = walker }
      if let last { #expect(last.age! == position / 7 * 7) }
    }
    #expect(owners.walkers.map { $0.age! }.elementsEqual(0..<2000))
  }

  @Test func accessorsWithCollectionsAreNotMixedUp() {
    let storage = ScratchRealm.ofCollections()
    let names = (0..<50).map { "name \($0)" }
    storage.write {
      for (position, name) in names.enumerated() {
        let owner = ValueLists()
        owner.strings.append(name)
        owner.ints.append(objectsIn: 0..<position)
        storage.realm.add(owner)
      }
    }
    var lists: [List<String>] = []
    for (position, owner) in storage.realm.objects(ValueLists.self).enumerated() {
      #expect(owner.ints.count == position)
      lists.append(owner.strings)
    }
    #expect(lists.map { $0[0] } == names)
  }

  @Test(arguments: [false, true]) func changesDuringTheWalk(beginsInWrite: Bool) {
    let storage = ScratchRealm.ofCollections()
    let kennel = storage.added(Kennel())
    storage.write { kennel.walkers.append(objectsIn: (0..<10).map { Walker(String($0), age: $0) }) }
    var visited: [Int] = []
    func walk() {
      for walker in kennel.walkers {
        #expect(!walker.isInvalidated)
        visited.append(walker.age!)
        let change = { kennel.walkers.remove(at: 0) }
        if beginsInWrite { change() } else { storage.write(change) }
      }
    }
    if beginsInWrite { storage.write(walk) } else { walk() }
    #expect(visited == Array(0..<10))
    #expect(kennel.walkers.isEmpty)
  }

  @Test(arguments: [false, true]) func deletionsDuringTheWalk(beginsInWrite: Bool) {
    let storage = ScratchRealm.ofCollections()
    let kennel = storage.added(Kennel())
    storage.write { kennel.walkers.append(objectsIn: (0..<4).map { Walker(String($0), age: $0) }) }
    var invalidated: [Bool] = []
    func walk() {
      for walker in kennel.walkers {
        invalidated.append(walker.isInvalidated)
        if invalidated.count == 1 {
          let third = kennel.walkers[2]
          let change = { storage.realm.delete(third) }
          if beginsInWrite { change() } else { storage.write(change) }
        }
      }
    }
    if beginsInWrite { storage.write(walk) } else { walk() }
    #expect(invalidated == [false, false, true, false])
  }

  @Test(arguments: [false, true]) func valuesChangingDuringTheWalk(beginsInWrite: Bool) {
    let storage = ScratchRealm.ofCollections()
    let owner = storage.added(ValueLists())
    storage.write { owner.strings.append(objectsIn: (0..<2500).map { "\($0)" }) }
    var visited: [String] = []
    func walk() {
      for string in owner.strings {
        visited.append(string)
        if visited.count == 5 {
          let change = { owner.strings.removeAll() }
          if beginsInWrite { change() } else { storage.write(change) }
        }
      }
    }
    if beginsInWrite { storage.write(walk) } else { walk() }
    #expect(visited == (0..<2500).map { "\($0)" })
  }
}
