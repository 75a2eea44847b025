import Foundation
import RealmSwift
import TestSupport
import Testing

/// The documentation's page on a realm that comes with the program.
@Suite struct BundleTests {
  typealias Dog = Kennels.Dog

  let file: ScratchRealm
  private let bundle: ScratchFolder
  private var bundled: URL { bundle.file("bundled.realm") }

  /// The bundle's file is a compact copy of one that was filled for it.
  init() throws {
    file = try Kennels.file()
    bundle = ScratchFolder()
    let maker = ScratchRealm(file.configuration.objectTypes!)
    try maker.write { realm in
      realm.create(Dog.self, value: ["name": "Rex", "age": 3])
      // Also within the transaction that fills it.
      try realm.writeCopy(toFile: bundled, encryptionKey: ScratchRealm.usualKey)
    }
  }

  private func configuration(_ url: URL, readOnly: Bool = false) -> Realm.Configuration {
    var configuration = file.configuration
    configuration.fileURL = url
    configuration.readOnly = readOnly
    return configuration
  }

  @Test func readOnly() throws {
    let realm = try Realm(configuration: configuration(bundled, readOnly: true))
    #expect(realm.objects(Dog.self).first?.name == "Rex")
    #expect(realm.freeze().objects(Dog.self).count == 1)
  }

  /// Neither the file nor its folder can be written.
  @Test func whereNothingCanBeWritten() async throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: bundled.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: bundle.url.path)
    let before = try FileManager.default.contentsOfDirectory(atPath: bundle.url.path)
    let target = file.folder
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: target.path)
    await #expect(processExitsWith: .success) {
      [path = bundled.path as String, target = target.path as String] in
      dropRights()
      var configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: ScratchRealm.usualKey, readOnly: true,
        objectTypes: [Dog.self, Kennels.DogToy.self, Kennels.Person.self, Kennels.Address.self])
      do {
        let realm = try Realm(configuration: configuration)
        precondition(realm.objects(Dog.self).first?.name == "Rex")
        // What it shows can be copied to where there is room.
        try realm.writeCopy(
          toFile: URL(fileURLWithPath: target + "/copy.realm"), encryptionKey: ScratchRealm.usualKey)
      }
      configuration.readOnly = false
      let error = realmError { _ = try Realm(configuration: configuration) }
      precondition(error?.code == .filePermissionDenied)
      precondition(
        realmError {
          try Realm.compact(at: URL(fileURLWithPath: path), encryptionKey: ScratchRealm.usualKey)
        }?.code == .filePermissionDenied)
      configuration.fileURL = URL(fileURLWithPath: target + "/seeded.realm")
      configuration.seedFilePath = URL(fileURLWithPath: path)
      let realm = try Realm(configuration: configuration)
      precondition(realm.objects(Dog.self).first?.name == "Rex")
      try realm.write { realm.deleteAll() }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: bundle.url.path) == before)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bundle.url.path)
  }

  /// The program's own file begins as a copy of that in the bundle.
  @Test func asASeed() throws {
    var configuration = file.configuration
    configuration.seedFilePath = bundled
    do {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Dog.self).count == 1)
      try realm.write { realm.create(Dog.self, value: ["name": "Wolfie"]) }
    }
    // From then on it goes its own way.
    #expect(try Realm(configuration: configuration).objects(Dog.self).count == 2)
    #expect(
      try Realm(configuration: self.configuration(bundled, readOnly: true)).objects(Dog.self).count == 1)
  }

  /// A copy by hand does the same.
  @Test func copiedByHand() throws {
    try FileManager.default.copyItem(at: bundled, to: file.url)
    let realm = try file.open()
    try realm.write { realm.create(Dog.self, value: ["name": "Wolfie"]) }
    #expect(realm.objects(Dog.self).count == 2)
  }
}
