import Foundation
import RealmSwift
import TestSupport
import Testing

class KeptSecret: Object { @Persisted var text = "" }

/// Files that a realm is written to are for the users of the realm's own file.
struct PermissionTests {
  private let folder = ScratchFolder()

  private func mode(_ name: String) -> mode_t? {
    var information = stat()
    return stat(folder.path(name), &information) == 0 ? information.st_mode & 0o7777 : nil
  }

  private func configuration(_ name: String, seed: String? = nil) -> Realm.Configuration {
    var configuration = Realm.Configuration(fileURL: folder.file(name), objectTypes: [KeptSecret.self])
    configuration.seedFilePath = seed.map { folder.file($0) }
    return configuration
  }

  @Test func copiesAndRealmsOfASeedKeepThem() throws {
    do {
      let realm = try Realm(configuration: configuration("data.realm"))
      try realm.write { realm.add(KeptSecret()) }
    }
    #expect(chmod(folder.path("data.realm"), 0o600) == 0)
    do {
      let realm = try Realm(configuration: configuration("data.realm"))
      try realm.writeCopy(toFile: folder.file("copy.realm"))
      for _ in 0..<200 { try realm.write { realm.add(KeptSecret()) } }
    }
    #expect(mode("copy.realm") == 0o600)
    let realm = try Realm(configuration: configuration("seeded.realm", seed: "data.realm"))
    #expect(realm.objects(KeptSecret.self).count == 201)
    #expect(mode("seeded.realm") == 0o600 && mode("seeded.realm-lock") == 0o600)
    _ = try Realm.salvage(from: folder.file("copy.realm"), to: folder.file("salvaged.realm"))
    #expect(mode("salvaged.realm") == 0o600)
  }
}
