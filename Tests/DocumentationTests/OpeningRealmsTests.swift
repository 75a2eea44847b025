import Foundation
import RealmSwift
import TestSupport
import Testing

struct OpeningRealmsTests {
  /// In a process of its own, since it sets the default.
  @Test func configurations() async {
    await #expect(processExitsWith: .success) {
      let scratchFolder = ScratchFolder()
      let folder = scratchFolder.url
      let bundledFile = scratchFolder.file("bundled.realm")
      var configuration = Realm.Configuration(fileURL: folder.appending(path: "huts.realm"))
      configuration.schemaVersion = 3
      let realm = try Realm(configuration: configuration)
      try realm.writeCopy(toFile: bundledFile)
      Realm.Configuration.defaultConfiguration = configuration
      #expect(Realm.Configuration.defaultConfiguration.schemaVersion == 3)
    }
  }

  @Test func otherPlaces() throws {
    let mountains = try Mountains()
    let bundledFile = mountains.folder.file("bundled.realm")
    try mountains.realm.writeCopy(toFile: bundledFile)
    let scratch = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "scratch"))
    #expect(scratch.isEmpty)
    let bundled = try Realm(configuration: Realm.Configuration(fileURL: bundledFile, readOnly: true))
    #expect(bundled.objects(Hut.self).count == 3)
    var configuration = mountains.configuration
    configuration.fileURL = mountains.folder.file("copy.realm")
    configuration.seedFilePath = bundledFile
    #expect(try Realm(configuration: configuration).objects(Hut.self).count == 3)
    do {
      _ = try Realm(configuration: configuration)
    } catch Realm.Error.schemaMismatch {
      print("the classes have changed: raise the schema version")
    } catch Realm.Error.invalidDatabase {
      print("no realm, damaged, or another key")
    }
  }
}
