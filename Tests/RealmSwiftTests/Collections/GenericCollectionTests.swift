import Foundation
import RealmSwift
import Testing

/// Code that is generic over collections, as programs write it.
struct GenericCollectionTests {
  private func summary<M: RealmKeyedCollection>(
    _ map: M, _ format: String
  ) -> (Int, Int, Bool) where M.Key == String, M.Value == Walker? {
    let found = map.filter(format)
    #expect(map.filter(NSPredicate(format: format)).count == found.count)
    #expect(map.where { $0.age >= 0 }.count <= map.count)
    #expect(map.sorted(by: [SortDescriptor(keyPath: "age")]).count == map.count)
    let first = map.sorted(byKeyPath: "age", ascending: false).first
    let token = map.observe(keyPaths: nil, on: nil) { (_: RealmMapChange<M>) in }
    token.invalidate()
    return (found.count, first??.age ?? -1, map.contains(where: { key, _ in key == "b" }))
  }

  @MainActor @Test func keyedCollectionsInGenericCode() {
    let storage = ScratchRealm.ofCollections()
    let kennel = Kennel()
    for (name, age) in [("a", 1), ("b", 2)] { kennel.walkerMap[name] = Walker(name, age: age) }
    _ = storage.added(kennel)
    #expect(summary(kennel.walkerMap, "age > 1") == (1, 2, true))
    let pairs: Map<String, Walker?>.KeyValueSequence = kennel.walkerMap.asKeyValueSequence()
    #expect(pairs.map(\.key) == ["a", "b"])
  }

  /// The type of the elements by the name of the collection's requirement.
  private func first<C: RealmCollection>(_ collection: C) -> C.ElementType? { collection.first }

  @Test func typeOfTheElements() {
    let lists = ValueLists()
    lists.ints.append(7)
    let found: List<Int>.ElementType? = first(lists.ints)
    #expect(found == 7)
  }
}
