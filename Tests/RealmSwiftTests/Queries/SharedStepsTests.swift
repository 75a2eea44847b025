import RealmSwift
import TestSupport
import Testing

/// Results that are made of the same other results, each with steps of its own.
@Suite struct SharedStepsTests {
  @Test func eachHasItsOwn() throws {
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: ScratchFolder.lastingPath(), objectTypes: [RealmDog.self]))
    try realm.write {
      for age in 0..<20 {
        realm.create(RealmDog.self, value: ["id": age, "name": "dog \(age % 4)", "age": age])
      }
    }
    let all = realm.objects(RealmDog.self)
    let old = all.where { $0.age >= 10 }
    let third = old.where { $0.name == "dog 3" }
    let second = old.where { $0.name == "dog 2" }
    let oldest = old.sorted(byKeyPath: "age", ascending: false)
    let thirdAndSmall = third.where { $0.age < 15 }
    let thirdAndLarge = third.where { $0.age >= 15 }
    let deep = thirdAndLarge.sorted(byKeyPath: "age", ascending: false).where { $0.age != 15 }
    #expect(all.count == 20 && old.map(\.age) == Array(10..<20))
    #expect(third.map(\.age) == [11, 15, 19] && second.map(\.age) == [10, 14, 18])
    #expect(oldest.map(\.age) == (10..<20).reversed())
    #expect(thirdAndSmall.map(\.age) == [11] && thirdAndLarge.map(\.age) == [15, 19])
    #expect(deep.map(\.age) == [19])
    // What is wrong stays so where the shortest way to a condition is taken.
    #expect(throws: (any Error).self) { try old.filter(checking: "nothing == 3") }
    #expect(
      old.where { $0.name != "dog 3" }.count == 7 && old.filter("age == %@ OR age == 12", 11).count == 2)
    try realm.write { all.where { $0.age == 15 }.first!.age = 8 }
    #expect(third.map(\.age) == [11, 19] && thirdAndLarge.map(\.age) == [19] && old.freeze().count == 9)
  }
}
