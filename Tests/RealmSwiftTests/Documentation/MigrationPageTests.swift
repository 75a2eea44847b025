import Foundation
import RealmSwift
import Testing

// What the pages "Migrations" and "Change an object model" of the official documentation promise, from version to
// version of one app.

private enum Version0 {
  class Citizen: Hidden {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
  }
}
/// A property was added.
private enum Version1 {
  class Citizen: Hidden {
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var age = 0
    @Persisted var email: String?
  }
}
/// Two properties became one.
private enum Version2 {
  class Citizen: Hidden {
    @Persisted var fullName = ""
    @Persisted var age = 0
    @Persisted var email: String?
  }
}
/// One has another name.
private enum Version3 {
  class Citizen: Hidden {
    @Persisted var fullName = ""
    @Persisted var yearsSinceBirth = 0
    @Persisted var email: String?
  }
}
/// One has another type, and there is a key.
private enum Version4 {
  class Citizen: Hidden {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var fullName = ""
    @Persisted var yearsSinceBirth = ""
    @Persisted var email: String?
  }
}
/// A link to an embedded object was made of one.
private enum Version5 {
  class Citizen: Hidden {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted(indexed: true) var fullName = ""
    @Persisted var yearsSinceBirth = ""
    @Persisted var contact: Contact?
  }
  class Contact: HiddenEmbedded {
    @Persisted var email = ""
  }
}

@Suite struct MigrationPageTests {
  let file = ScratchRealm()

  /// One block serves files of every age.
  private static let block: MigrationBlock = { migration, oldVersion in
    if oldVersion < 2 {
      migration.enumerateObjects(ofType: "Citizen") { old, new in
        guard let new, new.objectSchema["fullName"] != nil else { return }
        new["fullName"] = "\(old!["firstName"]!) \(old!["lastName"]!)"
      }
    }
    if oldVersion < 3, migration.newSchema["Citizen"]?["yearsSinceBirth"]?.type == .int {
      migration.renameProperty(onType: "Citizen", from: "age", to: "yearsSinceBirth")
    }
    if oldVersion < 4, migration.newSchema["Citizen"]?["id"] != nil {
      migration.enumerateObjects(ofType: "Citizen") { old, new in
        new!["id"] = ObjectId.generate()
        new!["yearsSinceBirth"] = "\((old![oldVersion < 3 ? "age" : "yearsSinceBirth"] as! Int))"
      }
    }
    if oldVersion < 5, migration.newSchema["Contact"] != nil {
      migration.enumerateObjects(ofType: "Citizen") { old, new in
        if oldVersion > 0, let email = old!["email"] { new!["contact"] = ["email": email] }
      }
    }
  }

  private static let classes: [[ObjectBase.Type]] = [
    [Version0.Citizen.self], [Version1.Citizen.self], [Version2.Citizen.self], [Version3.Citizen.self],
    [Version4.Citizen.self], [Version5.Citizen.self, Version5.Contact.self],
  ]

  private func open(_ version: Int) throws -> Realm {
    try file.migrate(Self.classes[version], to: UInt64(version), Self.block)
  }

  private func fill() throws {
    let realm = try open(0)
    try realm.write {
      for number in 0..<1000 {
        realm.create(
          Version0.Citizen.self, value: ["firstName": "Ada \(number)", "lastName": "Lovelace", "age": number])
      }
    }
  }

  private func checkNewest(_ realm: Realm, emails: Int) {
    let citizens = realm.objects(Version5.Citizen.self)
    #expect(citizens.count == 1000)
    #expect(Set(citizens.map(\.id)).count == 1000)
    for number in [0, 1, 959, 960, 999] {
      let found = citizens.where { $0.fullName == "Ada \(number) Lovelace" }
      #expect(found.map(\.yearsSinceBirth) == ["\(number)"])
    }
    #expect(citizens.where { $0.contact.email == "ada@example.org" }.count == emails)
  }

  @Test func fromTheFirstToTheLastAtOnce() throws {
    try fill()
    checkNewest(try open(5), emails: 0)
  }

  @Test func fromVersionToVersion() throws {
    try fill()
    do {
      let realm = try open(1)
      try realm.write { realm.objects(Version1.Citizen.self)[7].email = "ada@example.org" }
    }
    for version in 2...4 { _ = try open(version) }
    checkNewest(try open(5), emails: 1)
  }

  @Test(arguments: 1...4) func fromAnyOfThem(_ version: Int) throws {
    try fill()
    _ = try open(version)
    checkNewest(try open(5), emails: 0)
  }

  /// Properties that are added or removed need a new schema version, and no block.
  @Test func addingAndRemovingProperties() throws {
    try fill()
    #expect(realmError { _ = try file.open(Self.classes[1]) }?.code == .schemaMismatch)
    let realm = try file.migrate(Self.classes[1], to: 1)
    #expect(realm.objects(Version1.Citizen.self)[3].lastName == "Lovelace")
    #expect(realm.objects(Version1.Citizen.self)[3].email == nil)
  }

  /// While an app is developed, the file may simply go.
  @Test func deletingTheFileInstead() throws {
    try fill()
    var configuration = file.configuration(Self.classes[5])
    configuration.deleteRealmIfMigrationNeeded = true
    #expect(try Realm(configuration: configuration).isEmpty)
  }

  /// Asynchronous opening migrates, too.
  @Test @MainActor func openingAsynchronously() async throws {
    try fill()
    var configuration = file.configuration(Self.classes[5], version: 5)
    configuration.migrationBlock = Self.block
    checkNewest(try await Realm(configuration: configuration), emails: 0)
  }

  @Test func performingAMigrationBeforehand() throws {
    try fill()
    var configuration = file.configuration(Self.classes[5], version: 5)
    configuration.migrationBlock = Self.block
    try Realm.performMigration(for: configuration)
    #expect(try schemaVersionAtURL(file.url, encryptionKey: ScratchRealm.usualKey) == 5)
    configuration.migrationBlock = nil
    checkNewest(try Realm(configuration: configuration), emails: 0)
  }
}
