import Foundation
import RealmSwift
import Testing

/// Managed lists of plain values have one key only: the values themselves.
struct ValueSortTests {
  @Test func theValuesAreTheKey() {
    let lists = CollectionRealm().added(ValueLists(value: ["ints": [3, 1, 3]]))
    #expect(Array(lists.ints.sorted(byKeyPath: "self")) == [1, 3, 3])
    #expect(Array(lists.ints.distinct(by: ["self"])) == [3, 1])
  }

  @Test func otherKeys() async {
    let text = "Cannot sort on key path 'age': arrays of 'int' can only be sorted on 'self'"
    let sort = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionRealm().added(ValueLists()).ints.sorted(byKeyPath: "age")
    }
    #expect(sort?.message.contains(text) == true)
    let distinct = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionRealm().added(ValueLists()).ints.distinct(by: ["age"])
    }
    #expect(distinct?.message.contains(text) == true)
  }

  @Test func severalKeys() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = CollectionRealm().added(ValueLists()).strings.sorted(by: ["self", "self"])
    }
    #expect(result?.message.contains("Cannot sort array of 'string' on more than one key path") == true)
  }
}
