import Foundation
import RealmSwift
import TestSupport
import Testing

/// Managed lists of plain values have one key only: the values themselves.
struct ValueSortTests {
  @Test func theValuesAreTheKey() {
    let lists = ScratchRealm.ofCollections().added(ValueLists(value: ["ints": [3, 1, 3]]))
    #expect(Array(lists.ints.sorted(byKeyPath: "self")) == [1, 3, 3])
    #expect(Array(lists.ints.distinct(by: ["self"])) == [3, 1])
  }

  @Test func otherKeys() async {
    let text = "Cannot sort on key path 'age': arrays of 'int' can only be sorted on 'self'"
    let sort = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ScratchRealm.ofCollections().added(ValueLists()).ints.sorted(byKeyPath: "age")
    }
    expectStop(sort, saying: text)
    let distinct = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ScratchRealm.ofCollections().added(ValueLists()).ints.distinct(by: ["age"])
    }
    expectStop(distinct, saying: text)
  }

  @Test func severalKeys() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ScratchRealm.ofCollections().added(ValueLists()).strings.sorted(by: ["self", "self"])
    }
    expectStop(result, saying: "Cannot sort array of 'string' on more than one key path")
  }
}
