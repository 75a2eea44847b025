import Foundation
import RealmSwift
import TestSupport
import Testing

/// Thousands of random operations on collections, compared with Swift's own.
struct CollectionModelTests {
  private struct State: Equatable {
    var ints: [Int] = []
    var strings: [String?] = []
    var walkers: [String] = []
    var set: Set<Int> = []
    var walkerSet: Set<String> = []
    var map: [String: String] = [:]
    var walkerMap: [String: String?] = [:]
    var alive: Set<String> = []
  }

  private final class Subject {
    let storage = ScratchRealm.ofCollections()
    let lists: ValueLists
    let sets: ValueSets
    let maps: ValueMaps
    let kennel: Kennel
    var state = State()
    var random: SeededGenerator

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
      lists = storage.added(ValueLists())
      sets = storage.added(ValueSets())
      maps = storage.added(ValueMaps())
      kennel = storage.added(Kennel())
    }

    var found: State {
      State(
        ints: Array(lists.ints), strings: Array(lists.optionalStrings),
        walkers: Array(kennel.walkers.map(\.name)),
        set: Set(sets.ints), walkerSet: Set(kennel.walkerSet.map(\.name)),
        map: Dictionary(uniqueKeysWithValues: maps.strings.map { ($0.key, $0.value) }),
        walkerMap: Dictionary(uniqueKeysWithValues: kennel.walkerMap.map { ($0.key, $0.value?.name) }),
        alive: Set(storage.realm.objects(Walker.self).map(\.name)))
    }

    func text() -> String? {
      let length = [3, 12, 300].randomElement(using: &random)!
      return Bool.random(using: &random)
        ? String(repeating: String(Int.random(in: 0..<100, using: &random)), count: length) : nil
    }

    func walker() -> Walker {
      if let name = state.alive.sorted().randomElement(using: &random),
        Int.random(in: 0..<3, using: &random) > 0
      {
        return storage.realm.object(ofType: Walker.self, forPrimaryKey: name)!
      }
      let name = "w\(Int.random(in: 0..<1_000_000_000, using: &random))"
      state.alive.insert(name)
      return Walker(name)
    }

    func step() {
      switch Int.random(in: 0..<7, using: &random) {
      case 0: changeList(lists.ints, \.ints) { Int.random(in: -300...300, using: &random) }
      case 1: changeList(lists.optionalStrings, \.strings) { text() }
      case 2: changeWalkers()
      case 3: changeSet()
      case 4: changeMap()
      case 5: changeWalkerSet()
      default: deleteWalker()
      }
    }

    private func changeList<Element>(
      _ list: List<Element>, _ path: WritableKeyPath<State, [Element]>, _ make: () -> Element
    ) {
      let count = state[keyPath: path].count
      switch Int.random(in: 0..<9, using: &random) {
      case 0:
        let several = (0..<Int.random(in: 0..<700, using: &random)).map { _ in make() }
        let position = Int.random(in: 0...count, using: &random)
        list.insert(contentsOf: several, at: position)
        state[keyPath: path].insert(contentsOf: several, at: position)
      case 1 where count > 0:
        let position = Int.random(in: 0..<count, using: &random)
        list.remove(at: position)
        state[keyPath: path].remove(at: position)
      case 2 where count > 0:
        let (position, value) = (Int.random(in: 0..<count, using: &random), make())
        list[position] = value
        state[keyPath: path][position] = value
      case 3 where count > 0:
        let (from, to) = (
          Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random)
        )
        list.move(from: from, to: to)
        state[keyPath: path].insert(state[keyPath: path].remove(at: from), at: to)
      case 4 where count > 0:
        let (a, b) = (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
        list.swapAt(a, b)
        state[keyPath: path].swapAt(a, b)
      case 5 where count > 1500:
        let start = Int.random(in: 0..<count, using: &random)
        let range = start..<Int.random(in: start...count, using: &random)
        list.removeSubrange(range)
        state[keyPath: path].removeSubrange(range)
      case 6:
        let start = Int.random(in: 0...count, using: &random)
        let range = start..<min(count, start + 5)
        let several = (0..<Int.random(in: 0..<9, using: &random)).map { _ in make() }
        list.replaceSubrange(range, with: several)
        state[keyPath: path].replaceSubrange(range, with: several)
      default:
        let value = make()
        list.append(value)
        state[keyPath: path].append(value)
      }
    }

    private func changeWalkers() {
      let count = state.walkers.count
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where count > 0:
        let position = Int.random(in: 0..<count, using: &random)
        kennel.walkers.remove(at: position)
        state.walkers.remove(at: position)
      case 1 where count > 0:
        let (position, object) = (Int.random(in: 0..<count, using: &random), walker())
        kennel.walkers[position] = object
        state.walkers[position] = object.name
      case 2:
        let (position, object) = (Int.random(in: 0...count, using: &random), walker())
        kennel.walkers.insert(object, at: position)
        state.walkers.insert(object.name, at: position)
      default:
        let object = walker()
        kennel.walkers.append(object)
        state.walkers.append(object.name)
      }
    }

    private func changeSet() {
      let value = Int.random(in: -40...40, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        sets.ints.remove(value)
        state.set.remove(value)
      case 1:
        let other = storage.realm.objects(ValueSets.self).last!
        let several = Set((0..<60).map { _ in Int.random(in: -40...40, using: &random) })
        let right = other.isSameObject(as: sets) ? ValueSets() : other
        if right.realm == nil { storage.realm.add(right) }
        right.ints.removeAll()
        right.ints.insert(objectsIn: several)
        if Bool.random(using: &random) {
          sets.ints.formIntersection(right.ints)
          state.set.formIntersection(several)
        } else {
          sets.ints.subtract(right.ints)
          state.set.subtract(several)
        }
      default:
        sets.ints.insert(value)
        state.set.insert(value)
      }
    }

    private func changeMap() {
      let key = "key \(Int.random(in: 0..<2000, using: &random))"
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        maps.strings[key] = nil
        state.map[key] = nil
      case 1:
        let several = (0..<30).map { (key: "\(key) \($0 % 20)", value: "\($0)") }
        maps.strings.merge(several) { $0 + $1 }
        state.map.merge(several.map { ($0.key, $0.value) }) { $0 + $1 }
      default:
        let value = text() ?? ""
        maps.strings[key] = value
        state.map[key] = value
      }
    }

    private func changeWalkerSet() {
      let object = walker()
      let key = "k\(Int.random(in: 0..<20, using: &random))"
      if Bool.random(using: &random) {
        kennel.walkerSet.insert(object)
        state.walkerSet.insert(object.name)
      } else {
        kennel.walkerMap[key] = object
        state.walkerMap[key] = object.name
      }
    }

    private func deleteWalker() {
      guard let name = state.alive.sorted().randomElement(using: &random) else { return }
      storage.realm.delete(storage.realm.object(ofType: Walker.self, forPrimaryKey: name)!)
      state.alive.remove(name)
      state.walkers.removeAll { $0 == name }
      state.walkerSet.remove(name)
      for (key, value) in state.walkerMap where value == name { state.walkerMap[key] = .some(nil) }
    }
  }

  @Test(arguments: 0..<TestLength.count(2, long: 4))
  func againstSwiftCollections(run: Int) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("CollectionModelTests seed \(seed)")
    let subject = Subject(seed: seed)
    for _ in 0..<200 {
      let before = subject.state
      subject.storage.realm.beginWrite()
      for _ in 0..<Int.random(in: 1..<40, using: &subject.random) {
        subject.step()
      }
      try #require(subject.found == subject.state, "seed \(seed), in the write")
      if Int.random(in: 0..<5, using: &subject.random) == 0 {
        subject.storage.realm.cancelWrite()
        subject.state = before
      } else {
        try subject.storage.realm.commitWrite()
      }
      try #require(subject.found == subject.state, "seed \(seed), after the write")
    }
  }
}
