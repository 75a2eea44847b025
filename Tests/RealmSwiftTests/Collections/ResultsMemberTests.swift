import Foundation
import RealmSwift
import TestSupport
import Testing

/// Looking for objects among results, and results as they are encoded.
struct ResultsMemberTests {
  @Test func objectsThatAreNotThere() throws {
    let storage = ScratchRealm.ofCollections()
    let other = ScratchRealm.ofCollections()
    let walker = storage.added(Walker("a", age: 1))
    let results = storage.realm.objects(Walker.self)
    #expect(results.index(of: walker) == 0)
    #expect(results.filter("age > 1").index(of: walker) == nil)
    #expect(results.index(of: Walker("a")) == nil)
    #expect(results.index(of: other.added(Walker("a"))) == nil)
  }

  @Test func objectsThatCanNotBe() async {
    let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      let walker = storage.added(Walker("a"))
      storage.write { storage.realm.delete(walker) }
      _ = storage.realm.objects(Walker.self).index(of: walker)
    }
    expectStop(deleted, saying: "Attempting to access an invalid object")
    let car = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let storage = ScratchRealm.ofCollections()
      _ = storage.realm.objects(Vehicle.self).index(of: storage.added(Car()))
    }
    expectStop(car, saying: "Object of type 'Car' does not match Results type 'Vehicle'")
  }

  @Test func operatorsAreNotDistinct() async {
    let operation = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ScratchRealm.ofCollections().realm.objects(Walker.self).distinct(by: ["nicknames.@count"])
    }
    expectStop(
      operation,
      saying: "Cannot distinct on keypath 'nicknames.@count': KVC collection operators are not supported.")
  }

  @Test func resultsAreEncoded() throws {
    let storage = ScratchRealm.ofCollections()
    let lists = storage.added(ValueLists(value: ["ints": [3, 1, 2]]))
    #expect(try JSONEncoder().encode(lists.ints.sorted()) == Data("[1,2,3]".utf8))
    #expect(try JSONEncoder().encode(AnyRealmCollection(lists.ints)) == Data("[3,1,2]".utf8))
  }

  @Test func slices() {
    let storage = ScratchRealm.ofCollections()
    for age in 0..<6 { _ = storage.added(Walker("\(age)", age: age)) }
    let results = storage.realm.objects(Walker.self).sorted(byKeyPath: "age")
    let slice = results[2..<5]
    #expect(slice.startIndex == 2 && slice.count == 3)
    #expect(slice.map(\.name) == ["2", "3", "4"])
    #expect(results.prefix(2).map(\.name) == ["0", "1"] && results.suffix(1).first?.name == "5")
    #expect(results.dropFirst(4).map(\.name) == ["4", "5"])
    #expect(results.objects(at: [1, 4]).map(\.name) == ["1", "4"])
    #expect(AnyRealmCollection(results).objects(at: []).isEmpty)
    #expect(AnyRealmCollection(results)[3...].map(\.name) == ["3", "4", "5"])
  }
}
