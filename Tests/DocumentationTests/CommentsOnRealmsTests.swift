import Foundation
import RealmSwift
import TestSupport
import Testing

/// The samples in documentation comments of what concerns realms and files.
struct CommentsOnRealmsTests {
  @Test func writing() throws {
    let kennel = try Kennel()
    let (realm, dog, person) = (kennel.realm, kennel.wolfie, kennel.person)
    do {
      let count = try realm.write {
        dog.age += 1
        return realm.objects(Dog.self).count
      }
      #expect(count == 2 && dog.age == 2)
    }
    realm.beginWrite()
    dog.age += 1
    try realm.commitWrite()
    try realm.write {
      realm.delete(realm.objects(Dog.self))
      if person.dogs.isEmpty { realm.cancelWrite() }
    }
    #expect(kennel.dogs.count == 2 && dog.age == 3)
  }

  @Test func creating() throws {
    let kennel = try Kennel()
    let (realm, dog) = (kennel.realm, kennel.wolfie)
    let rex = Dog(value: ["name": "Rex"])
    try realm.write { realm.add(rex) }
    #expect(rex.realm == realm)
    try realm.write {
      realm.create(Dog.self, value: ["id": dog.id, "age": 5], update: .modified)
    }
    #expect(dog.age == 5 && dog.name == "Wolfie")
  }

  @Test func reading() throws {
    let kennel = try Kennel()
    let (realm, id) = (kennel.realm, kennel.rex.id)
    let puppies = realm.objects(Dog.self).where { $0.age < 2 }
    #expect(puppies.map(\.name) == ["Wolfie"])
    let dog = realm.object(ofType: Dog.self, forPrimaryKey: id)
    #expect(dog?.name == "Rex")
    if realm.refresh() { print("somebody has written") }
    for reader in realm.diagnostics.readers { print(reader.version, reader.owner) }
  }

  @Test func deleting() throws {
    let kennel = try Kennel()
    let (realm, dog) = (kennel.realm, kennel.wolfie)
    try realm.write {
      realm.delete(realm.objects(Dog.self).where { $0.age > 20 })
    }
    try realm.write { realm.delete(dog) }
    print(dog.isInvalidated)  // true
    #expect(dog.isInvalidated && kennel.person.dogs.map(\.name) == ["Rex"])
    let person = kennel.person
    try realm.write { realm.delete(person, cascading: true) }
    #expect(realm.objects(Dog.self).isEmpty)
  }

  @MainActor @Test func asynchronously() async throws {
    let kennel = try Kennel()
    let (realm, dog) = (kennel.realm, kennel.wolfie)
    try await realm.asyncWrite {
      realm.add(Dog(value: ["name": "Wolfie"]))
    }
    #expect(kennel.dogs.count == 3)
    realm.writeAsync {
      dog.age += 1
    } onComplete: { error in
      print(error == nil ? "on the disk" : "rolled back")
    }
    try await eventually { dog.age == 2 && !realm.isPerformingAsynchronousWriteOperations }
  }

  @Test func files() throws {
    var kennel: Kennel? = try Kennel()
    let (configuration, scratch) = (kennel!.configuration, kennel!.scratch)
    let (url, folder) = (scratch.file("kennel.realm"), scratch.url)
    func copy(_ realm: Realm) throws {
      try realm.writeCopy(toFile: folder.appending(path: "copy.realm"))
    }
    try copy(kennel!.realm)
    kennel = nil
    let version = try schemaVersionAtURL(configuration.fileURL!)
    #expect(version == 0)
    let found = try Realm.verify(at: url)
    if !found.isSound { print(found) }
    let damage = try Realm.salvage(from: url, to: folder.appending(path: "rescued.realm"))
    #expect(found.isSound && damage.isSound)
    try Realm.performMigration(for: configuration)
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Dog.self).count == 2)
    }
    do {
      _ = try Realm(configuration: configuration)
    } catch Realm.Error.filePermissionDenied {
      print("no permission")
    }
    if try Realm.compact(at: configuration.fileURL!) { print("compacted") }
    let wasThere = try Realm.deleteFiles(for: configuration)
    #expect(wasThere)
  }

  /// In processes of their own, since they use the default realm and the logger.
  @Test func defaults() async {
    await #expect(processExitsWith: .success) {
      let scratch = ScratchFolder()
      let folder = scratch.url
      do {
        var configuration = Realm.Configuration(fileURL: folder.appending(path: "dogs.realm"))
        configuration.objectTypes = [Dog.self, Person.self, Address.self]
        let realm = try Realm(configuration: configuration)
        #expect(realm.isEmpty)
      }
      Realm.Configuration.defaultConfiguration = Realm.Configuration(
        fileURL: scratch.file("default.realm"), objectTypes: [Dog.self, Person.self, Address.self])
      let realm = try Realm()
      try realm.write {
        realm.add(Dog(value: ["name": "Wolfie"]))
      }
      for dog in realm.objects(Dog.self) { print(dog.name) }
      Realm.Configuration.defaultConfiguration.schemaVersion = 3
      Logger.shared = Logger(level: .warn) { level, message in
        print(level, message)
      }
    }
    await #expect(processExitsWith: .success) {
      let scratch = ScratchFolder()
      Realm.Configuration.defaultConfiguration = Realm.Configuration(
        fileURL: scratch.file("default.realm"), objectTypes: [Dog.self, Person.self, Address.self])
      _ = try await Importer()
    }
  }
}
