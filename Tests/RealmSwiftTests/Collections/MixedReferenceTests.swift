import Dispatch
import Foundation
import RealmSwift
import TestSupport
import Testing

/// References to lists and dictionaries inside mixed values follow their element when others before it come, go or move, and
/// become invalid when it goes.
struct MixedReferenceTests {
  private let storage = ScratchRealm.ofCollections()

  private func item(_ number: Int) -> AnyRealmValue { .fromDictionary(["name": .string("item \(number)")]) }

  private func names(_ list: some Sequence<AnyRealmValue>) -> [String] {
    list.map { $0.dictionaryValue!["name"]!.stringValue! }
  }

  private func lists(_ count: Int) -> List<AnyRealmValue> {
    let owner = storage.added(ValueLists())
    storage.write { owner.mixed.append(objectsIn: (1...count).map(item)) }
    return owner.mixed
  }

  @Test func theIndexOfACollectionIsThatOfAnEqualOne() {
    let list = lists(3)
    #expect(list.index(of: list[2]) == 2)
    #expect(list.index(of: item(2)) == 1)
    #expect(list.index(of: item(9)) == nil)
    #expect(list.index(of: .fromArray([])) == nil)
  }

  @Test func writingThroughAReferenceReachesItsOwnElement() {
    let list = lists(4)
    let second = list[1].dictionaryValue!
    storage.write { list.remove(at: 0) }
    storage.write { second["name"] = .string("renamed") }
    #expect(names(list) == ["renamed", "item 3", "item 4"])
    storage.write {
      list.move(from: 0, to: 2)
      list.insert(item(5), at: 0)
      list.swapAt(0, 3)
    }
    #expect(names(list) == ["renamed", "item 3", "item 4", "item 5"])
    storage.write { second["name"] = .string("again") }
    #expect(names(list) == ["again", "item 3", "item 4", "item 5"])
    storage.write { list.remove(at: 0) }
    #expect(second.isInvalidated)
    #expect(names(list) == ["item 3", "item 4", "item 5"])
  }

  @Test func referencesInLongListsFollowOverSegments() {
    let list = lists(2_500)
    let numbers = [0, 1, 500, 959, 960, 1_919, 1_920, 2_499]
    let references = numbers.map { list[$0].dictionaryValue! }
    func names() -> [String] { references.map { $0["name"]!.stringValue! } }
    let expected = numbers.map { "item \($0 + 1)" }
    storage.write { list.insert(contentsOf: (0..<1_000).map { _ in .int(0) }, at: 0) }
    #expect(names() == expected)
    storage.write { list.removeSubrange(0..<970) }
    #expect(names() == expected)
    storage.write { list.move(from: 2_529, to: 0) }
    #expect(names() == expected)
    #expect(list[0].dictionaryValue == references.last)
  }

  @Test func changesOfAnotherThreadAreFollowed() throws {
    let list = lists(3)
    let second = list[1].dictionaryValue!
    let configuration = storage.configuration
    try onOtherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.objects(ValueLists.self)[0].mixed.remove(at: 0) }
    }
    storage.realm.refresh()
    storage.write { second["name"] = .string("renamed") }
    #expect(names(list) == ["renamed", "item 3"])
  }

  @Test func cancelledChangesAreFollowed() {
    let list = lists(3)
    let second = list[1].dictionaryValue!
    storage.realm.beginWrite()
    list.insert(item(9), at: 0)
    let new = list[0].dictionaryValue!
    let first = list[1].dictionaryValue!
    list.remove(at: 2)
    #expect(second.isInvalidated)
    storage.realm.cancelWrite()
    #expect(new.isInvalidated)
    #expect(!second.isInvalidated && second["name"] == .string("item 2"))
    #expect(first["name"] == .string("item 1"))
    storage.write { list.insert(item(8), at: 0) }
    // What was cancelled does not come back as what was inserted since.
    #expect(new.isInvalidated)
  }

  @Test func frozenAndThawedReferencesFollow() throws {
    let list = lists(3)
    let second = list[1].dictionaryValue!
    let frozen = second.freeze()
    let reference = ThreadSafeReference(to: second)
    storage.write { list.move(from: 1, to: 0) }
    #expect(frozen["name"] == .string("item 2"))
    #expect(frozen.thaw() == second)
    #expect(second.freeze()["name"] == .string("item 2"))
    let configuration = storage.configuration
    let name = try onOtherThread {
      try Realm(configuration: configuration).resolve(reference)?["name"]?.stringValue
    }
    #expect(name == "item 2")
    storage.write { list.remove(at: 0) }
    #expect(frozen.thaw() == nil)
  }

  @Test func overwritingInvalidatesAlsoWithAnEqualValue() {
    let owner = storage.added(ValueLists())
    let maps = storage.added(ValueMaps())
    storage.write {
      owner.any = .fromArray([item(1), item(2)])
      owner.mixed.append(item(1))
      maps.mixed["a"] = item(1)
    }
    let any = owner.any.listValue!
    let deep = any[1].dictionaryValue!
    let element = owner.mixed[0].dictionaryValue!
    let entry = maps.mixed["a"]!.dictionaryValue!
    storage.write {
      // Each is what it was.
      owner.any = .list(any)
      any[1] = .dictionary(deep)
      owner.mixed[0] = owner.mixed[0]
      maps.mixed["a"] = .dictionary(entry)
    }
    #expect(
      [any.isInvalidated, deep.isInvalidated, element.isInvalidated, entry.isInvalidated] == [
        false, false, false, false,
      ])
    storage.write {
      owner.any = .fromArray([item(1), item(2)])
      owner.mixed[0] = item(1)
      maps.mixed["a"] = item(1)
    }
    #expect(
      [any.isInvalidated, deep.isInvalidated, element.isInvalidated, entry.isInvalidated] == [
        true, true, true, true,
      ])
    #expect(owner.any.listValue != any && owner.mixed[0].dictionaryValue != element)
  }

  @Test func copiesAreNotTheirOriginals() {
    let list = lists(3)
    let second = list[1].dictionaryValue!
    storage.write { list[0] = list[1] }
    storage.write { second["name"] = .string("renamed") }
    #expect(names(list) == ["item 2", "renamed", "item 3"])
    storage.write { list.remove(at: 1) }
    #expect(second.isInvalidated)
  }

  @Test func deletingALinkedObjectKeepsIdentities() {
    let owner = storage.added(ValueLists())
    let maps = storage.added(ValueMaps())
    let walker = storage.added(Walker("Ada"))
    let value = AnyRealmValue.fromArray([.object(walker), .fromDictionary(["walker": .object(walker)])])
    storage.write {
      owner.any = value
      owner.mixed.append(value)
      maps.mixed["a"] = value
    }
    let lists = [owner.any.listValue!, owner.mixed[0].listValue!, maps.mixed["a"]!.listValue!]
    let inner = lists.map { $0[1].dictionaryValue! }
    storage.write { storage.realm.delete(walker) }
    for (list, inner) in zip(lists, inner) {
      #expect(list[0] == .none && inner["walker"] == AnyRealmValue.none)
    }
  }

  @Test func observersFollowTheirCollection() throws {
    let file = ScratchRealm([ValueLists.self])
    let queue = DispatchQueue(label: "observer")
    try queue.sync {
      let realm = try Realm(configuration: file.configuration, queue: queue)
      let owner = try realm.write { realm.create(ValueLists.self) }
      try realm.write { owner.mixed.append(objectsIn: (1...3).map(item)) }
      let second = owner.mixed[1].dictionaryValue!
      var seen: [[String]] = []
      let token = second.observe { change in
        if case .update(_, let deletions, let insertions, let modifications) = change {
          seen.append(deletions + insertions + modifications)
        }
      }
      realm.refresh()
      func change(_ body: @escaping @Sendable (List<AnyRealmValue>) -> Void) throws {
        try onOtherThread {
          let realm = try file.open()
          try realm.write { body(realm.objects(ValueLists.self)[0].mixed) }
        }
        realm.refresh()
      }
      try change { $0.remove(at: 0) }
      try change { $0[0].dictionaryValue!["name"] = .string("renamed") }
      try change { $0[1].dictionaryValue!["other"] = .int(1) }
      try change { $0.swapAt(0, 1) }
      try change { $0[1].dictionaryValue!["more"] = .int(1) }
      try change { $0.remove(at: 1) }
      #expect(seen == [["name"], ["more"], ["more", "name"]])
      #expect(second.isInvalidated)
      token.invalidate()
    }
  }

  @Test func identitiesDoNotCount() {
    let owner = storage.added(ValueLists())
    let other = storage.added(ValueLists())
    let value = AnyRealmValue.fromArray([item(1), .fromArray([.int(2)])])
    storage.write {
      for owner in [owner, other] {
        owner.any = value
        owner.mixed.append(objectsIn: [value, value])
      }
    }
    let all = storage.realm.objects(ValueLists.self)
    #expect(all.where { $0.any == value }.count == 2)
    #expect(
      all.filter("any IN %@", [value, .int(1), .int(2), .int(3), .int(4)] as [AnyRealmValue]).count == 2)
    #expect(all.distinct(by: ["any"]).count == 1)
    #expect(owner.mixed.distinct().count == 1)
    #expect(owner.mixed.index(of: value) == 0)
    #expect(owner.mixed[0] == owner.mixed[0] && owner.mixed[0] != owner.mixed[1])
  }
}

/// What using a list or dictionary says that is no longer in a mixed value.
struct LostMixedReferenceTests {
  @Test func aGoneCollectionStopsTheProgramWhenItIsUsed() async {
    let reading = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let owner = storage.added(ValueLists())
      storage.write { owner.mixed.append(objectsIn: [.fromArray([]), .fromArray([])]) }
      let first = owner.mixed[0].listValue!
      storage.write { owner.mixed.remove(at: 0) }
      _ = first.count
    }
    expectStop(reading, saying: "List is no longer valid.")
    let writing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let maps = storage.added(ValueMaps())
      storage.write { maps.mixed["a"] = .fromDictionary([:]) }
      let map = maps.mixed["a"]!.dictionaryValue!
      storage.write {
        maps.mixed["a"] = .fromDictionary([:])
        map["b"] = .int(1)
      }
    }
    expectStop(writing, saying: "Dictionary is no longer valid.")
  }
}
