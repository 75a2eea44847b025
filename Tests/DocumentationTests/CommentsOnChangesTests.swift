import Foundation
import RealmSwift
import TestSupport
import Testing

class OldPerson: Object {
  @Persisted var firstName: String
  @Persisted var surname: String

  override class func _realmObjectName() -> String? { "Person" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class NewPerson: Object {
  @Persisted var firstName: String
  @Persisted var lastName: String
  @Persisted var fullName: String

  override class func _realmObjectName() -> String? { "Person" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The samples in documentation comments of what concerns changes: of data, of classes, and who hears of them.
@MainActor struct CommentsOnChangesTests {
  @Test func observers() throws {
    let kennel = try Kennel()
    let (realm, person, dog, dogs) = (kennel.realm, kennel.person, kennel.wolfie, kennel.dogs)
    func ofRealm() -> NotificationToken {
      let token = realm.observe { _, realm in
        print(realm.objects(Dog.self).count)
      }
      return token
    }
    func ofCollection() -> NotificationToken {
      let token = person.dogs.observe { change in
        guard case .update(let dogs, let deletions, let insertions, _) = change else { return }
        print(dogs.count, deletions, insertions)
      }
      return token
    }
    func ofObject() -> NotificationToken {
      let token = dog.observe { (change: ObjectChange<Dog>) in
        if case .change(_, let properties) = change { print(properties.map { $0.name }) }
      }
      return token
    }
    let tokens = [ofRealm(), ofCollection(), ofObject()]
    let token = dogs.observe { _ in print("changed") }
    token.invalidate()
    try realm.write { dog.age += 1 }
    realm.refresh()
    for token in tokens { #expect(token.invalidate()) }
  }

  @Test func sequence() async throws {
    let kennel = try Kennel()
    let realm = kennel.realm
    let follower = Task {
      for await change in realm.objects(Dog.self).changes {
        if case .update(let dogs, _, let insertions, _) = change { print(dogs.count, insertions) }
      }
    }
    try realm.write { kennel.wolfie.age += 1 }
    follower.cancel()
    await follower.value
    #expect(kennel.wolfie.age == 2)
  }

  private let folder = ScratchFolder()

  private func writeOldFile() throws -> Realm.Configuration {
    var configuration = Realm.Configuration(
      fileURL: folder.file("people.realm"), objectTypes: [OldPerson.self])
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(OldPerson(value: ["firstName": "Jo", "surname": "Snow"])) }
    configuration.objectTypes = [NewPerson.self]
    configuration.schemaVersion = 2
    return configuration
  }

  @Test func block() throws {
    let file = try writeOldFile()
    var configuration = Realm.Configuration(schemaVersion: 2)
    configuration.migrationBlock = { migration, oldVersion in
      if oldVersion < 1 {
        migration.renameProperty(onType: "Person", from: "surname", to: "lastName")
      }
      if oldVersion < 2 {
        migration.enumerateObjects(ofType: "Person") { old, new in
          new!["fullName"] = "\(new!["firstName"]!) \(new!["lastName"]!)"
        }
      }
    }
    configuration.fileURL = file.fileURL
    configuration.objectTypes = file.objectTypes
    let plan = try Realm.migrationPlan(for: configuration)
    print(plan)
    #expect(plan.action == .migration)
    let people = try Realm(configuration: configuration).objects(NewPerson.self)
    #expect(people.first?.fullName == "Jo Snow" && people.first?.lastName == "Snow")
  }

  @Test func steps() throws {
    var configuration = try writeOldFile()
    configuration.migrationBlock = { migration, _ in
      migration.step("Surnames are last names", to: 1) {
        migration.renameProperty(onType: "Person", from: "surname", to: "lastName")
      }
      migration.step("No dogs without a name", to: 2) {
        migration.enumerateObjects(ofType: "Dog") { _, dog in
          if dog?["name"] as? String == "" { dog?["name"] = "Rex" }
        }
      }
    }
    let people = try Realm(configuration: configuration).objects(NewPerson.self)
    #expect(people.first?.lastName == "Snow")
  }

  @Test func views() throws {
    let mountains = try Mountains()
    var environment = EnvironmentValues()
    environment.realmConfiguration = mountains.configuration
    let view = HutCount()
    let updates = ViewUpdates(of: view) { print(view.body) }
    withExtendedLifetime(updates) {}
    #expect(ViewUpdates(of: view, environment: environment) { _ = view.body } !== updates)
  }
}
