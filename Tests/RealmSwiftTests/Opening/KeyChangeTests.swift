import Foundation
import RealmSwift
import TestSupport
import Testing

/// Copies with another encryption key, and compaction of encrypted files.
@Suite struct KeyChangeTests {
  let file = ScratchRealm()

  private static let keys: [Data?] = [nil, Data(0..<64), Data(repeating: 7, count: 64)]

  private func configuration(_ url: URL, _ key: Data?) -> Realm.Configuration {
    var configuration = file.configuration()
    configuration.fileURL = url
    configuration.encryptionKey = key
    return configuration
  }

  private func fill(_ realm: Realm) throws {
    for part in 0..<5 {
      try realm.write {
        for number in 0..<1000 {
          let id = (part * 1000 + number) * 7919 % 5003
          realm.create(RealmDog.self, value: ["id": id, "name": "dog \(id)", "age": id % 20])
        }
        // Keys of the index that are longer than a block's key.
        realm.create(RealmPlace.self, value: ["code": String(repeating: "long ", count: 300) + "\(part)"])
      }
    }
  }

  private func check(_ realm: Realm) {
    let dogs = realm.objects(RealmDog.self)
    #expect(dogs.count == 5000)
    for id in dogs.prefix(200).map(\.id) {
      #expect(realm.object(ofType: RealmDog.self, forPrimaryKey: id)?.name == "dog \(id)")
    }
    #expect(dogs.where { $0.age == 7 }.count == dogs.filter { $0.age == 7 }.count)
    for part in 0..<5 {
      let code = String(repeating: "long ", count: 300) + "\(part)"
      #expect(realm.object(ofType: RealmPlace.self, forPrimaryKey: code) != nil)
    }
  }

  /// From each of three keys to each of them, through a file that was written to on the way.
  @Test(arguments: 0..<3, 0..<3) func copies(from: Int, to: Int) throws {
    let (old, new) = (Self.keys[from], Self.keys[to])
    let target = file.folder.appendingPathComponent("copy.realm")
    do {
      let realm = try Realm(configuration: configuration(file.url, old))
      try fill(realm)
      try realm.writeCopy(toFile: target, encryptionKey: new)
    }
    #expect(try Realm.verify(at: target, encryptionKey: new).isSound)
    if let wrong = Self.keys.first(where: { $0 != new }) {
      #expect(
        realmError { _ = try Realm(configuration: configuration(target, wrong)) }?.code == .invalidDatabase)
    }
    do {
      let copy = try Realm(configuration: configuration(target, new))
      check(copy)
      // The copy's indexes can grow everywhere.
      try copy.write {
        for id in 5003..<6003 { copy.create(RealmDog.self, value: ["id": id, "name": "more"]) }
        for id in stride(from: 0, to: 5003, by: 5) {
          copy.object(ofType: RealmDog.self, forPrimaryKey: id)?.age += 1
        }
        copy.create(RealmPlace.self, value: ["code": String(repeating: "long ", count: 300)])
      }
      #expect(copy.object(ofType: RealmDog.self, forPrimaryKey: 5999)?.name == "more")
    }
    #expect(try Realm.verify(at: target, encryptionKey: new).faults == [])
    let bytes = try Data(contentsOf: target)
    #expect((bytes.range(of: Data("RealmDog".utf8)) == nil) == (new != nil))
    #expect((bytes.range(of: Data("long long".utf8)) == nil) == (new != nil))
  }

  @Test(arguments: 0..<2) func compaction(key: Int) throws {
    let key = Self.keys[key]
    do {
      let realm = try Realm(configuration: configuration(file.url, key))
      try fill(realm)
      try realm.write { realm.delete(realm.objects(RealmDog.self).where { $0.id > 500 }) }
    }
    let before = try Data(contentsOf: file.url).count
    var compacting = configuration(file.url, key)
    compacting.shouldCompactOnLaunch = { _, _ in true }
    do {
      let realm = try Realm(configuration: compacting)
      #expect(realm.objects(RealmDog.self).allSatisfy { $0.name == "dog \($0.id)" })
      #expect(realm.objects(RealmPlace.self).count == 5)
    }
    #expect(try Data(contentsOf: file.url).count < before)
    #expect(try Realm.compact(at: file.url, encryptionKey: key))
    #expect(try Realm.verify(at: file.url, encryptionKey: key).faults == [])
  }

  @Test func aSeedWithAKey() throws {
    let key = Self.keys[1]
    try fill(Realm(configuration: configuration(file.url, key)))
    var planted = configuration(file.folder.appendingPathComponent("planted.realm"), key)
    planted.seedFilePath = file.url
    check(try Realm(configuration: planted))
  }
}
