import Foundation
import RealmSwift
import TestSupport
import Testing

/// The documentation's page on configuring and opening a realm.
@Suite struct ConfigureTests {
  typealias Dog = Kennels.Dog
  typealias Person = Kennels.Person

  let file: ScratchRealm

  init() throws { file = try Kennels.file() }

  @Test func theDefault() async throws {
    await #expect(processExitsWith: .success) { [home = file.folder.path as String] in
      setenv("XDG_DATA_HOME", home, 1)
      var configuration = Realm.Configuration.defaultConfiguration
      precondition(configuration.fileURL!.lastPathComponent == "default.realm")
      configuration.objectTypes = [Kennels.DogToy.self]
      Realm.Configuration.defaultConfiguration = configuration
      let realm = try Realm()
      try realm.write { realm.add(Kennels.DogToy(value: ["ball"])) }
      let same = try Realm()
      precondition(same.objects(Kennels.DogToy.self).first?.name == "ball")
    }
  }

  /// A file for each user, beside the default one.
  @Test func aFileOfItsOwn() throws {
    var configuration = file.configuration
    configuration.fileURL!.deleteLastPathComponent()
    configuration.fileURL!.append(path: "jill")
    configuration.fileURL!.appendPathExtension("realm")
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.create(Dog.self, value: ["name": "Rex"]) }
    #expect(realm.configuration.fileURL?.lastPathComponent == "jill.realm")
    #expect(try file.open().isEmpty)
  }

  @Test func inMemory() throws {
    let identifier = "\(UUID())"
    let configuration = Realm.Configuration(
      inMemoryIdentifier: identifier, objectTypes: file.configuration.objectTypes)
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.create(Dog.self, value: ["name": "Rex"]) }
      #expect(try Realm(configuration: configuration).objects(Dog.self).count == 1)
    }
    // Gone with the last of them.
    #expect(try Realm(configuration: configuration).isEmpty)
  }

  @Test func someClasses() throws {
    var configuration = file.configuration
    configuration.objectTypes = [Kennels.DogToy.self]
    let realm = try Realm(configuration: configuration)
    #expect(realm.schema.objectSchema.map(\.className) == ["DogToy"])
  }

  @Test func readOnly() throws {
    try file.write { realm in realm.create(Dog.self, value: ["name": "Rex"]) }
    var configuration = file.configuration
    configuration.readOnly = true
    #expect(try Realm(configuration: configuration).objects(Dog.self).first?.name == "Rex")
    configuration.fileURL = file.folder.appending(path: "missing.realm")
    #expect(realmError { _ = try Realm(configuration: configuration) }?.code == .fileNotFound)
  }

  @Test func errors() throws {
    do {
      var configuration = file.configuration
      configuration.fileURL = file.folder.appending(path: "missing/test.realm")
      _ = try Realm(configuration: configuration)
      Issue.record("opened")
    } catch let error as Realm.Error {
      #expect(error.code == .fileNotFound)
      #expect(error.fileURL?.lastPathComponent == "test.realm")
    }
  }

  /// The same configuration gives the same realm, on each thread its own.
  @Test func openedTwice() throws {
    let realm = try file.open()
    #expect(try file.open() == realm)
    let isSame = try onOtherThread { [configuration = file.configuration] in
      _ = try Realm(configuration: configuration)
      return true
    }
    #expect(isSame)
  }

  @Test func asynchronously() async throws {
    let configuration = file.configuration
    let isEmpty = try await Task { @MainActor in
      let realm = try await Realm(configuration: configuration)
      try realm.write { realm.create(Dog.self, value: ["name": "Rex"]) }
      return realm.isEmpty
    }.value
    #expect(!isEmpty)
  }
}
