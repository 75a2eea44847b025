import Foundation
import RealmSwift
import Testing

@Suite struct FilesTests {
  let file = ScratchRealm()

  @Test func existsAndIsDeleted() throws {
    let configuration = file.configuration()
    #expect(!Realm.fileExists(for: configuration))
    #expect(try !Realm.deleteFiles(for: configuration))
    try file.fill()
    #expect(Realm.fileExists(for: configuration))
    #expect(try Realm.deleteFiles(for: configuration))
    #expect(!Realm.fileExists(for: configuration))
    #expect(try FileManager.default.contentsOfDirectory(atPath: file.folder.path).isEmpty)
    #expect(try file.open().isEmpty)
  }

  @Test func openFilesAreNotDeleted() throws {
    let realm = try file.open()
    let error = realmError { _ = try Realm.deleteFiles(for: file.configuration()) }
    #expect(error?.code == .alreadyOpen)
    #expect(
      error?.localizedDescription
        == "Cannot delete files of an open Realm: '\(file.path)' is still in use.")
    try realm.write { realm.add(RealmDog()) }
  }

  /// Nothing is deleted, and nothing waits for a writer of the pipe.
  @Test func whatIsNoFileIsLeftAlone() throws {
    let pipe = file.folder.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let beside = pipe + "-lock"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: beside))
    var configuration = file.configuration()
    configuration.fileURL = URL(fileURLWithPath: pipe)
    #expect(realmError { _ = try Realm.deleteFiles(for: configuration) }?.code == .fileAccess)
    #expect(realmError { _ = try Realm.verify(at: URL(fileURLWithPath: pipe)) } != nil)
    #expect(
      realmError {
        try Realm.salvage(
          from: URL(fileURLWithPath: pipe), to: file.folder.appending(path: "rescued.realm"))
      } != nil)
    let left = try FileManager.default.contentsOfDirectory(atPath: file.folder.path)
    #expect(Set(left).isSuperset(of: ["pipe", "pipe-lock"]))
  }

  // MARK: Copies

  @Test func copiesAreWholeAndCompact() throws {
    try file.fill(dogs: 20_000)
    let realm = try file.open()
    // Each version takes the place of the one before the last.
    for version in 1...3 {
      try realm.write { realm.objects(RealmDog.self).setValue("version \(version)", forKey: "name") }
    }
    let copy = file.folder.appendingPathComponent("copy.realm")
    try realm.writeCopy(toFile: copy, encryptionKey: ScratchRealm.usualKey)
    try realm.write { realm.deleteAll() }
    var configuration = file.configuration()
    configuration.fileURL = copy
    #expect(try Realm(configuration: configuration).objects(RealmDog.self).count == 20_000)
    #expect(try Realm(configuration: configuration).objects(RealmDog.self).last?.name == "version 3")
    #expect(try Data(contentsOf: copy).count < Data(contentsOf: file.url).count)
    var target = file.configuration()
    target.fileURL = file.folder.appendingPathComponent("other.realm")
    try realm.writeCopy(configuration: target)
    #expect(try Realm(configuration: target).isEmpty)
  }

  @Test func copiesDoNotReplaceFiles() throws {
    let realm = try file.open()
    let copy = file.folder.appendingPathComponent("copy.realm")
    try Data([1, 2, 3]).write(to: copy)
    let error = realmError { try realm.writeCopy(toFile: copy, encryptionKey: ScratchRealm.usualKey) }
    #expect(error?.code == .fileExists)
    #expect(error?.localizedDescription.contains("File exists") == true)
    #expect(try Data(contentsOf: copy) == Data([1, 2, 3]))
    let missing = file.folder.appendingPathComponent("missing/copy.realm")
    #expect(
      realmError { try realm.writeCopy(toFile: missing, encryptionKey: ScratchRealm.usualKey) }?.code
        == .fileNotFound)
  }

  // MARK: Seeds

  @Test func seedsAreCopiedOnce() throws {
    try file.fill(dogs: 7)
    let target = ScratchRealm()
    var configuration = target.configuration()
    configuration.seedFilePath = file.url
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(RealmDog.self).count == 7)
      try realm.write { realm.deleteAll() }
    }
    #expect(try Realm(configuration: configuration).isEmpty)
    #expect(try file.open().objects(RealmDog.self).count == 7)
    let names = try FileManager.default.contentsOfDirectory(atPath: target.folder.path).sorted()
    #expect(names == ["test.realm", "test.realm-lock"])
  }

  /// A version of the seed is copied, whoever writes to it; what is no realm is not put in the realm's place.
  @Test func seedsInUse() throws {
    try file.fill(dogs: 7)
    let seed = try file.open()
    seed.beginWrite()
    seed.deleteAll()
    let target = ScratchRealm()
    var configuration = target.configuration()
    configuration.seedFilePath = file.url
    #expect(try Realm(configuration: configuration).objects(RealmDog.self).count == 7)
    seed.cancelWrite()
    let other = ScratchRealm()
    let text = other.folder.appendingPathComponent("seed.txt")
    try Data(repeating: 65, count: 20_000).write(to: text)
    configuration = other.configuration()
    configuration.seedFilePath = text
    #expect(realmError { _ = try Realm(configuration: configuration) }?.code == .invalidDatabase)
    #expect(!FileManager.default.fileExists(atPath: other.path))
  }

  @Test func missingSeedsAreErrors() {
    var configuration = file.configuration()
    configuration.seedFilePath = file.folder.appendingPathComponent("missing.realm")
    #expect(throws: CocoaError.self) { try Realm(configuration: configuration) }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  // MARK: Schema versions

  @Test func schemaVersions() throws {
    let error = realmError { _ = try schemaVersionAtURL(file.url, encryptionKey: ScratchRealm.usualKey) }
    #expect(error?.code == .invalidDatabase)
    #expect(error?.localizedDescription == "Realm at path '\(file.path)' has not been initialized.")
    #expect(error?.fileURL?.path == file.path)
    let realm = try file.open(version: 12)
    #expect(try schemaVersionAtURL(file.url, encryptionKey: ScratchRealm.usualKey) == 12)
    withExtendedLifetime(realm) {}
    let device = realmError { _ = try schemaVersionAtURL(URL(fileURLWithPath: "/dev/zero")) }
    #expect(device?.code == .fileAccess || device?.code == .filePermissionDenied)
  }

  @Test(arguments: ["", "x", "A text, and no realm.\n"]) func schemaVersionsOfOtherFiles(
    _ content: String
  ) throws {
    try Data(content.utf8).write(to: file.url)
    let error = realmError { _ = try schemaVersionAtURL(file.url) }
    #expect(error?.code == .invalidDatabase)
    #expect(error?.localizedDescription.contains("'\(file.path)'") == true)
    #expect(try Data(contentsOf: file.url) == Data(content.utf8))
  }

  // MARK: The default realm

  @Test func theDefaultRealmHasAFolderOfItsOwn() async throws {
    await #expect(processExitsWith: .success) { [home = file.folder.path as String] in
      setenv("XDG_DATA_HOME", home + "/data", 1)
      var configuration = Realm.Configuration.defaultConfiguration
      let url = configuration.fileURL!
      precondition(url.lastPathComponent == "default.realm")
      precondition(url.deletingLastPathComponent().deletingLastPathComponent().path == home + "/data")
      precondition(!FileManager.default.fileExists(atPath: home + "/data"))
      configuration.objectTypes = [RealmDog.self, RealmPlace.self]
      Realm.Configuration.defaultConfiguration = configuration
      let realm = try Realm()
      try realm.write { realm.add(RealmDog(value: ["id": 1])) }
      precondition(FileManager.default.fileExists(atPath: url.path))
      // Opening by path keeps the other default settings.
      let other = try Realm(fileURL: URL(fileURLWithPath: home + "/other.realm"))
      precondition(other.schema.objectSchema.count == 2)
      precondition(other.isEmpty && !realm.isEmpty)
    }
  }

  @Test func missingHomeFolderNamesTheEnvironmentVariable() async throws {
    let home = file.folder.appending(path: "no-home")
    // Nothing can be created within a file, whoever runs the tests.
    try Data().write(to: home)
    await #expect(processExitsWith: .success) { [home = home.path as String] in
      unsetenv("XDG_DATA_HOME")
      setenv("HOME", home, 1)
      var configuration = Realm.Configuration.defaultConfiguration
      configuration.objectTypes = [RealmDog.self, RealmPlace.self]
      let folder = configuration.fileURL!.deletingLastPathComponent().path
      let error = realmError { _ = try Realm(configuration: configuration) }
      precondition(error?.code == .fileNotFound)
      let message = error?.localizedDescription ?? ""
      precondition(
        message.hasPrefix("Failed to create the folder '\(folder)' of the default realm: Not a directory. "),
        message)
      precondition(message.contains("Set the environment variable XDG_DATA_HOME"), message)
    }
  }

  @Test func defaultFolderThatMustNotBeMadeIsAMatterOfPermission() async {
    await #expect(processExitsWith: .success) {
      // Not even the superuser can make a folder there.
      setenv("XDG_DATA_HOME", "/sys", 1)
      var configuration = Realm.Configuration.defaultConfiguration
      configuration.objectTypes = [RealmDog.self, RealmPlace.self]
      let error = realmError { _ = try Realm(configuration: configuration) }
      precondition(error?.code == .filePermissionDenied, "\(String(describing: error))")
    }
  }

  @Test func theDefaultFolderIsInTheHomeFolder() async {
    await #expect(processExitsWith: .success) {
      // Relative paths do not count.
      setenv("XDG_DATA_HOME", "data", 1)
      setenv("HOME", "/somewhere/else", 1)
      let folder = Realm.Configuration.defaultConfiguration.fileURL!.deletingLastPathComponent()
      precondition(folder.deletingLastPathComponent().path == "/somewhere/else/.local/share")
    }
    await #expect(processExitsWith: .success) {
      unsetenv("XDG_DATA_HOME")
      setenv("HOME", "elsewhere", 1)
      let folder = Realm.Configuration.defaultConfiguration.fileURL!.deletingLastPathComponent()
      let home = FileManager.default.homeDirectoryForCurrentUser.path
      precondition(home.hasPrefix("/") && !home.hasSuffix("elsewhere"))
      precondition(folder.deletingLastPathComponent().path == home + "/.local/share")
    }
  }
}
