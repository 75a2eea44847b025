import Foundation
import RealmSwift
import TestSupport
import Testing

/// Mistakes that stop the program, with what is said then.
struct ProjectionTrapTests {
  private static func john() -> (ScratchRealm, PersonProjection) {
    do {
      let scratch = try ScratchRealm(opening: [ProjectedPerson.self, ProjectedAddress.self])
      try scratch.realm.write { scratch.realm.add(ProjectedPerson(1, "John", "Snow", city: "Winterfell")) }
      return (scratch, scratch.realm.objects(PersonProjection.self)[0])
    } catch {
      fatalError("\(error)")
    }
  }

  @Test func propertiesThatAreNotPartOfTheObject() async {
    let constant = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ConstantProjection(projecting: ProjectedPerson())
    }
    expectStop(constant, saying: "@Projected property 'constant' must be a part of Realm object")
  }

  @Test func propertiesThatCanNotBeSet() async {
    let computed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (scratch, john) = Self.john()
      try scratch.realm.write { john.lastNameCaps = "STARK" }
    }
    expectStop(computed, saying: "KeyPath is not writable")
    let chained = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (scratch, john) = Self.john()
      try scratch.realm.write { john.homeCity = "Braavos" }
    }
    expectStop(chained, saying: "KeyPath is not writable")
    let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let person = ProjectedPerson()
      person.friends.append(ProjectedPerson())
      person.friends.projectTo.fullName[0] = "x"
    }
    expectStop(element, saying: "KeyPath is not writable")
  }

  @Test func outsideAWrite() async {
    let property = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (scratch, john) = Self.john()
      withExtendedLifetime(scratch) { john.firstName = "Jon" }
    }
    expectStop(property, saying: "Attempting to modify object outside of a write transaction")
    let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (scratch, john) = Self.john()
      try scratch.realm.write { john.friends.append(john.rootObject) }
      john.friendsNames[0] = "Jon"
    }
    expectStop(element, saying: "Attempting to modify object outside of a write transaction")
  }

  @Test func deletedRoots() async {
    let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (scratch, john) = Self.john()
      try scratch.realm.write { scratch.realm.delete(john.rootObject) }
      _ = john.firstName
    }
    expectStop(deleted, saying: "Object has been deleted or invalidated.")
  }

  @Test func unknownNames() async {
    let label = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.john().0.realm.objects(PersonProjection.self).sorted(byKeyPath: "homeCity")
    }
    expectStop(
      label, saying: "Cannot sort on key path 'homeCity': property 'ProjectedPerson.homeCity' does not exist."
    )
    let position = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.john().1.friendsNames[0]
    }
    expectStop(position, saying: "Index 0 is out of bounds (must be less than 0).")
    let descriptor = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.john().0.realm.objects(PersonProjection.self).sectioned(
        by: \.homeCity, sortDescriptors: [SortDescriptor(keyPath: "lastName")])
    }
    expectStop(descriptor, saying: "The section key path must match the primary sort descriptor.")
  }

  @Test func classesOutsideTheRealm() async {
    let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = try ScratchRealm(opening: [SectionBook.self, SectionShop.self])
      _ = scratch.realm.objects(PersonProjection.self)
    }
    expectStop(other, saying: "Object type 'ProjectedPerson' is not managed by the Realm.")
  }
}
