import Foundation
import OfficialConversion
import RealmSwift
import Storage
import TestSupport
import Testing

@testable import OfficialFiles

/// Programs open files of the official SDK at their place.
struct OpeningTests {
  private let folder = ScratchFolder()
  private var url: URL { folder.file("people.realm") }
  private var former: String { url.path + ".official" }
  private static let types = [
    Converted.Person.self, Converted.Address.self, Converted.Company.self, Converted.New.self,
    Converted.Untouched.self,
  ]

  private func place(_ sample: Sample) throws -> Data {
    let data = try Data(contentsOf: URL(fileURLWithPath: sample.path))
    try data.write(to: url)
    return data
  }

  private func configuration(
    _ sample: Sample = .schema, _ policy: Realm.OfficialFilePolicy = .convert
  ) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: url, encryptionKey: sample.key.map { Data($0) },
      schemaVersion: (try? sample.description().schemaVersion) ?? 0,
      objectTypes: sample.content == "schema" ? Self.types : [], officialFile: policy)
  }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()) ?? []
  }

  @Test func theFirstOpenConverts() throws {
    let old = try place(.schema)
    #expect(chmod(url.path, 0o640) == 0)
    do {
      let realm = try Realm(configuration: configuration())
      #expect(realm.objects(Converted.Untouched.self).first?.v.stringValue == "here")
      try realm.write { realm.delete(realm.objects(Converted.Untouched.self)) }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: former)) == old)
    var information = stat()
    #expect(stat(url.path, &information) == 0 && information.st_mode & 0o777 == 0o640)
    // What was written since is there, and nothing is converted again.
    let realm = try Realm(configuration: configuration())
    #expect(realm.objects(Converted.Untouched.self).isEmpty && realm.objects(Converted.New.self).count == 5)
    #expect(try FileVerification(path: url.path).faults == [])
    #expect(names == ["people.realm", "people.realm-lock", "people.realm.official"])
  }

  @Test func encryptedFilesHaveTheSameKey() throws {
    let old = try place(.encrypted)
    let count = try Realm(configuration: configuration(.encrypted)).dynamicObjects("AllTypes").count
    #expect(
      try count == Sample.encrypted.description().classes.first { $0.name == "AllTypes" }?.objects.count)
    #expect(try Data(contentsOf: URL(fileURLWithPath: former)) == old)
    var withoutKey = configuration(.encrypted)
    withoutKey.encryptionKey = nil
    #expect(throws: Realm.Error.self) { try Realm(configuration: withoutKey) }
  }

  /// What the file has is migrated to the classes of the program, as if it had always been one of this library.
  @Test func migrationsFollow() throws {
    _ = try place(.schema)
    var configuration = configuration()
    configuration.schemaVersion = 6
    #expect(realmError { _ = try Realm(configuration: configuration) }?.code == .fail)
    let versions = Versions()
    configuration.schemaVersion = 8
    configuration.migrationBlock = { _, old in versions.append(old) }
    _ = try Realm(configuration: configuration)
    #expect(versions.all == [7])
  }

  /// No class of the program is needed to look at it.
  @Test(arguments: Sample.all) func withTheClassesOfTheFile(sample: Sample) throws {
    _ = try place(sample)
    var configuration = configuration(sample)
    configuration.schema = .ofFile
    let realm = try Realm(configuration: configuration)
    let expected = try sample.description()
    let classes = expected.classes.filter { $0.kind != "asymmetric" }
    #expect(realm.configuration.schemaVersion == expected.schemaVersion)
    #expect(realm.schema.described.map(\.name) == classes.map(\.name).sorted())
    for expected in classes {
      let objects = realm.dynamicObjects(expected.name)
      #expect(objects.count == expected.objects.count)
      // Every value of every object can be read.
      for object in objects { #expect(object.description.hasPrefix(expected.name)) }
    }
  }

  @Test func deletingFilesDeletesTheOldOne() throws {
    _ = try place(.schema)
    _ = try Realm(configuration: configuration())
    #expect(try Realm.deleteFiles(for: configuration(.schema, .refuse)))
    #expect(names == ["people.realm.official"])
    #expect(try !Realm.deleteFiles(for: configuration()))
    #expect(names == [])
  }

  @Test func startingAnewKeepsTheOldFile() throws {
    let old = try place(.schema)
    var configuration = configuration()
    configuration.objectTypes = [Other.Company.self]
    configuration.deleteRealmIfMigrationNeeded = true
    #expect(try Realm(configuration: configuration).isEmpty)
    #expect(try Data(contentsOf: URL(fileURLWithPath: former)) == old)
  }

  @Test func aSeedIsConverted() throws {
    var configuration = configuration(.encrypted)
    configuration.seedFilePath = URL(fileURLWithPath: Sample.encrypted.path)
    #expect(try Realm(configuration: configuration).dynamicObjects("AllTypes").count > 0)
    #expect(names == ["people.realm", "people.realm-lock"])
  }

  @Test func manyThreads() async throws {
    let old = try place(.schema)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let configuration = configuration()
          return try autoreleasepool {
            try Realm(configuration: configuration, queue: nil).objects(Converted.New.self).count
          }
        }
      }
      for try await count in group { #expect(count == 5) }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: former)) == old)
    #expect(names == ["people.realm", "people.realm-lock", "people.realm.official"])
  }

  /// Whoever is killed between the two names leaves both.
  @Test func twoNamesOfOneFile() throws {
    let old = try place(.schema)
    try FileManager.default.linkItem(atPath: url.path, toPath: former)
    #expect(try Realm(configuration: configuration()).objects(Converted.New.self).count == 5)
    #expect(try Data(contentsOf: URL(fileURLWithPath: former)) == old)
  }

  // MARK: What is not converted

  @Test func somethingElseIsWhereTheOldFileIsToBe() throws {
    let old = try place(.schema)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: former))
    let error = realmError { _ = try Realm(configuration: configuration()) }
    #expect(error?.code == .fileExists)
    #expect(
      error?.localizedDescription
        == "Failed to keep the file '\(url.path)' as '\(former)', where something else is: move or delete that first."
    )
    #expect(try Data(contentsOf: url) == old)
    #expect(try Data(contentsOf: URL(fileURLWithPath: former)) == Data("mine".utf8))
    #expect(names == ["people.realm", "people.realm.official"])
  }

  @Test(arguments: [Sample.schema, .encrypted]) func refused(sample: Sample) throws {
    let old = try place(sample)
    let start = "Failed to open Realm file at path '\(url.path)': "
    let isEncrypted = sample.key != nil
    let looks = "it looks like a file that the official Realm SDK has encrypted"
    let message =
      isEncrypted
      ? "\(looks). Convert it with `officialFile: .convert` and its `encryptionKey` in the configuration, or with the command `realm convert OLD NEW --key-file KEY`."
      : "it is a file of the official Realm SDK. Convert it with `officialFile: .convert` in the configuration, or with the command `realm convert OLD NEW`."
    for hasKey in [false, true] {
      var configuration = configuration(sample, .refuse)
      configuration.encryptionKey = hasKey ? Data(100..<164) : nil
      let error = realmError { _ = try Realm(configuration: configuration) }
      #expect(error?.code == .unsupportedFileFormatVersion)
      #expect(error?.localizedDescription == start + message)
    }
    var readOnly = configuration(sample)
    readOnly.readOnly = true
    #expect(realmError { _ = try Realm(configuration: readOnly) }?.code == .unsupportedFileFormatVersion)

    // A plan converts nothing.
    #expect(throws: Realm.Error.self) { try Realm.migrationPlan(for: configuration(sample)) }

    var otherKey = configuration(sample)
    otherKey.encryptionKey = isEncrypted ? nil : Data(100..<164)
    let error = realmError { _ = try Realm(configuration: otherKey) }
    #expect(error?.code == .invalidDatabase)
    #expect(
      error?.localizedDescription
        == start
        + (isEncrypted
          ? "\(looks). The configuration needs its `encryptionKey` to convert it."
          : "it is a file of the official Realm SDK that is not encrypted, and the configuration has an `encryptionKey`. Convert it without, or with the command `realm convert OLD NEW --new-key-file KEY`.")
    )
    #expect(try Data(contentsOf: url) == old && names == ["people.realm"])
  }

  @Test func wrongKeysAndOtherFiles() throws {
    var configuration = configuration(.encrypted)
    configuration.encryptionKey = Data(100..<164)
    let old = try place(.encrypted)
    let error = realmError { _ = try Realm(configuration: configuration) }
    #expect(error?.code == .invalidDatabase && error?.localizedDescription.contains("key is wrong") == true)
    #expect(try Data(contentsOf: url) == old && names == ["people.realm"])
    // Neither ours nor official, and ours.
    try Data(String(repeating: "This is no realm. ", count: 2000).utf8).write(to: url)
    let other = realmError { _ = try Realm(configuration: configuration) }
    #expect(
      other?.localizedDescription == "Failed to open Realm file at path '\(url.path)': not a Realm file.")
    try FileManager.default.removeItem(at: url)
    #expect(try Realm(configuration: configuration).isEmpty)
    #expect(names == ["people.realm", "people.realm-lock"])
  }

  private func realmError(_ body: () throws -> Void) -> Realm.Error? {
    do {
      try body()
      return nil
    } catch { return error as? Realm.Error }
  }
}

private final class Versions: @unchecked Sendable {
  private let lock = NSLock()
  private var versions: [UInt64] = []
  var all: [UInt64] { lock.withLock { versions } }
  func append(_ version: UInt64) { lock.withLock { versions.append(version) } }
}

/// Not as the samples have it.
private enum Other {
  class Company: Object {
    @Persisted(primaryKey: true) var number: Int

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
}
