import Foundation
import RealmSwift
import Testing

struct CollectionAggregateTests {
  @Test func averagesByKeyPathHaveTheTypeOfTheProperty() {
    let kennel = Kennel()
    for (name, age) in [("a", 1), ("b", 2)] {
      let walker = Walker(name, age: age, weight: Double(age))
      kennel.walkerMap[name] = walker
      kennel.walkers.append(walker)
    }
    let weight = kennel.walkerMap.average(of: \.weight)
    #expect(type(of: weight) == Double?.self && weight == 1.5)
    let ofList = kennel.walkers.average(of: \.weight)
    #expect(type(of: ofList) == Double?.self && ofList == 1.5)
    let age: Double? = kennel.walkerMap.average(of: \.age)
    #expect(age == 1.5)
    let ageInList: Double? = kennel.walkers.average(of: \.age)
    #expect(ageInList == 1.5)
    let largest = kennel.walkerMap.max(of: \.weight)
    #expect(largest == 2)
    let smallest = kennel.walkerMap.min(of: \.weight)
    #expect(smallest == 1)
    let sum = kennel.walkerMap.sum(of: \.weight)
    #expect(sum == 3)
  }

  @Test(arguments: [false, true]) func sumOfNoMixedValuesIsAnInteger(isManaged: Bool) {
    let storage = isManaged ? ScratchRealm.ofCollections() : nil
    let (lists, sets, maps) = (ValueLists(), ValueSets(), ValueMaps())
    if let storage { for object in [lists, sets, maps] { _ = storage.added(object) } }
    #expect(lists.mixed.sum().intValue == 0)
    #expect(sets.mixed.sum().intValue == 0)
    #expect(maps.mixed.sum().intValue == 0)
    if let storage {
      storage.write { storage.realm.delete(lists) }
      #expect(storage.realm.objects(ValueLists.self).sum(of: \.any).intValue == 0)
    }
  }

  @Test(arguments: [false, true]) func values(isManaged: Bool) {
    let storage = isManaged ? ScratchRealm.ofCollections() : nil
    let lists = ValueLists()
    #expect(lists.ints.sum() == 0)
    #expect(lists.ints.min() == nil && lists.ints.max() == nil)
    #expect(lists.ints.average() as Double? == nil)
    lists.ints.append(objectsIn: [3, 1, 2, -4])
    lists.optionalInts.append(objectsIn: [nil, 5, nil, 6])
    lists.doubles.append(objectsIn: [1.5, 2.5])
    lists.floats.append(objectsIn: [1.5, -2])
    lists.decimals.append(objectsIn: ["1.1", "2.2"])
    lists.dates.append(objectsIn: [.distantPast, .distantFuture])
    lists.mixed.append(objectsIn: [.int(1), .string("x"), .double(2.5), .none])
    lists.moods.append(objectsIn: [.hungry, .asleep])
    _ = storage?.added(lists)
    #expect(lists.ints.sum() == 2)
    #expect(lists.ints.min() == -4 && lists.ints.max() == 3)
    #expect(lists.ints.average() == 0.5)
    #expect(lists.optionalInts.sum() == 11)
    #expect(lists.optionalInts.min() == 5)
    #expect(lists.optionalInts.average() == 5.5)
    #expect(lists.doubles.sum() == 4 && lists.doubles.average() == 2.0)
    #expect(lists.floats.sum() == -0.5)
    #expect(lists.decimals.sum() == "3.3" && lists.decimals.max() == "2.2")
    #expect(lists.decimals.average() == Decimal128("1.65"))
    #expect(lists.dates.min() == .distantPast && lists.dates.max() == .distantFuture)
    #expect(lists.mixed.sum() == .decimal128("3.5"))
    #expect(lists.mixed.max() == .string("x"))
    #expect(lists.ints.sum(ofProperty: "self") == 2)
    #expect(lists.ints.sum(ofProperty: "self") == NSNumber(value: 2))
    #expect(lists.ints.max(ofProperty: "self") == 3.0)
  }

  @Test(arguments: [false, true]) func objects(isManaged: Bool) {
    let storage = isManaged ? ScratchRealm.ofCollections() : nil
    let kennel = Kennel()
    #expect(kennel.walkers.sum(of: \.age) == 0)
    #expect(kennel.walkers.min(of: \.age) == nil)
    let walkers = [Walker("a", age: 2, weight: 1.5), Walker("b"), Walker("c", age: 5, weight: 2)]
    walkers[0].born = Date(timeIntervalSince1970: 0)
    walkers[2].balance = "2.5"
    kennel.walkers.append(objectsIn: walkers)
    kennel.walkerSet.insert(objectsIn: walkers)
    for walker in walkers { kennel.walkerMap[walker.name] = walker }
    kennel.walkerMap["none"] = .some(nil)
    _ = storage?.added(kennel)
    #expect(kennel.walkers.sum(ofProperty: "age") == 7)
    #expect(kennel.walkers.min(ofProperty: "age") == 2 && kennel.walkers.max(ofProperty: "age") == 5)
    #expect(kennel.walkers.average(ofProperty: "age") == 3.5)
    #expect(kennel.walkers.sum(of: \.weight) == 3.5)
    #expect(kennel.walkers.max(of: \.born) == Date(timeIntervalSince1970: 0))
    #expect(kennel.walkers.sum(of: \.balance) == "2.5")
    #expect(kennel.walkerSet.sum(of: \.age) == 7)
    #expect(kennel.walkerMap.sum(of: \.age) == 7)
    #expect(kennel.walkerMap.max(ofProperty: "weight") == 2.0)
    #expect(AnyRealmCollection(kennel.walkers).average(ofProperty: "weight") == 3.5 / 3)
  }

  @Test func valuesOfMaps() {
    let map = Map<String, Int?>()
    map["a"] = 1
    map["b"] = 5
    map["c"] = .some(nil)
    #expect(map.sum() == 6 && map.min() == 1 && map.max() == 5)
    #expect(map.average() == 3.0)
  }
}
