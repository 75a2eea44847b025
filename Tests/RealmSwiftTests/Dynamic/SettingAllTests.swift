import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// `setValue(_:forKey:)` of collections, for properties that hold no single value.
@Suite struct SettingAllTests {
  private let scratch: ScratchRealm
  private var realm: Realm { scratch.realm }

  init() throws {
    scratch = try ScratchRealm(opening: PetOwner.classes)
    try scratch.realm.write {
      for id in 0..<3 { scratch.realm.create(HousePet.self, value: ["id": id, "name": "pet \(id)"]) }
      for id in ["a", "b"] {
        scratch.realm.create(PetOwner.self, value: ["id": id, "numbers": [1, 2]] as [String: Any])
      }
    }
  }

  private var owners: Results<PetOwner> { realm.objects(PetOwner.self) }
  private var dynamicOwners: Results<DynamicObject> { realm.dynamicObjects("PetOwner") }

  @Test func linksOfDynamicResults() throws {
    try realm.write {
      dynamicOwners.setValue(realm.dynamicObjects("HousePet")[1], forKey: "favourite")
    }
    #expect(owners.map { $0.favourite?.id } == [1, 1])
    // An object of the program's class is the same row.
    try realm.write { dynamicOwners.setValue(realm.objects(HousePet.self)[2], forKey: "favourite") }
    #expect(owners.map { $0.favourite?.id } == [2, 2])
    try realm.write { dynamicOwners.setValue(nil, forKey: "favourite") }
    #expect(owners.map { $0.favourite?.id } == [nil, nil])
    // One in memory is added once.
    try realm.write { dynamicOwners.setValue(HousePet(value: ["id": 9]), forKey: "favourite") }
    #expect(owners.map { $0.favourite?.id } == [9, 9] && realm.objects(HousePet.self).count == 4)
  }

  @Test func linksOfTypedResultsToDynamicObjects() throws {
    try realm.write { owners.setValue(realm.dynamicObjects("HousePet")[1], forKey: "favourite") }
    #expect(owners.map { $0.favourite?.id } == [1, 1])
    try realm.write { owners[0].setValue(realm.dynamicObjects("HousePet")[2], forKey: "favourite") }
    #expect(owners.map { $0.favourite?.id } == [2, 1])
    try realm.write { owners.setValue(nil, forKey: "favourite") }
    #expect(owners.map { $0.favourite?.id } == [nil, nil] && realm.objects(HousePet.self).count == 3)
  }

  @Test func embeddedObjectsAreMadeForEachObject() throws {
    try realm.write { dynamicOwners.setValue(["street": "Elm"], forKey: "home") }
    #expect(owners.map { $0.home?.street } == ["Elm", "Elm"] && owners[0].home != owners[1].home)
    try realm.write { owners.setValue(["street": "Oak"], forKey: "home") }
    #expect(owners.map { $0.home?.street } == ["Oak", "Oak"])
    try realm.write { dynamicOwners.setValue(nil, forKey: "home") }
    #expect(owners.map { $0.home == nil } == [true, true] && realm.dynamicObjects("HomeAddress").isEmpty)
  }

  @Test(arguments: [false, true]) func collections(isDynamic: Bool) throws {
    func set(_ value: Any?, _ key: String) {
      if isDynamic { dynamicOwners.setValue(value, forKey: key) } else { owners.setValue(value, forKey: key) }
    }
    try realm.write {
      set(realm.objects(HousePet.self), "pets")
      set([7, 8, 9], "numbers")
      set(["t"], "tags")
      set(["s": 2.5], "scores")
      set(["first": realm.objects(HousePet.self)[0]], "petsByName")
      set([["street": "Elm"]], "addresses")
    }
    #expect(owners.map { $0.pets.map(\.id) } == [[0, 1, 2], [0, 1, 2]])
    #expect(owners.map { Array($0.numbers) } == [[7, 8, 9], [7, 8, 9]])
    #expect(owners.map { Array($0.tags) } == [["t"], ["t"]] && owners.map { $0.scores["s"] } == [2.5, 2.5])
    #expect(owners.map { $0.petsByName["first"]??.id } == [0, 0])
    #expect(owners.map { $0.addresses.map(\.street) } == [["Elm"], ["Elm"]])
    try realm.write { for key in ["pets", "numbers", "tags", "scores", "petsByName"] { set(nil, key) } }
    #expect(owners.allSatisfy { $0.pets.isEmpty && $0.numbers.isEmpty && $0.tags.isEmpty })
    #expect(owners.allSatisfy { $0.scores.count == 0 && $0.petsByName.count == 0 })
    #expect(try Realm.verify(at: scratch.url, encryptionKey: ScratchRealm.usualKey).isSound)
  }

  @Test(arguments: [false, true]) func mixedValues(isDynamic: Bool) throws {
    let values: [(Any?, AnyRealmValue)] = [
      (5, .int(5)), ("x", .string("x")), (nil, .none), (realm.objects(HousePet.self)[1], .none),
      ([1, "y"] as [Any], .none),
    ]
    for (number, (value, expected)) in values.enumerated() {
      try realm.write {
        if isDynamic {
          dynamicOwners.setValue(value, forKey: "any")
        } else {
          owners.setValue(value, forKey: "any")
        }
      }
      for owner in owners {
        switch number {
        case 3: #expect(owner.any.object(HousePet.self)?.id == 1)
        case 4: #expect(owner.any.listValue.map { Array($0) } == [.int(1), .string("y")])
        default: #expect(owner.any == expected)
        }
      }
    }
  }

  /// The value of an element was once written over the count of the list.
  @Test func aSingleValueIsNoList() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let tests = try SettingAllTests()
      try tests.realm.write { tests.dynamicOwners.setValue(5, forKey: "numbers") }
    }
    expectStop(
      result,
      saying: "Invalid value (5) for 'int' array property 'PetOwner.numbers': value is not enumerable.")
  }

  @Test func listsSetsAndMapsOfDynamicObjects() throws {
    try realm.write {
      owners[0].pets.append(objectsIn: realm.objects(HousePet.self))
      owners[0].toys.insert(PetToy(value: ["label": "ball"]))
    }
    let owner = dynamicOwners[0]
    let pets = try #require(owner["pets"] as? List<DynamicObject>)
    let toys = try #require(owner["toys"] as? MutableSet<DynamicObject>)
    let named = try #require(owner["petsByName"] as? Map<String, DynamicObject?>)
    try realm.write {
      pets.setValue("all", forKey: "name")
      toys.setValue("bone", forKey: "label")
      named.setValue(realm.dynamicObjects("HousePet")[1], forKey: "one")
      named.setValue(realm.objects(HousePet.self)[2], forKey: "two")
    }
    #expect(realm.objects(HousePet.self).map(\.name) == ["all", "all", "all"])
    #expect(owners[0].toys.map(\.label) == ["bone"])
    #expect(owners[0].petsByName["one"]??.id == 1 && owners[0].petsByName["two"]??.id == 2)
    #expect(realm.objects(HousePet.self).count == 3)
  }
}
