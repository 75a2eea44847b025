import Foundation
import RealmSwift
import TestSupport
import Testing

struct EncryptionTests {
  @Test func keys() throws {
    let folder = ScratchFolder()
    let (file, newFile) = (folder.file("secret.realm"), folder.file("new.realm"))
    let newKey = Data(repeating: 1, count: 64)
    func write() throws {
      var key = Data(count: 64)
      for index in key.indices { key[index] = UInt8.random(in: 0...255) }

      let configuration = Realm.Configuration(fileURL: file, encryptionKey: key)
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Peak(value: ["name": "Tooth"])) }
      try realm.writeCopy(toFile: newFile, encryptionKey: newKey)
    }
    try write()
    do {
      _ = try Realm(configuration: Realm.Configuration(fileURL: file))
    } catch Realm.Error.invalidDatabase {
      print("not without the key")
    }
    #expect(throws: Realm.Error.self) { try schemaVersionAtURL(file) }
    #expect(try schemaVersionAtURL(newFile, encryptionKey: newKey) == 0)
  }
}
