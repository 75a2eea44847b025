import Observation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct TrackingTests {
  /// How often somebody was told of a change.
  final class Count: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }
    func increase() { number.withLock { $0 += 1 } }
  }

  private func track(_ read: () -> Void) -> Count {
    let count = Count()
    withObservationTracking(read) { count.increase() }
    return count
  }

  private func kennel() throws -> (file: ScratchRealm, realm: Realm, dogs: [ScreenDog]) {
    let file = ScratchRealm(screenClasses)
    let realm = try file.open()
    let dogs = (0..<4).map { ScreenDog("d\($0)", age: $0) }
    try realm.write { realm.add(dogs) }
    return (file, realm, dogs)
  }

  @Test func propertiesOfOneObject() throws {
    let (_, realm, dogs) = try kennel()
    let age = track { _ = dogs[0].age }
    let both = track { _ = "\(dogs[0].name) \(dogs[1].note ?? "")" }
    try realm.write {
      dogs[1].age = 9
      dogs[2].name = "x"
    }
    #expect((age.value, both.value) == (0, 0))
    try realm.write { dogs[0].age = 5 }
    #expect((age.value, both.value) == (1, 0))
    try realm.write { dogs[0].age = 6 }
    #expect((age.value, both.value) == (1, 0))
    try realm.write {
      dogs[1].note = "n"
      dogs[0].name = "y"
      #expect(both.value == 0)
    }
    #expect((age.value, both.value) == (1, 1))
  }

  @Test func readingAgainRegistersAgain() throws {
    let (_, realm, dogs) = try kennel()
    for round in 1...3 {
      let count = track { _ = dogs[0].age }
      try realm.write { dogs[0].age += 1 }
      #expect(count.value == 1, "round \(round)")
    }
    // Two scopes that read the same are both told.
    let (first, second) = (track { _ = dogs[0].age }, track { _ = dogs[0].age })
    try realm.write { dogs[0].age = 0 }
    #expect((first.value, second.value) == (1, 1))
    let (inner, outer) = (Count(), Count())
    withObservationTracking {
      withObservationTracking {
        _ = dogs[0].age
      } onChange: {
        inner.increase()
      }
      _ = dogs[1].name
    } onChange: {
      outer.increase()
    }
    try realm.write { dogs[0].age = 1 }
    #expect((inner.value, outer.value) == (1, 1))
  }

  @Test func otherInstancesOfTheRow() throws {
    let (_, realm, dogs) = try kennel()
    let count = track { _ = realm.objects(ScreenDog.self).first?.age }
    let byName = track { _ = dogs[1].value(forKey: "name") }
    let dynamic = track { _ = realm.dynamicObjects("ScreenDog")[2]["breed"] }
    try realm.write { dogs[0].age = 7 }
    #expect((count.value, byName.value, dynamic.value) == (1, 0, 0))
    try realm.write { realm.objects(ScreenDog.self)[1].setValue("z", forKey: "name") }
    #expect((byName.value, dynamic.value) == (1, 0))
    try realm.write { dogs[2].breed = "z" }
    #expect(dynamic.value == 1)
  }

  @Test func deletion() throws {
    let (_, realm, dogs) = try kennel()
    let count = track { _ = dogs[0].age }
    try realm.write { realm.delete(dogs[1]) }
    #expect(count.value == 0)
    try realm.write { realm.delete(dogs[0]) }
    #expect(count.value == 1)
  }

  @Test func writesOfOtherThreads() throws {
    let (file, realm, dogs) = try kennel()
    let count = track { _ = dogs[0].age }
    let id = dogs[0].id
    try onOtherThread {
      let other = try file.open()
      try other.write { other.object(ofType: ScreenDog.self, forPrimaryKey: id)!.age = 8 }
    }
    #expect(count.value == 0)
    realm.refresh()
    #expect(count.value == 1)
    let next = track { _ = dogs[0].age }
    try onOtherThread {
      let other = try file.open()
      try other.write { other.object(ofType: ScreenDog.self, forPrimaryKey: id)!.age = 9 }
    }
    try realm.write {}
    #expect(next.value == 1)
  }

  @Test func results() throws {
    let (_, realm, dogs) = try kennel()
    let old = realm.objects(ScreenDog.self).where { $0.age > 1 }.sorted(byKeyPath: "name")
    let all = realm.objects(ScreenDog.self)
    let reads: [() -> Void] = [
      { _ = old.count }, { _ = old.first }, { _ = old.isEmpty }, { for _ in old {} }, { _ = all.count },
    ]
    func tracked(_ change: () -> Void) throws -> [Int] {
      let counts = reads.map { track($0) }
      try realm.write(change)
      return counts.map(\.value)
    }
    #expect(try tracked { dogs[0].breed = "x" } == [0, 0, 0, 0, 0])
    #expect(try tracked { realm.add(ScreenToy()) } == [0, 0, 0, 0, 0])
    #expect(try tracked { dogs[0].age = 9 } == [1, 1, 1, 1, 0])
    #expect(try tracked { dogs[0].name = "z" } == [1, 1, 1, 1, 0])
    #expect(try tracked { realm.add(ScreenDog("new")) } == [1, 1, 1, 1, 1])
    #expect(try tracked { realm.delete(dogs[3]) } == [1, 1, 1, 1, 1])
  }

  @Test func collectionsAndLinks() throws {
    let (_, realm, dogs) = try kennel()
    let person = ScreenPerson()
    person.dogs.append(dogs[0])
    try realm.write { realm.add(person) }
    let list = person.dogs
    let (tags, visits, owners) = (dogs[0].tags, dogs[0].visits, dogs[1].owners)
    let reads: [() -> Void] = [
      { _ = person.dogs }, { _ = list.count }, { for dog in list { _ = dog.name } }, { _ = list.first },
      { _ = tags.count }, { _ = visits["a"] }, { _ = owners.count }, { _ = dogs[0].favoriteToy },
    ]
    func tracked(_ change: () -> Void) throws -> [Int] {
      let counts = reads.map { track($0) }
      try realm.write(change)
      return counts.map(\.value)
    }
    #expect(try tracked { dogs[0].breed = "x" } == [0, 0, 0, 0, 0, 0, 0, 0])
    #expect(try tracked { dogs[0].name = "x" } == [0, 0, 1, 0, 0, 0, 0, 0])
    #expect(try tracked { list.append(dogs[1]) } == [1, 1, 1, 1, 0, 0, 1, 0])
    #expect(try tracked { dogs[0].tags.insert("t") } == [0, 0, 0, 0, 1, 0, 0, 0])
    #expect(try tracked { dogs[0].visits["a"] = 1 } == [0, 0, 0, 0, 0, 1, 0, 0])
    #expect(try tracked { dogs[0].favoriteToy = ScreenToy() } == [0, 0, 0, 0, 0, 0, 0, 1])
  }

  @Test func whatWasReadWithinAWrite() throws {
    let (_, realm, dogs) = try kennel()
    realm.beginWrite()
    dogs[0].age = 100
    let count = track { _ = dogs[0].age }
    realm.cancelWrite()
    #expect(count.value == 1)
    let untouched = track { _ = dogs[0].age }
    try realm.write { dogs[1].age = 4 }
    realm.beginWrite()
    realm.cancelWrite()
    #expect(untouched.value == 0)
    realm.invalidate()
    #expect(untouched.value == 1)
  }

  @Test func moreRowsThanAreWatchedOneByOne() throws {
    let (_, realm, _) = try kennel()
    try realm.write {
      for number in 0..<5_000 { realm.add(ScreenDog("n\(number)")) }
    }
    let all = realm.objects(ScreenDog.self)
    let count = track { for dog in all { _ = dog.age } }
    try realm.write { all.last!.breed = "x" }
    #expect(count.value == 0)
    try realm.write { all.last!.age = 3 }
    #expect(count.value == 1)
  }

  @Test func neitherFrozenNorInMemory() throws {
    let (_, realm, dogs) = try kennel()
    let frozen = dogs[0].freeze()
    let unmanaged = ScreenDog("u")
    let count = track {
      _ = "\(frozen.name) \(unmanaged.name) \(realm.freeze().objects(ScreenDog.self).count)"
    }
    unmanaged.name = "v"
    try realm.write { dogs[0].name = "v" }
    #expect(count.value == 0)
  }

  @Test func nothingIsKept() throws {
    let file = ScratchRealm(screenClasses)
    do {
      let realm = try file.open()
      let dog = ScreenDog("a")
      try realm.write { realm.add(dog) }
      _ = track { _ = "\(dog.name) \(realm.objects(ScreenDog.self).count)" }
    }
    #expect(!RealmFiles.isOpen(file.configuration))
  }
}
