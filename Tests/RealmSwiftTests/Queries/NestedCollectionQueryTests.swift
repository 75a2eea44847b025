import Foundation
import RealmSwift
import TestSupport
import Testing

/// Sorting the lists and dictionaries within mixed values.
struct NestedCollectionQueryTests {
  let storage = ScratchRealm.ofCollections()

  @Test func lists() throws {
    let owner = storage.added(ValueLists())
    storage.write { owner.any = .fromArray([.string("x"), .int(7), .none, .double(1.5), .int(7)]) }
    let list = try #require(owner.any.listValue)
    let sorted = list.sorted()
    let distinct = list.distinct()
    #expect(Array(sorted) == [.none, .double(1.5), .int(7), .int(7), .string("x")])
    #expect(Array(list.sorted(ascending: false)) == Array(sorted.reversed()))
    #expect(Array(distinct) == [.string("x"), .int(7), .none, .double(1.5)])
    storage.write { list.append(.bool(true)) }
    #expect(Array(sorted) == [.none, .bool(true), .double(1.5), .int(7), .int(7), .string("x")])
    #expect(distinct.count == 5)
    storage.write { owner.any = .int(1) }
    #expect(sorted.isEmpty)
  }

  @Test func dictionaries() throws {
    let owner = storage.added(ValueLists())
    storage.write { owner.any = .fromDictionary(["a": .int(3), "b": .string("x"), "c": .int(-1)]) }
    let map = try #require(owner.any.dictionaryValue)
    let sorted = map.sorted()
    #expect(Array(sorted) == [.int(-1), .int(3), .string("x")])
    storage.write { map["a"] = nil }
    #expect(Array(sorted) == [.int(-1), .string("x")])
  }

  @Test func listsAreNotFiltered() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let owner = storage.added(ValueLists())
      storage.write { owner.any = .fromArray([.int(1)]) }
      _ = owner.any.listValue!.filter("self == 1")
    }
    expectStop(result, saying: "Querying is currently only implemented for arrays of Realm Objects")
  }
}
