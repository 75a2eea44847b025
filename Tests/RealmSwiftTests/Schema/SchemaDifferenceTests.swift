import Foundation
import RealmSwift
import TestSupport
import Testing

/// What opening a file says when its classes differ.
@Suite struct SchemaDifferenceTests {
  let file = ScratchRealm()

  private func expectMismatch(
    _ types: [ObjectBase.Type], _ lines: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try Data(contentsOf: file.url)
    let error = realmError { _ = try file.open(types) }
    #expect(error?.code == .schemaMismatch, sourceLocation: sourceLocation)
    #expect(
      error?.localizedDescription
        == "Migration is required due to the following errors:\n"
        + lines.map { "- \($0)" }.joined(separator: "\n")
        + "\nThis concerns the Realm file at path '\(file.path)': set `schemaVersion` to more than 0 to migrate it.",
      sourceLocation: sourceLocation)
    #expect(error?.fileURL?.path == file.path, sourceLocation: sourceLocation)
    #expect(try Data(contentsOf: file.url) == before, sourceLocation: sourceLocation)
  }

  private func create(_ types: [ObjectBase.Type], version: UInt64 = 0) throws {
    _ = try file.open(types, version: version)
  }

  @Test func propertiesOfAllKinds() throws {
    try create(First.types)
    try expectMismatch(
      Second.types,
      [
        "Property 'Item.number' has been made optional.",
        "Property 'Item.text' has been made required.",
        "Property 'Item.gone' has been changed from 'double' to 'data?'.",
        "Property 'Item.numbers' has been made required.",
        "Property 'Item.letters' has been made required.",
        "Property 'Item.scores' has been made required.",
        "Property 'Item.added' has been added.",
        "Property 'Item.addedLink' has been added.",
        "Property 'Item.addedId' has been added.",
        "Property 'Item.addedOptional' has been added.",
        "Property 'Item.addedList' has been added.",
        "Property 'Item.addedDate' has been added.",
        "Property 'Item.parts' has been removed.",
        "Primary Key for class 'Item' has been added.",
      ])
  }

  @Test func linksToOtherClasses() throws {
    try create(Linking.types)
    try expectMismatch(
      LinkingElsewhere.types,
      [
        "Property 'Item.link' has been changed from '<RealmDog>' to '<RealmPlace>'.",
        "Property 'Item.links' has been changed from 'array<RealmDog>' to 'array<RealmPlace>'.",
      ])
  }

  @Test func embeddedClasses() throws {
    try create(TopLevel.types)
    try expectMismatch(Embedding.types, ["Class 'Part' has been changed from TopLevel to Embedded."])
  }

  @Test func topLevelClasses() throws {
    try create(Embedding.types)
    try expectMismatch(TopLevel.types, ["Class 'Part' has been changed from Embedded to TopLevel."])
  }

  @Test func keys() throws {
    try create(KeyedByNumber.types)
    try expectMismatch(
      KeyedByText.types, ["Primary Key for class 'Item' has changed from 'number' to 'text'."])
    try expectMismatch(Unkeyed.types, ["Primary Key for class 'Item' has been removed."])
    let other = ScratchRealm()
    _ = try other.open(Unkeyed.types)
    #expect(
      realmError { _ = try other.open(KeyedByText.types) }?.localizedDescription
        == "Migration is required due to the following errors:\n- Primary Key for class 'Item' has been added.\nThis concerns the Realm file at path '\(other.path)': set `schemaVersion` to more than 0 to migrate it."
    )
  }

  // MARK: What is silent

  @Test func classesAreAddedAndKept() throws {
    do {
      let realm = try file.open([RealmPlace.self])
      try realm.write { realm.add(RealmPlace(value: ["code": "x"])) }
    }
    do {
      let realm = try file.open([RealmDog.self])
      #expect(realm.schema["RealmPlace"] == nil)
      try realm.write { realm.add(RealmDog(value: ["id": 1])) }
    }
    let realm = try file.open()
    #expect(realm.objects(RealmPlace.self).first?.code == "x")
    #expect(realm.objects(RealmDog.self).first?.id == 1)
  }

  @Test func indexesAreAddedAndRemoved() throws {
    do {
      let realm = try file.open(Unindexed.types)
      try realm.write {
        for number in 0..<3000 {
          realm.create(Unindexed.Item.self, value: ["number": number % 7, "text": "\(number % 5)"])
        }
      }
    }
    do {
      let realm = try file.open(Indexed.types)
      let items = realm.objects(Indexed.Item.self)
      #expect(items.where { $0.number == 3 }.count == 429)
      #expect(items.where { $0.text == "3" }.count == 600)
      try realm.write {
        items[3].number = 100
        realm.delete(items[10])
        realm.create(Indexed.Item.self, value: ["number": 3])
      }
      #expect(items.where { $0.number == 3 }.count == 428)
      #expect(items.where { $0.number == 100 }.count == 1)
    }
    do {
      let realm = try file.open(Unindexed.types)
      #expect(realm.objects(Unindexed.Item.self).where { $0.number == 3 }.count == 428)
      try realm.write { realm.create(Unindexed.Item.self, value: ["number": 3]) }
    }
    let realm = try file.open(Indexed.types)
    #expect(realm.objects(Indexed.Item.self).where { $0.number == 3 }.count == 429)
  }

  // MARK: Versions

  @Test func lowerVersions() throws {
    try create(Unkeyed.types, version: 1)
    let error = realmError { _ = try file.open(Unkeyed.types, version: 0) }
    #expect(error?.code == .fail)
    #expect(
      error?.localizedDescription
        == "Provided schema version 0 is less than last set version 1. A newer version of the program has migrated the Realm file at path '\(file.path)': update this program, or set `schemaVersion` to 1 or more."
    )
    #expect(try schemaVersionAtURL(file.url, encryptionKey: ScratchRealm.usualKey) == 1)
  }

  @Test func aNewFileHasTheVersion() throws {
    nonisolated(unsafe) var isCalled = false
    var configuration = file.configuration(Unkeyed.types, version: 5)
    configuration.migrationBlock = { _, _ in isCalled = true }
    _ = try Realm(configuration: configuration)
    #expect(try schemaVersionAtURL(file.url, encryptionKey: ScratchRealm.usualKey) == 5)
    #expect(!isCalled)
    // Nor does it run when the version is the same.
    _ = try Realm(configuration: configuration)
    #expect(!isCalled)
  }

  // MARK: Starting anew

  @Test func filesAreDeletedWhereAMigrationIsNeeded() throws {
    do {
      let realm = try file.open(Unkeyed.types, version: 3)
      try realm.write { realm.create(Unkeyed.Item.self, value: ["number": 1]) }
    }
    var configuration = file.configuration(Unkeyed.types, version: 3)
    configuration.deleteRealmIfMigrationNeeded = true
    configuration.migrationBlock = { _, _ in fatalError("called") }
    #expect(try Realm(configuration: configuration).objects(Unkeyed.Item.self).count == 1)
    // Other classes, a lower and a higher version.
    for (types, version) in [(KeyedByNumber.types, 3), (KeyedByNumber.types, 2), (KeyedByNumber.types, 4)]
      as [([ObjectBase.Type], UInt64)]
    {
      configuration.objectTypes = types
      configuration.schemaVersion = version
      let realm = try Realm(configuration: configuration)
      #expect(realm.isEmpty)
      try realm.write { realm.create(KeyedByNumber.Item.self, value: ["number": 1]) }
    }
    #expect(try schemaVersionAtURL(file.url, encryptionKey: ScratchRealm.usualKey) == 4)
  }

  @Test func openFilesAreNotDeleted() throws {
    let realm = try file.open(Unkeyed.types)
    try realm.write { realm.create(Unkeyed.Item.self, value: ["number": 1]) }
    var configuration = file.configuration(KeyedByNumber.types)
    configuration.deleteRealmIfMigrationNeeded = true
    let error = onThread { [configuration] in realmError { _ = try Realm(configuration: configuration) } }
    #expect(error?.code == .alreadyOpen)
    #expect(realm.objects(Unkeyed.Item.self).count == 1)
  }

  /// The file begins with it, once, and then is empty; whether to compact it is asked once, too.
  @Test func aSeedThatDoesNotFitEither() throws {
    let seed = ScratchRealm()
    try autoreleasepool {
      let realm = try seed.open(Unkeyed.types)
      try realm.write { realm.create(Unkeyed.Item.self, value: ["number": 1]) }
    }
    let bytes = try Data(contentsOf: seed.url)
    let asked = Mutex(0)
    var configuration = file.configuration(KeyedByNumber.types)
    configuration.deleteRealmIfMigrationNeeded = true
    configuration.seedFilePath = seed.url
    configuration.shouldCompactOnLaunch = { _, _ in
      asked.withLock { $0 += 1 }
      return false
    }
    #expect(try Realm(configuration: configuration).isEmpty)
    #expect(asked.withLock { $0 } == 1)
    #expect(try Data(contentsOf: seed.url) == bytes)
    #expect(try seed.open(Unkeyed.types).objects(Unkeyed.Item.self).count == 1)
  }

  /// A link goes on leading to the file.
  @Test func aLinkIsKept() throws {
    try autoreleasepool { try file.open(Unkeyed.types).write {} }
    let link = file.url.path + ".link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.url.path)
    var configuration = file.configuration(KeyedByNumber.types)
    configuration.fileURL = URL(fileURLWithPath: link)
    configuration.deleteRealmIfMigrationNeeded = true
    try autoreleasepool {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(KeyedByNumber.Item.self, value: ["number": 1]) }
    }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file.url.path)
    #expect(try file.open(KeyedByNumber.types).objects(KeyedByNumber.Item.self).count == 1)
  }

  /// Each finds a file that is to be deleted, and one of them deletes it: not what the others make in its place.
  @Test func threadsThatStartAnewTogether() throws {
    for round in 0..<20 {
      let file = ScratchRealm()
      try file.open(Unkeyed.types).write {}
      var configuration = file.configuration(KeyedByNumber.types)
      configuration.deleteRealmIfMigrationNeeded = true
      let anew = configuration
      let errors = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { number in
        do {
          try autoreleasepool {
            let realm = try Realm(configuration: anew)
            try realm.write { _ = realm.create(KeyedByNumber.Item.self, value: ["number": number]) }
          }
        } catch {
          errors.withLock { $0.append("\(error)") }
        }
      }
      #expect(errors.withLock { $0 } == [], "round \(round)")
      let numbers = try Realm(configuration: anew).objects(KeyedByNumber.Item.self).map(\.number)
      #expect(numbers.sorted() == Array(0..<8), "round \(round)")
    }
  }

  // MARK: Read-only

  @Test func readOnlyFilesMayHaveOtherClasses() throws {
    try file.fill(dogs: 5)
    let realm = try file.openReadOnly([RealmDog.self, RealmPlace.self, Unkeyed.Item.self])
    #expect(realm.objects(RealmDog.self).count == 5)
    #expect(realm.objects(Unkeyed.Item.self).count == 0)
    #expect(realm.objects(Unkeyed.Item.self).where { $0.number == 1 }.first == nil)
    #expect(!realm.isEmpty)
    let configuration = realm.configuration
    #expect(configuration.readOnly)
  }

  @Test func readOnlyFilesMayHaveMoreThanTheClasses() throws {
    do {
      let realm = try file.open(Indexed.types)
      try realm.write { realm.create(Indexed.Item.self, value: ["number": 1, "text": "a"]) }
    }
    #expect(try file.openReadOnly(OnlyNumber.types).objects(OnlyNumber.Item.self).first?.number == 1)
    // A realm without classes reads them all.
    #expect(try file.openReadOnly([]).dynamicObjects("Item").first?.text as? String == "a")
  }

  @Test func readOnlyFilesMustHaveTheProperties() throws {
    _ = try file.open(OnlyNumber.types)
    let error = realmError { _ = try file.openReadOnly(Unkeyed.types) }
    #expect(error?.code == .schemaMismatch)
    #expect(
      error?.localizedDescription
        == "The following changes cannot be made in read-only schema mode:\n- Property 'Item.text' has been added.\nThis concerns the Realm file at path '\(file.path)': open it for writing once to migrate it."
    )
  }

  @Test func readOnlyFilesMustHaveTheVersion() throws {
    _ = try file.open(Unkeyed.types, version: 2)
    let error = realmError { _ = try file.openReadOnly(Unkeyed.types, version: 3) }
    #expect(error?.code == .fail)
    #expect(
      error?.localizedDescription
        == "Provided schema version 3 does not equal last set version 2. A read-only realm is not migrated: open the Realm file at path '\(file.path)' for writing once, or set `schemaVersion` to 2."
    )
  }

  @Test func readOnlyRealmsAreNotWritten() async throws {
    try file.fill()
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = file.path as String] in
      let realm = try Realm(
        configuration: Realm.Configuration(
          fileURL: URL(fileURLWithPath: path), encryptionKey: ScratchRealm.usualKey, readOnly: true,
          objectTypes: [RealmDog.self]))
      realm.beginWrite()
    }
    expectStop(result, saying: "Can't perform transactions on read-only Realms.")
  }

  @Test func readOnlyRealmsAreNotRefreshed() async throws {
    try file.fill()
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = file.path as String] in
      let realm = try Realm(
        configuration: Realm.Configuration(
          fileURL: URL(fileURLWithPath: path), encryptionKey: ScratchRealm.usualKey, readOnly: true,
          objectTypes: [RealmDog.self]))
      realm.refresh()
    }
    expectStop(result, saying: "Read-only Realms do not change and cannot be refreshed.")
  }
}

enum OnlyNumber {
  class Item: HiddenItem { @Persisted var number = 0 }
  static let types: [ObjectBase.Type] = [Item.self]
}
