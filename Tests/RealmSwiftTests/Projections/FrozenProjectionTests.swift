import Dispatch
import Foundation
import RealmSwift
import TestSupport
import Testing

struct FrozenProjectionTests {
  private let scratch: ScratchRealm
  private var realm: Realm { scratch.realm }

  init() throws {
    scratch = try ScratchRealm(opening: [ProjectedPerson.self, ProjectedAddress.self])
    let realm = scratch.realm
    try realm.write {
      let john = ProjectedPerson(1, "John", "Snow", city: "Winterfell")
      realm.add([john, ProjectedPerson(2, "Arya", "Stark"), ProjectedPerson(3, "Sansa", "Stark")])
      john.friends.append(realm.objects(ProjectedPerson.self)[1])
    }
  }

  @Test func frozenProjectionsNeverChange() throws {
    let john = realm.objects(PersonProjection.self)[0]
    let frozen = john.freeze()
    #expect(frozen.isFrozen && !john.isFrozen && frozen.freeze() === frozen && frozen != john)
    try realm.write {
      john.firstName = "Jon"
      john.friends.removeAll()
      john.rootObject.address?.city = "Wall"
    }
    #expect(frozen.firstName == "John" && frozen.homeCity == "Winterfell")
    #expect(Array(frozen.friendsNames) == ["Arya"] && frozen.friendsNames.isFrozen)
    nonisolated(unsafe) let shared = frozen
    #expect(try onOtherThread { shared.fullName } == "John Snow")
    let thawed = try #require(frozen.thaw())
    #expect(!thawed.isFrozen && thawed.firstName == "Jon" && thawed == john)
    try realm.write { realm.delete(john.rootObject) }
    #expect(frozen.thaw() == nil && !frozen.isInvalidated && frozen.firstName == "John")
  }

  @Test func frozenResultsAndCollections() throws {
    let people = realm.objects(PersonProjection.self).sorted(byKeyPath: "firstName")
    let frozen = people.freeze()
    let names = people[1].friendsNames
    let frozenNames = names.freeze()
    try realm.write {
      realm.delete(realm.objects(ProjectedPerson.self).filter("lastName == 'Stark'"))
    }
    #expect(frozen.map(\.firstName) == ["Arya", "John", "Sansa"] && frozen[0].isFrozen)
    #expect(people.map(\.firstName) == ["John"] && frozen.thaw()?.count == 1)
    #expect(names.isEmpty && Array(frozenNames) == ["Arya"] && frozenNames.thaw()?.count == 0)
  }

  @Test func frozenSections() throws {
    let sections = realm.objects(PersonProjection.self).sectioned(by: \.lastNameCaps)
    let frozen = sections.freeze()
    let starks = sections[1].freeze()
    try realm.write { for person in realm.objects(ProjectedPerson.self) { person.lastName = "Nobody" } }
    #expect(sections.allKeys == ["NOBODY"])
    #expect(frozen.isFrozen && starks.isFrozen && frozen[0].isFrozen && !sections.isFrozen)
    // Many threads may be the first to ask.
    nonisolated(unsafe) let shared = frozen
    nonisolated(unsafe) let section = starks
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      #expect(shared.allKeys == ["SNOW", "STARK"] && shared[1].map(\.firstName) == ["Arya", "Sansa"])
      #expect(section.count == 2 && section[0].isFrozen)
    }
    #expect(frozen.thaw()?.allKeys == ["NOBODY"])
    #expect(starks.thaw()?.isInvalidated == true)
  }

  @Test func whatCanNotBeDone() async {
    let memory = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PersonProjection(projecting: ProjectedPerson()).freeze()
    }
    expectStop(memory, saying: "Unmanaged objects cannot be frozen.")
    let write = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let tests = try FrozenProjectionTests()
      tests.realm.objects(PersonProjection.self)[0].freeze().firstName = "Jon"
    }
    expectStop(
      write, saying: "Attempting to modify a frozen object - call thaw on the Object instance first.")
    let observed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let tests = try FrozenProjectionTests()
      _ = tests.realm.objects(PersonProjection.self).sectioned(by: \.lastNameCaps).freeze().observe { _ in }
    }
    expectStop(observed, saying: "Frozen Realms do not change and do not have change notifications.")
  }
}
