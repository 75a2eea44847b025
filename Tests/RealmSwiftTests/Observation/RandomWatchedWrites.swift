import RealmSwift
import TestSupport

/// Random changes to the watched classes.
struct RandomWatchedWrites {
  private var random: SeededGenerator
  private var nextID = 0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  /// How many changes the next transaction makes.
  var count: Int {
    mutating get { below(6) == 0 ? 12 : 1 + below(3) }
  }

  private mutating func any<C: RealmCollection>(_ collection: C) -> C.Element? {
    collection.isEmpty ? nil : collection[below(collection.count)]
  }

  mutating func change(_ realm: Realm) {
    let dogs = realm.objects(WatchedDog.self)
    let keepers = realm.objects(WatchedKeeper.self)
    let toys = realm.objects(WatchedToy.self)
    switch below(12) {
    case 0:
      nextID += 1
      let dog = WatchedDog(value: ["id": nextID, "name": "d\(below(20))", "age": below(12)])
      if below(2) == 0 { dog.toy = any(toys) }
      realm.add(dog)
      if below(2) == 0 { any(keepers)?.dogs.append(dog) }
    case 1:
      if keepers.count < 6 {
        nextID += 1
        realm.add(WatchedKeeper(value: ["id": nextID, "name": "k\(below(20))"]))
      }
      if toys.count < 8 {
        nextID += 1
        realm.add(WatchedToy(value: ["id": nextID, "label": "t\(below(9))", "price": below(10)]))
      }
    case 2:
      if dogs.count > 25 || below(4) == 0, let dog = any(dogs) { realm.delete(dog) }
    case 3:
      if below(8) == 0, keepers.count > 4, let keeper = any(keepers) { realm.delete(keeper) }
      if below(6) == 0, let toy = any(toys) { realm.delete(toy) }
    case 4: changeDog(realm)
    case 5: changeDog(realm)
    case 6:
      if let toy = any(toys) {
        if below(2) == 0 { toy.price = below(10) } else { toy.label = "t\(below(9))" }
      }
    default: if let keeper = any(keepers) { change(keeper, dogs) }
    }
  }

  private mutating func changeDog(_ realm: Realm) {
    guard let dog = any(realm.objects(WatchedDog.self)) else { return }
    switch below(11) {
    case 0: dog.name = "d\(below(20))"
    case 1, 2: dog.age = below(12)
    case 3: dog.weight = below(3) == 0 ? nil : Double(below(50))
    case 4: dog.toy = below(4) == 0 ? nil : any(realm.objects(WatchedToy.self))
    case 5: dog.tag = below(4) == 0 ? nil : WatchedTag(value: ["text": "x\(below(9))"])
    case 6:
      if let toy = any(realm.objects(WatchedToy.self)) { dog.toys.append(toy) }
      if dog.toys.count > 3 { dog.toys.remove(at: below(dog.toys.count)) }
    case 7:
      dog.numbers.append(below(100))
      dog.tag?.text = "y\(below(9))"
    default: changeValue(of: dog)
    }
  }

  private mutating func changeValue(of dog: WatchedDog) {
    switch below(30) {
    case 0: dog.any = .int(below(50))
    case 1: dog.any = .fromArray([.int(1), .int(2)])
    case 2: dog.any = .fromDictionary(["a": .int(1)])
    default:
      if let list = dog.any.listValue {
        changeList(list, .int(below(50)))
      } else if let dictionary = dog.any.dictionaryValue {
        let key = "k\(below(8))"
        dictionary[key] = below(3) == 0 ? nil : .int(below(50))
      } else {
        dog.any = .int(below(50))
      }
    }
  }

  private mutating func change(_ keeper: WatchedKeeper, _ dogs: Results<WatchedDog>) {
    switch below(16) {
    case 0: keeper.name = "k\(below(20))"
    case 1: keeper.favourite = any(dogs)
    case 2, 3: changeList(keeper.dogs, any(dogs))
    case 4: if let dog = any(dogs) { keeper.dogSet.insert(dog) }
    case 5: if let dog = any(keeper.dogSet) { keeper.dogSet.remove(dog) }
    case 6: keeper.dogMap["m\(below(8))"] = .some(any(dogs))
    case 7: keeper.dogMap.removeObject(for: "m\(below(8))")
    case 8, 9: changeList(keeper.numbers, below(30))
    case 10: keeper.words.insert("w\(below(12))")
    case 11: keeper.words.remove("w\(below(12))")
    case 12: keeper.scores["s\(below(8))"] = below(100)
    case 13: keeper.scores.removeObject(for: "s\(below(8))")
    case 14: changeList(keeper.mixed, any(dogs).map { .object($0) } ?? .int(3))
    default: changeList(keeper.mixed, .int(below(50)))
    }
  }

  private mutating func changeList<Element>(_ list: List<Element>, _ element: Element?) {
    guard let element else { return }
    if list.count > 15 { return list.removeSubrange(below(5)..<6 + below(8)) }
    switch list.isEmpty ? 0 : below(9) {
    case 0, 1: list.append(element)
    case 2: list.insert(element, at: below(list.count + 1))
    case 3: list[below(list.count)] = element
    case 4: list.remove(at: below(list.count))
    case 5: list.move(from: below(list.count), to: below(list.count))
    case 6: list.swapAt(below(list.count), below(list.count))
    case 7: list.insert(contentsOf: [element, element], at: below(list.count + 1))
    default: if below(5) == 0 { list.removeAll() } else { list.removeLast() }
    }
  }
}
