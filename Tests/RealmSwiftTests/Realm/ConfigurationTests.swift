import Foundation
import RealmSwift
import TestSupport
import Testing

@Suite struct ConfigurationTests {
  @Test func defaults() {
    let configuration = Realm.Configuration()
    #expect(configuration.fileURL?.lastPathComponent == "default.realm")
    #expect(configuration.fileURL == Realm.Configuration.defaultConfiguration.fileURL)
    #expect(configuration.inMemoryIdentifier == nil)
    #expect(configuration.encryptionKey == nil)
    #expect(!configuration.readOnly)
    #expect(configuration.schemaVersion == 0)
    #expect(configuration.migrationBlock == nil)
    #expect(!configuration.deleteRealmIfMigrationNeeded)
    #expect(configuration.shouldCompactOnLaunch == nil)
    #expect(configuration.objectTypes == nil)
    #expect(configuration.seedFilePath == nil)
    #expect(configuration.maximumNumberOfActiveVersions == nil)
    #expect(configuration.durability == .full)
    #expect(configuration.syncConfiguration == nil)
  }

  @Test func fileAndIdentifierExcludeEachOther() {
    var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: "/a"), inMemoryIdentifier: "b")
    #expect(configuration.fileURL == nil)
    #expect(configuration.inMemoryIdentifier == "b")
    configuration.fileURL = URL(fileURLWithPath: "/c")
    #expect(configuration.inMemoryIdentifier == nil)
    configuration.inMemoryIdentifier = "d"
    #expect(configuration.fileURL == nil)
    configuration.fileURL = nil
    #expect(configuration.inMemoryIdentifier == nil)
    configuration.fileURL = URL(fileURLWithPath: "/c")
    configuration.inMemoryIdentifier = nil
    #expect(configuration.fileURL == nil)
  }

  @Test func equalityLooksAtSomeSettings() {
    let base = Realm.Configuration(fileURL: URL(fileURLWithPath: "/a"))
    func differs(_ change: (inout Realm.Configuration) -> Void) -> Bool {
      var other = base
      change(&other)
      return other != base
    }
    #expect(differs { $0.fileURL = URL(fileURLWithPath: "/b") })
    #expect(differs { $0.inMemoryIdentifier = "b" })
    #expect(differs { $0.encryptionKey = Data(count: 64) })
    #expect(differs { $0.readOnly = true })
    #expect(differs { $0.schemaVersion = 1 })
    #expect(!differs { $0.deleteRealmIfMigrationNeeded = true })
    #expect(!differs { $0.objectTypes = [RealmPlace.self] })
    #expect(!differs { $0.migrationBlock = { _, _ in } })
  }

  @Test func objectTypesAreSortedAndUnique() {
    let configuration = Realm.Configuration(objectTypes: [RealmPlace.self, RealmDog.self, RealmPlace.self])
    let types = configuration.objectTypes ?? []
    #expect(types.map { $0.className() } == ["RealmDog", "RealmPlace"])
  }

  @Test func description() {
    let configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: "/a/b.realm"), schemaVersion: 3, objectTypes: [RealmPlace.self])
    #expect(
      configuration.description == """
        Realm.Configuration {
        \tfileURL = file:///a/b.realm;
        \tinMemoryIdentifier = (null);
        \tencryptionKey = (null);
        \treadOnly = 0;
        \tschemaVersion = 3;
        \tmigrationBlock = (null);
        \tdeleteRealmIfMigrationNeeded = 0;
        \tshouldCompactOnLaunch = (null);
        \tdynamic = 0;
        \tcustomSchema = Schema {
        \t\tRealmPlace {
        \t\t\tcode {
        \t\t\t\ttype = string;
        \t\t\t\tcolumnName = code;
        \t\t\t\tindexed = YES;
        \t\t\t\tisPrimary = YES;
        \t\t\t\tarray = NO;
        \t\t\t\tset = NO;
        \t\t\t\tdictionary = NO;
        \t\t\t\toptional = NO;
        \t\t\t}
        \t\t\ttitle {
        \t\t\t\ttype = string;
        \t\t\t\tcolumnName = title;
        \t\t\t\tindexed = NO;
        \t\t\t\tisPrimary = NO;
        \t\t\t\tarray = NO;
        \t\t\t\tset = NO;
        \t\t\t\tdictionary = NO;
        \t\t\t\toptional = YES;
        \t\t\t}
        \t\t}
        \t};
        }
        """)
  }

  // MARK: What stops the program

  @Test func needsAPathOrIdentifier() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try? Realm(configuration: Realm.Configuration(fileURL: nil))
    }
    expectStop(result, saying: "A Realm Configuration must specify a path or an in-memory identifier.")
  }

  @Test func needsAnIdentifierWithLetters() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try? Realm(configuration: Realm.Configuration(inMemoryIdentifier: ""))
    }
    expectStop(result, saying: "In-memory identifier must not be empty")
  }

  @Test func needsAKeyOf64Bytes() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Realm.Configuration.defaultConfiguration = Realm.Configuration(encryptionKey: Data(count: 63))
    }
    expectStop(result, saying: "Encryption key must be exactly 64 bytes long")
  }

  @Test func readOnlyFilesAreNotDeleted() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try? Realm(configuration: Realm.Configuration(readOnly: true, deleteRealmIfMigrationNeeded: true))
    }
    expectStop(result, saying: "Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.")
  }

  @Test func readOnlyFilesAreNotCompacted() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Realm.Configuration(readOnly: true, shouldCompactOnLaunch: { _, _ in true }).description
    }
    expectStop(result, saying: "Cannot set `shouldCompactOnLaunch` when `readOnly` is set.")
  }

  @Test func theHighestVersionIsReserved() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var configuration = Realm.Configuration()
      configuration.schemaVersion = .max
    }
    expectStop(result, saying: "Cannot set schema version to 18446744073709551615 (RLMNotVersioned)")
  }
}
