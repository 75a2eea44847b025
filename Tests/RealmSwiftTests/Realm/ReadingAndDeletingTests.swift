import Foundation
import RealmSwift
import TestSupport
import Testing

class OptionalKeyed: Hidden {
  @Persisted(primaryKey: true) var key: String?
  @Persisted var value = 0
}
class UUIDKeyed: Hidden { @Persisted(primaryKey: true) var key: UUID }
class ObjectIdKeyed: Hidden { @Persisted(primaryKey: true) var key: ObjectId }
class ShortKeyed: Hidden { @Persisted(primaryKey: true) var key: Int16 = 0 }
class DogOwner: Hidden {
  @Persisted var name = ""
  @Persisted var dogs: List<RealmDog>
  @Persisted var byName: Map<String, RealmDog?>
  @Persisted var friends: MutableSet<RealmDog>
  @Persisted var favourite: RealmDog?
}

@Suite struct ReadingAndDeletingTests {
  let file = ScratchRealm()
  static let types: [ObjectBase.Type] = [
    RealmDog.self, RealmPlace.self, DogOwner.self, OptionalKeyed.self, UUIDKeyed.self, ObjectIdKeyed.self,
    ShortKeyed.self,
  ]

  private func open() throws -> Realm { try file.open(Self.types) }

  // MARK: Primary keys

  @Test func keysOfAllTypes() throws {
    let realm = try open()
    let uuid = UUID()
    let id = ObjectId.generate()
    try realm.write {
      realm.create(RealmDog.self, value: ["id": -5])
      realm.create(RealmPlace.self, value: ["code": "å"])
      realm.create(OptionalKeyed.self, value: ["key": nil as String?, "value": 1] as [String: Any?])
      realm.create(OptionalKeyed.self, value: ["key": "", "value": 2])
      realm.create(UUIDKeyed.self, value: ["key": uuid])
      realm.create(ObjectIdKeyed.self, value: ["key": id])
      realm.create(ShortKeyed.self, value: ["key": 7])
    }
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: -5) != nil)
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: Int64(-5)) != nil)
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 5) == nil)
    #expect(realm.object(ofType: RealmPlace.self, forPrimaryKey: "å") != nil)
    #expect(realm.object(ofType: RealmPlace.self, forPrimaryKey: "a") == nil)
    #expect(realm.object(ofType: OptionalKeyed.self, forPrimaryKey: nil as String?)?.value == 1)
    #expect(realm.object(ofType: OptionalKeyed.self, forPrimaryKey: NSNull())?.value == 1)
    #expect(realm.object(ofType: OptionalKeyed.self, forPrimaryKey: "")?.value == 2)
    #expect(realm.object(ofType: UUIDKeyed.self, forPrimaryKey: uuid) != nil)
    #expect(realm.object(ofType: UUIDKeyed.self, forPrimaryKey: UUID()) == nil)
    #expect(realm.object(ofType: ObjectIdKeyed.self, forPrimaryKey: id)?.key == id)
    #expect(realm.object(ofType: ShortKeyed.self, forPrimaryKey: 7) != nil)
    #expect(realm.object(ofType: ShortKeyed.self, forPrimaryKey: Int16(7)) != nil)
    #expect(realm.dynamicObject(ofType: "RealmPlace", forPrimaryKey: "å")?.code as? String == "å")
    #expect(realm.dynamicObject(ofType: "RealmPlace", forPrimaryKey: "b") == nil)
  }

  @Test func keysWithinAWrite() throws {
    let realm = try open()
    try realm.write {
      realm.create(RealmDog.self, value: ["id": 1])
      #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 1) != nil)
      realm.delete(realm.object(ofType: RealmDog.self, forPrimaryKey: 1)!)
      #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 1) == nil)
      realm.create(RealmDog.self, value: ["id": 1, "name": "again"])
    }
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 1)?.name == "again")
  }

  @Test func classesWithoutKeysStopTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: "key", objectTypes: ReadingAndDeletingTests.types))
      _ = realm.object(ofType: DogOwner.self, forPrimaryKey: 1)
    }
    expectStop(result, saying: "'DogOwner' does not have a primary key defined")
  }

  @Test func keysOfOtherTypesStopTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: "key", objectTypes: ReadingAndDeletingTests.types))
      _ = realm.object(ofType: RealmDog.self, forPrimaryKey: "one")
    }
    expectStop(result, saying: "Invalid value 'one' of type")
    expectStop(result, saying: "'int' property 'RealmDog.id'")
  }

  @Test func nullKeysStopTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: "key", objectTypes: ReadingAndDeletingTests.types))
      _ = realm.object(ofType: RealmDog.self, forPrimaryKey: nil as Int?)
    }
    expectStop(result, saying: "Invalid null value for non-nullable primary key 'RealmDog.id'.")
  }

  // MARK: Adding

  @Test func addSequencesAndDynamicObjects() throws {
    let realm = try open()
    #expect(realm.isEmpty)
    try realm.write {
      realm.add((0..<3).map { RealmDog(value: ["id": $0]) })
      realm.add([RealmDog(value: ["id": 1, "name": "new"])], update: .modified)
      realm.dynamicCreate("RealmDog", value: ["id": 7, "name": "dynamic"])
    }
    #expect(!realm.isEmpty)
    #expect(realm.objects(RealmDog.self).count == 4)
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 1)?.name == "new")
    #expect(realm.dynamicObjects("RealmDog").count == 4)
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 7)?.name == "dynamic")
  }

  @Test func updatingNeedsAKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(
        configuration: Realm.Configuration(
          inMemoryIdentifier: "key", objectTypes: ReadingAndDeletingTests.types))
      realm.beginWrite()
      realm.add(DogOwner(), update: .all)
    }
    expectStop(result, saying: "'DogOwner' does not have a primary key and can not be updated")
  }

  // MARK: Deleting

  @Test func deletesObjects() throws {
    try file.fill(dogs: 10)
    let realm = try open()
    let dog = try #require(realm.object(ofType: RealmDog.self, forPrimaryKey: 3))
    let same = try #require(realm.object(ofType: RealmDog.self, forPrimaryKey: 3))
    try realm.write { realm.delete(dog) }
    #expect(dog.isInvalidated)
    #expect(same.isInvalidated)
    #expect(dog.realm == nil)
    #expect(realm.objects(RealmDog.self).count == 9)
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 3) == nil)
    try realm.write {
      realm.delete([1, 2].map { realm.object(ofType: RealmDog.self, forPrimaryKey: $0)! })
    }
    #expect(realm.objects(RealmDog.self).map(\.id) == [0, 4, 5, 6, 7, 8, 9])
  }

  private func owner(_ realm: Realm) throws -> DogOwner {
    let owner = DogOwner()
    let dogs = (0..<6).map { RealmDog(value: ["id": $0, "name": "dog \($0)"]) }
    owner.dogs.append(objectsIn: [dogs[0], dogs[1], dogs[0]])
    owner.byName["a"] = dogs[2]
    owner.byName["b"] = dogs[3]
    owner.friends.insert(dogs[4])
    owner.favourite = dogs[5]
    try realm.write { realm.add(owner) }
    return owner
  }

  @Test func deletesTheObjectsOfAList() throws {
    let realm = try open()
    let owner = try owner(realm)
    try realm.write { realm.delete(owner.dogs) }
    #expect(owner.dogs.isEmpty)
    #expect(realm.objects(RealmDog.self).map(\.id).sorted() == [2, 3, 4, 5])
  }

  @Test func deletesTheObjectsOfAMap() throws {
    let realm = try open()
    let owner = try owner(realm)
    try realm.write { realm.delete(owner.byName) }
    #expect(owner.byName.count == 0)
    #expect(realm.objects(RealmDog.self).map(\.id).sorted() == [0, 1, 4, 5])
  }

  @Test func deletesTheObjectsOfASet() throws {
    let realm = try open()
    let owner = try owner(realm)
    try realm.write { realm.delete(owner.friends) }
    #expect(owner.friends.isEmpty)
    #expect(realm.objects(RealmDog.self).count == 5)
  }

  @Test func deletesResults() throws {
    let realm = try open()
    let owner = try owner(realm)
    let dogs = realm.objects(RealmDog.self)
    try realm.write { realm.delete(dogs) }
    #expect(dogs.count == 0)
    #expect(owner.dogs.isEmpty)
    #expect(owner.favourite == nil)
    #expect(owner.friends.isEmpty)
    #expect(owner.byName.count == 2)
    #expect(owner.byName.allSatisfy { $0.value == nil })
    #expect(realm.objects(DogOwner.self).count == 1)
  }

  @Test func deletesFilteredResults() throws {
    try file.fill(dogs: 2000)
    let realm = try open()
    try realm.write { realm.delete(realm.objects(RealmDog.self).where { $0.age == 3 }) }
    #expect(realm.objects(RealmDog.self).count == 1900)
    #expect(realm.objects(RealmDog.self).where { $0.age == 3 }.count == 0)
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 23) == nil)
    #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: 24)?.name == "dog 24")
  }

  /// Whichever the realm was opened with.
  @Test func deleteAllReachesEveryClassOfTheFile() throws {
    do {
      let realm = try open()
      _ = try owner(realm)
    }
    do {
      let realm = try file.open([RealmPlace.self])
      #expect(!realm.isEmpty)
      try realm.write { realm.deleteAll() }
      #expect(realm.isEmpty)
    }
    let realm = try open()
    #expect(realm.objects(RealmDog.self).isEmpty && realm.isEmpty)
  }

  @Test func foreignObjectsStopTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: "own", objectTypes: [RealmDog.self]))
      realm.beginWrite()
      realm.delete(RealmDog())
    }
    expectStop(result, saying: "Can only delete an object from the Realm it belongs to.")
  }

  @Test func foreignResultsStopTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: "own", objectTypes: [RealmDog.self]))
      let other = try Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: "other", objectTypes: [RealmDog.self]))
      realm.beginWrite()
      realm.delete(other.objects(RealmDog.self))
    }
    expectStop(result, saying: "Can only delete objects from the Realm they belong to.")
  }
}
