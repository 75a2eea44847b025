import Foundation
import RealmSwift
import TestSupport
import Testing

/// `Realm.verify` and `Realm.salvage`, as a program sees them.
@Suite struct VerifyingTests {
  let file = ScratchRealm(ScratchRealm.classes, encryptionKey: nil)

  private func damage(_ text: String) throws {
    var bytes = try Data(contentsOf: file.url)
    // All copies, whichever is in use.
    var rest = bytes.startIndex..<bytes.endIndex
    while let place = bytes.range(of: Data(text.utf8), in: rest) {
      bytes[place.lowerBound] ^= 1
      rest = place.upperBound..<bytes.endIndex
    }
    try bytes.write(to: file.url)
  }

  @Test func soundFiles() throws {
    try file.fill(dogs: 2000)
    let found = try Realm.verify(at: file.url)
    #expect(found.isSound)
    #expect(found.objectCount == 2000)
    #expect(found.description.hasSuffix("sound"))
    let target = file.folder.appendingPathComponent("copy.realm")
    #expect(try Realm.salvage(from: file.url, to: target).isSound)
    let copy = try Realm(fileURL: target)
    #expect(copy.objects(RealmDog.self).count == 2000)
    #expect(copy.object(ofType: RealmDog.self, forPrimaryKey: 1999)?.name == "dog 1999")
    #expect(throws: Realm.Error.self) { try Realm.salvage(from: file.url, to: target) }
    #expect(
      realmError { _ = try Realm.verify(at: file.folder.appendingPathComponent("none")) }?.code
        == .fileNotFound)
  }

  @Test func aDamagedValueIsNamedAndTheRestIsSaved() throws {
    try file.fill(dogs: 2000)
    try damage("dog 1234")
    let found = try Realm.verify(at: file.url)
    // The extent that cannot be read, and what was in it.
    #expect(found.faults.count == 2)
    let reason = "it is missing"
    let fault = try #require(found.faults.first { $0.className != nil })
    #expect(fault.className == "RealmDog")
    #expect(fault.propertyName == "name")
    #expect(fault.rows?.contains(1234) == true)
    #expect(fault.loss == .values)
    #expect(fault.description == "RealmDog.name, rows 960 to 1919: \(reason) (values are lost)")
    let target = file.folder.appendingPathComponent("copy.realm")
    #expect(try Realm.salvage(from: file.url, to: target).faults == found.faults)
    #expect(try Realm.verify(at: target).isSound)
    let dogs = try Realm(fileURL: target).objects(RealmDog.self)
    #expect(dogs.count == 2000)
    #expect(dogs[100].name == "dog 100")
    #expect(dogs[1234].name == "")
    #expect(dogs[1234].age == 1234 % 20)
  }

  @Test func encryptedFiles() throws {
    let key = Data((0..<64).map { UInt8($0) })
    var configuration = file.configuration()
    configuration.encryptionKey = key
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { for id in 0..<50 { realm.create(RealmDog.self, value: ["id": id]) } }
    }
    #expect(try Realm.verify(at: file.url, encryptionKey: key).isSound)
    #expect(realmError { _ = try Realm.verify(at: file.url) }?.code == .invalidDatabase)
    #expect(
      realmError { _ = try Realm.verify(at: file.url, encryptionKey: Data(count: 64)) }?.code
        == .invalidDatabase)
  }
}
