import Foundation
import RealmSwift
import TestSupport
import Testing

/// The samples in documentation comments about files, configurations and described classes.
struct CommentsOnFilesTests {
  @Test func files() throws {
    var mountains: Mountains? = try Mountains()
    let (configuration, scratch) = (mountains!.configuration, mountains!.folder)
    let (url, folder) = (configuration.fileURL!, scratch.url)
    func copy(_ realm: Realm) throws {
      try realm.writeCopy(toFile: folder.appending(path: "copy.realm"))
    }
    try copy(mountains!.realm)
    mountains = nil
    let version = try schemaVersionAtURL(configuration.fileURL!)
    #expect(version == 0)
    let found = try Realm.verify(at: url)
    if !found.isSound { print(found) }
    let damage = try Realm.salvage(from: url, to: folder.appending(path: "rescued.realm"))
    #expect(found.isSound && damage.isSound)
    let classes = try DescribedClass.classes(ofFileAt: url)
    #expect(classes.contains { $0.name == "Hut" })
    try Realm.performMigration(for: configuration)
    let plan = try Realm.migrationPlan(for: configuration)
    print(plan)
    #expect(plan.action == .nothing)
    do {
      _ = try Realm(configuration: configuration)
    } catch Realm.Error.filePermissionDenied {
      print("no permission")
    }
    if try Realm.compact(at: configuration.fileURL!) { print("compacted") }
    let existed = try Realm.deleteFiles(for: configuration)
    #expect(existed)
  }

  @Test func settings() throws {
    let scratch = ScratchFolder()
    let (folder, key) = (scratch.url, Data(repeating: 7, count: 64))
    do {
      var configuration = Realm.Configuration(fileURL: folder.appending(path: "secret.realm"))
      configuration.encryptionKey = key  // 64 random bytes
      configuration.objectTypes = [Hut.self, Trail.self, Warden.self, Place.self, Visit.self]
      #expect(try Realm(configuration: configuration).isEmpty)
      configuration.shouldCompactOnLaunch = { fileSize, usedSize in
        fileSize > 100_000_000 && usedSize < fileSize / 2
      }
      #expect(try Realm(configuration: configuration).isEmpty)
    }
    var configuration = Realm.Configuration()
    configuration.schemaVersion = 2
    configuration.migrationBlock = { migration, oldVersion in
      if oldVersion < 2 { migration.renameProperty(onType: "Hut", from: "height", to: "altitude") }
    }
    configuration.fileURL = folder.appending(path: "old.realm")
    let old = DescribedClass("Hut", [DescribedProperty("height", .int)])
    _ = try Realm(configuration: Realm.Configuration(fileURL: configuration.fileURL, schema: [old]))
    configuration.schema = [DescribedClass("Hut", [DescribedProperty("altitude", .int)])]
    #expect(try Realm(configuration: configuration).schema["Hut"]?["altitude"] != nil)
  }

  @Test func describedClasses() throws {
    let folder = ScratchFolder()
    let url = folder.file("described.realm")
    let hut = DescribedClass(
      "Hut",
      [
        DescribedProperty("name", .string, primaryKey: true),
        DescribedProperty("beds", .int, optional: true, indexed: true),
        DescribedProperty("neighbours", .object, of: "Hut", in: .list),
      ])
    let realm = try Realm(configuration: Realm.Configuration(fileURL: url, schema: [hut]))
    try realm.write { realm.dynamicCreate("Hut", value: ["name": "Larch", "beds": 12]) }
    #expect(realm.dynamicObjects("Hut").count == 1)
    let configuration = Realm.Configuration(fileURL: url, schema: .ofFile)
    #expect(configuration.schema == .ofFile)
    let properties = [
      DescribedProperty("warden", .object, of: "Warden"),
      DescribedProperty("languages", .string, in: .set),
      DescribedProperty("trails", .linkingObjects, of: "Trail", originProperty: "huts"),
    ]
    let classes = [
      DescribedClass("Hut", properties), DescribedClass("Warden", [DescribedProperty("name", .string)]),
      DescribedClass("Trail", [DescribedProperty("huts", .object, of: "Hut", in: .list)]),
    ]
    #expect(DescribedClass.problems(of: classes).isEmpty)
  }

  /// In processes of their own, since they use the default realm and the logger.
  @Test func defaults() async {
    await #expect(processExitsWith: .success) {
      let scratch = ScratchFolder()
      let folder = scratch.url
      do {
        var configuration = Realm.Configuration(fileURL: folder.appending(path: "huts.realm"))
        configuration.objectTypes = [Hut.self, Trail.self, Warden.self, Place.self, Visit.self]
        let realm = try Realm(configuration: configuration)
        #expect(realm.isEmpty)
      }
      do {
        let configuration = Realm.Configuration(fileURL: folder.appending(path: "huts.realm"))
        let realm = try Realm(configuration: configuration)
        #expect(realm.objects(Hut.self).isEmpty)
      }
      Realm.Configuration.defaultConfiguration = Realm.Configuration(
        fileURL: scratch.file("default.realm"),
        objectTypes: [Hut.self, Trail.self, Warden.self, Place.self, Visit.self])
      let realm = try Realm()
      try realm.write {
        realm.add(Hut(value: ["name": "Larch", "beds": 12]))
      }
      for hut in realm.objects(Hut.self) { print(hut.name) }
      #expect(realm.objects(Hut.self).count == 1)
      Realm.Configuration.defaultConfiguration.schemaVersion = 3
      Logger.shared = Logger(level: .warn) { level, message in
        print(level, message)
      }
    }
    await #expect(processExitsWith: .success) {
      let scratch = ScratchFolder()
      Realm.Configuration.defaultConfiguration = Realm.Configuration(
        fileURL: scratch.file("default.realm"),
        objectTypes: [Hut.self, Trail.self, Warden.self, Place.self, Visit.self])
      _ = try await Importer()
    }
  }
}
