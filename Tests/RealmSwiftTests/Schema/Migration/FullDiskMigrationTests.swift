import Foundation
import RealmSwift
import Testing

/// Migrations for which the disk is too small.
@Suite struct FullDiskMigrationTests {
  let file = ScratchRealm()

  /// A limit on the size of files stands for a full disk.
  @Test func aFullDiskChangesNothing() async throws {
    let count = 20_000
    try {
      let realm = try file.open(Unindexed.types)
      try realm.write {
        for number in 0..<count {
          realm.create(Unindexed.Item.self, value: ["number": number, "text": "item \(number % 100)"])
        }
      }
    }()
    let size = try #require(file.url.resourceValues(forKeys: [.fileSizeKey]).fileSize)
    await #expect(processExitsWith: .success) {
      [path = file.path as String, size = size as Int] in
      signal(SIGXFSZ, SIG_IGN)
      let block: MigrationBlock = { migration, _ in
        migration.enumerateObjects(ofType: "Item") { old, new in
          new!["text"] = "a longer text of item \(old!["number"]!)"
        }
      }
      let configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: ScratchRealm.usualKey, schemaVersion: 1,
        migrationBlock: block, objectTypes: Indexed.types)
      limitFiles(to: rlim_t(size + (64 << 10)))
      for _ in 0..<2 {
        let error = realmError { _ = try Realm(configuration: configuration) }
        precondition(error?.code == .outOfDiskSpace, "\(String(describing: error))")
      }
    }
    #expect(try schemaVersionAtURL(file.url, encryptionKey: ScratchRealm.usualKey) == 0)
    #expect(try Realm.verify(at: file.url, encryptionKey: ScratchRealm.usualKey).isSound)
    // The program of before finds what it had, and writes; and with more space the migration succeeds.
    try {
      let realm = try file.open(Unindexed.types)
      let items = realm.objects(Unindexed.Item.self)
      #expect(items.map(\.number) == Array(0..<count))
      #expect(items.where { $0.text == "item 7" }.count == count / 100)
      try realm.write { realm.create(Unindexed.Item.self, value: ["number": count, "text": "item 7"]) }
      #expect(items.where { $0.text == "item 7" }.count == count / 100 + 1)
    }()
    let items = try file.migrate(Indexed.types, to: 1).objects(Indexed.Item.self)
    #expect(items.where { $0.number >= count - 1 }.map(\.text) == ["item 99", "item 7"])
  }
}
