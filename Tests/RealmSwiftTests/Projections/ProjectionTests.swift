import Foundation
import RealmSwift
import Testing

struct ProjectionTests {
  let scratch: ScratchRealm
  var realm: Realm { scratch.realm }
  var people: Results<PersonProjection> { realm.objects(PersonProjection.self) }

  init() throws {
    scratch = try ScratchRealm(opening: [ProjectedPerson.self, ProjectedAddress.self, ProjectedKinds.self])
    let realm = scratch.realm
    try realm.write {
      let snow = ProjectedPerson(1, "John", "Snow", city: "Winterfell")
      let dany = ProjectedPerson(2, "Daenerys", "Targaryen", city: "King's Landing")
      let tyrion = ProjectedPerson(3, "Tyrion", "Lannister")
      realm.add([snow, dany, tyrion])
      snow.friends.append(objectsIn: [dany, tyrion])
      snow.rivals.insert(dany)
      snow.bestFriend = tyrion
      snow.reviews.append("knows nothing")
      dany.friends.append(snow)
    }
  }

  @Test func reading() throws {
    let john = try #require(people.first)
    #expect(john.firstName == "John" && john.lastNameCaps == "SNOW" && john.birthdayAsEpochtime == 1)
    #expect(
      john.homeCity == "Winterfell" && john.firstReview == "knows nothing" && john.fullName == "John Snow")
    #expect(john.bestFriendsName == "Lannister")
    #expect(Array(john.friendsNames) == ["Daenerys", "Tyrion"])
    #expect(john.friends.map(\.firstName) == ["Daenerys", "Tyrion"])
    #expect(john.rivalsAddresses.map { $0?.city } == ["King's Landing"])
    #expect(john.greeting == "Hello, John!" && john.note == "unset")
    #expect(john.rootObject.isSameObject(as: realm.object(ofType: ProjectedPerson.self, forPrimaryKey: 1)))
    #expect(john.realm == realm && !john.isInvalidated && !john.isFrozen)

    let tyrion = try #require(people.last)
    #expect(tyrion.homeCity == nil && tyrion.firstReview == nil && tyrion.bestFriendsName == nil)
    #expect(tyrion.friendsNames.isEmpty)
    #expect(PersonProjection.className() == "ProjectedPerson")
  }

  @Test func subclassesOfProjections() throws {
    let short = try #require(realm.objects(ShortPersonProjection.self).first)
    #expect(short.number == 1 && short.firstName == "John" && short.friendsNames.count == 2)
    #expect(_name(for: \ShortPersonProjection.homeCity) == "address.city")
  }

  @Test func writing() throws {
    let john = try #require(people.first)
    let root = john.rootObject
    try realm.write {
      john.firstName = "Jon"
      #expect(root.firstName == "Jon")
      john.friends.append(root)
      john.friends = List()
      john.note = "set"
    }
    #expect(john.firstName == "Jon" && root.friends.isEmpty && john.note == "set")
    // Another projection of the row shows the same, but has its own members.
    #expect(people[0].firstName == "Jon" && people[0].note == "unset")
    root.realm?.beginWrite()
    root.firstName = "J"
    #expect(john.firstName == "J")
    root.realm?.cancelWrite()
    #expect(john.firstName == "Jon")
  }

  @Test func unmanagedObjects() {
    let person = ProjectedPerson(7, "Arya", "Stark", city: "Braavos")
    person.friends.append(ProjectedPerson(8, "Gendry"))
    let arya = PersonProjection(projecting: person)
    #expect(arya.homeCity == "Braavos" && Array(arya.friendsNames) == ["Gendry"] && arya.realm == nil)
    arya.firstName = "No one"
    #expect(person.firstName == "No one")
    arya.friendsNames[0] = "Hound"
    #expect(person.friends[0].firstName == "Hound")
    #expect(!arya.isInvalidated && !arya.isFrozen)
    #expect(arya == PersonProjection(projecting: person))
    #expect(arya != PersonProjection(projecting: ProjectedPerson(7, "Arya")))
  }

  @Test func projectedCollections() throws {
    let john = try #require(people.first)
    let names = john.friendsNames
    #expect(names.count == 2 && names[1] == "Tyrion" && names.first == "Daenerys" && names.last == "Tyrion")
    #expect(names.index(of: "Tyrion") == 1 && names.index(of: "Bran") == nil)
    // Predicates are about the objects.
    #expect(names.index(matching: NSPredicate(format: "lastName == 'Lannister'")) == 1)
    #expect(john.rivalsAddresses.index(matching: NSPredicate(format: "id == 2")) == 0)
    #expect(names.index(matching: NSPredicate(format: "id == 9")) == nil)
    #expect(names.filter { $0.hasPrefix("D") } == ["Daenerys"])
    #expect(names.contains("Tyrion") && names.sorted() == ["Daenerys", "Tyrion"])
    #expect(names.realm == realm && !names.isInvalidated && !names.isFrozen)
    #expect(names.description == "ProjectedCollection<String> {\n\t[0] Daenerys\n\t[1] Tyrion\n}")
    try realm.write {
      names[1] = "Imp"
      john.friendsNames[0] = "Dany"
      john.rootObject.friends.append(john.rootObject)
    }
    #expect(Array(names) == ["Dany", "Imp", "John"])
    #expect(realm.object(ofType: ProjectedPerson.self, forPrimaryKey: 3)?.firstName == "Imp")
    try realm.write {
      // The walk goes over what was there when it began.
      var seen: [String] = []
      for name in names {
        seen.append(name)
        john.rootObject.friends.removeAll()
      }
      #expect(seen == ["Dany", "Imp", "John"])
    }
    #expect(names.isEmpty)
    try realm.write { realm.delete(john.rootObject) }
    #expect(names.isInvalidated)
  }

  @Test func equalityAndHashing() throws {
    let first = people[0]
    let again = try #require(people.filter("firstName == 'John'").first)
    #expect(first !== again && first == again && first.hashValue == again.hashValue)
    #expect(first != people[1])
    #expect(Set([first, again, people[1]]).count == 2)
    #expect(people.index(of: first) == 0 && people.index(of: people[2]) == 2)
    #expect(people.contains(again))
    #expect(people.index(of: PersonProjection(projecting: ProjectedPerson(9, "Bran"))) == nil)
  }

  @Test func description() throws {
    let text = try #require(people.first).description
    #expect(
      text.hasPrefix("PersonProjection<ProjectedPerson> <0x")
        && text.contains("> {\n\t\tfirstName(\\.firstName) = John;\n"))
    #expect(text.contains("\n\tlastNameCaps(\\.lastName) = SNOW;\n"))
    #expect(text.contains("\n\tbirthdayAsEpochtime(\\.birthday) = 1.0;\n"))
    #expect(text.contains("\n\thomeCity(\\.address.city) = Optional(\"Winterfell\");\n"))
    #expect(text.contains("\n\tfriendsNames(\\.friends) = ProjectedCollection<String> {\n\t[0] Daenerys\n"))
    #expect(text.hasSuffix(";\n}"))
  }

  @Test func namesOfKeyPaths() {
    #expect(_name(for: \PersonProjection.firstName) == "firstName")
    #expect(_name(for: \PersonProjection.lastNameCaps) == "lastName")
    #expect(_name(for: \PersonProjection.homeCity) == "address.city")
    #expect(_name(for: \PersonProjection.friendsNames) == "friends")
    #expect(_name(for: \PersonProjection.firstReview) == "reviews")
    #expect(_name(for: \PersonProjection.greeting) == "firstName")
    #expect(_name(for: \PersonProjection.note) == "")
    #expect(_name(for: \KindsProjection.firstPerson) == "people.firstName")
    #expect(_name(for: \KindsProjection.entry) == "intMap")
  }

  @Test func embeddedRoots() throws {
    let john = try #require(people.first)
    let address = AddressProjection(projecting: john.rootObject.address!)
    try realm.write { address.town = "The Wall" }
    #expect(john.homeCity == "The Wall")
    try realm.write { john.rootObject.address = nil }
    #expect(address.isInvalidated && address.realm == realm)
  }

  @Test func deletedRoots() throws {
    let john = try #require(people.first)
    try realm.write { realm.delete(john.rootObject) }
    #expect(john.isInvalidated && people.count == 2)
  }
}
