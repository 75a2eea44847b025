import Foundation
import RealmSwift
import Testing

struct MutableSetTests {
  @Test(arguments: [false, true]) func values(isManaged: Bool) {
    check(\.ints, [3, -1, 2], isManaged)
    check(\.bools, [true, false], isManaged)
    check(\.floats, [1.5, -2, .infinity], isManaged)
    check(\.doubles, [1.5, -2, .infinity], isManaged)
    check(\.strings, ["b", "", "a", "ä"], isManaged)
    check(\.data, [Data([2]), Data(), Data([1, 2])], isManaged)
    check(\.dates, [Date(timeIntervalSince1970: 5), .distantPast], isManaged)
    check(\.objectIds, [ObjectId.generate(), ObjectId.generate()], isManaged)
    check(\.uuids, [UUID(), UUID()], isManaged)
    check(\.decimals, ["2.5", "-1"], isManaged)
    check(\.mixed, [.string("x"), .int(4), .none, .bool(false)], isManaged)
    check(\.moods, [.hungry, .asleep], isManaged)
    check(\.optionalInts, [5, nil, -5], isManaged)
    check(\.optionalStrings, ["x", nil], isManaged)
  }

  private func check<Element: RealmCollectionValue>(
    _ keyPath: KeyPath<ValueSets, MutableSet<Element>>, _ values: [Element], _ isManaged: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let storage = isManaged ? ScratchRealm.ofCollections() : nil
    let (owner, other) = (ValueSets(), ValueSets())
    let (set, right) = (owner[keyPath: keyPath], other[keyPath: keyPath])
    set.insert(values[0])
    _ = storage?.added(owner)
    _ = storage?.added(other)
    var model: Set<Element> = [values[0]]
    func change(_ step: String, _ block: () -> Void) {
      if let storage { storage.write(block) } else { block() }
      #expect(Set(set) == model, "\(step)", sourceLocation: sourceLocation)
      #expect(set.count == model.count, "\(step)", sourceLocation: sourceLocation)
      #expect(Set((0..<set.count).map { set[$0] }) == model, "\(step)", sourceLocation: sourceLocation)
      for value in values {
        #expect(set.contains(value) == model.contains(value), "\(step)", sourceLocation: sourceLocation)
      }
    }
    change("insert") {
      set.insert(values[0])
      set.insert(values[1])
      model.insert(values[1])
    }
    change("insert(objectsIn:)") {
      set.insert(objectsIn: values + values)
      model.formUnion(values)
    }
    change("remove") {
      set.remove(values[0])
      set.remove(values[0])
      model.remove(values[0])
    }
    if let storage { storage.write { right.insert(values[1]) } } else { right.insert(values[1]) }
    #expect(right.isSubset(of: set), sourceLocation: sourceLocation)
    #expect(set.intersects(right), sourceLocation: sourceLocation)
    #expect(set.isSubset(of: right) == (model.count == 1), sourceLocation: sourceLocation)
    change("formIntersection") {
      set.formIntersection(right)
      model = [values[1]]
    }
    change("formUnion") {
      right.insert(values[0])
      set.formUnion(right)
      model = [values[0], values[1]]
    }
    change("subtract") {
      right.remove(values[1])
      set.subtract(right)
      model = [values[1]]
    }
    #expect(!set.intersects(right), sourceLocation: sourceLocation)
    change("removeAll") {
      set.removeAll()
      model = []
    }
  }

  @Test func order() {
    let storage = ScratchRealm.ofCollections()
    let owner = ValueSets()
    owner.ints.insert(objectsIn: [5, 1, 3, 1])
    #expect(Array(owner.ints) == [5, 1, 3])
    _ = storage.added(owner)
    #expect(Array(owner.ints) == [1, 3, 5])
    storage.write { owner.strings.insert(objectsIn: ["b", "a", "ab"]) }
    #expect(Array(owner.strings) == ["a", "ab", "b"])
  }

  @Test(arguments: [false, true]) func mixedNumbersAreOneElement(isManaged: Bool) {
    let owner = ValueSets()
    let storage = isManaged ? ScratchRealm.ofCollections() : nil
    _ = storage?.added(owner)
    func change(_ block: () -> Void) { if let storage { storage.write(block) } else { block() } }
    change {
      owner.mixed.insert(objectsIn: [
        .int(1), .double(1), .float(1), .decimal128("1"), .bool(true), .string("1"),
      ])
      owner.doubles.insert(objectsIn: [.nan, .nan, 1])
    }
    #expect(owner.mixed.count == 3)
    #expect(owner.doubles.count == 2)
    #expect(owner.mixed.contains(.decimal128("1.0")))
    change { owner.mixed.remove(.double(1)) }
    #expect(owner.mixed.count == 2)
  }

  @Test func objects() {
    let storage = ScratchRealm.ofCollections()
    let kennel = Kennel()
    let (a, b) = (Walker("a"), Walker("b"))
    kennel.walkerSet.insert(objectsIn: [a, b, a])
    #expect(kennel.walkerSet.count == 2)
    #expect(!kennel.walkerSet.contains(Walker("a")))
    _ = storage.added(kennel)
    #expect(kennel.walkerSet.count == 2)
    #expect(kennel.walkerSet.contains(a))
    #expect(!kennel.walkerSet.contains(Walker("a")))
    storage.write {
      kennel.walkerSet.insert(a)
      storage.realm.delete(b)
    }
    #expect(kennel.walkerSet.map(\.name).elementsEqual(["a"]))
    let other = storage.added(Kennel())
    storage.write { other.walkerSet = kennel.walkerSet }
    #expect(other.walkerSet.isSubset(of: kennel.walkerSet))
    storage.write {
      kennel.walkerSet.remove(a)
      kennel.walkerSet = kennel.walkerSet
    }
    #expect(kennel.walkerSet.isEmpty)
    #expect(other.walkerSet.count == 1)
  }

  @Test func equalityIgnoresTheOrder() {
    let (a, b) = (MutableSet<Int>(), MutableSet<Int>())
    a.insert(objectsIn: [1, 2])
    b.insert(objectsIn: [2, 1])
    #expect(a == b)
    b.insert(3)
    #expect(a != b)
    let storage = ScratchRealm.ofCollections()
    let owner = storage.added(ValueSets())
    #expect(owner.ints == storage.realm.objects(ValueSets.self)[0].ints)
    #expect(owner.ints != MutableSet<Int>())
  }
}
