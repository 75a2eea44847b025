import Foundation
import RealmSwift
import TestSupport
import Testing

/// Migrations of files whose values were changed on the disk: an error, after which the file is as it was.
@Suite struct DamagedMigrationTests {
  private static let count = 2500
  let file = ScratchRealm(Kept.types, encryptionKey: nil)

  /// As the file has them.
  enum Kept {
    class Item: HiddenItem {
      @Persisted var number = 0
      @Persisted var text: String?
      @Persisted var long = ""
      @Persisted var words: List<String>
      @Persisted var links: List<Item>
      @Persisted var scores: Map<String, Int>
      @Persisted var anything: AnyRealmValue
    }
    static let types: [ObjectBase.Type] = [Item.self]
  }

  /// One property more.
  enum Grown {
    class Item: HiddenItem {
      @Persisted var number = 0
      @Persisted var text: String?
      @Persisted var long = ""
      @Persisted var words: List<String>
      @Persisted var links: List<Item>
      @Persisted var scores: Map<String, Int>
      @Persisted var anything: AnyRealmValue
      @Persisted var sum = 0
    }
    static let types: [ObjectBase.Type] = [Item.self]
  }

  /// What reads all texts to be made.
  enum Required {
    class Item: HiddenItem {
      @Persisted var text = ""
    }
    static let types: [ObjectBase.Type] = [Item.self]
  }
  enum WithIndex {
    class Item: HiddenItem {
      @Persisted var number = 0
      @Persisted(indexed: true) var text: String?
      @Persisted var long = ""
      @Persisted var words: List<String>
      @Persisted var links: List<Item>
      @Persisted var scores: Map<String, Int>
      @Persisted var anything: AnyRealmValue
    }
    static let types: [ObjectBase.Type] = [Item.self]
  }
  enum Keyed {
    class Item: HiddenItem {
      @Persisted(primaryKey: true) var text: String?
    }
    static let types: [ObjectBase.Type] = [Item.self]
  }
  enum Searched {
    class Item: HiddenItem {
      @Persisted(fullText: true) var text: String?
    }
    static let types: [ObjectBase.Type] = [Item.self]
  }

  /// All begin with the same file, which is made once.
  private func fill() throws {
    try FileManager.default.copyItem(at: Self.original.get().url, to: file.url)
    // A copy is verified as a whole before it is opened, once.
    try file.read { _ in }
  }

  private static let original = Result<ScratchRealm, any Error> {
    let file = ScratchRealm(Kept.types, encryptionKey: nil)
    try file.write { realm in
      let items = (0..<count).map { number in
        realm.create(
          Kept.Item.self,
          value: [
            "number": number, "text": "text \(number)",
            "long": number == 1234 ? "long \(number)" + String(repeating: ".", count: 500) : "short",
            "words": ["word \(number)", "and more"], "scores": ["score \(number)": number],
            "anything": AnyRealmValue.string("any \(number)"),
          ] as [String: Any])
      }
      for (item, next) in zip(items, items.dropFirst()) { item.links.append(next) }
    }
    return file
  }

  private func damage(_ text: String) throws { try damage(at: Data(text.utf8)) }

  /// Changes a bit of all copies of what is in the file.
  private func damage(at content: Data, offset: Int = 0) throws {
    var bytes = try Data(contentsOf: file.url)
    var rest = bytes.startIndex..<bytes.endIndex
    var copies = 0
    while let place = bytes.range(of: content, in: rest) {
      rest = place.upperBound..<bytes.endIndex
      // What follows a key in a branch of a tree is of another one.
      let isBranch = bytes[place.lowerBound / 4096 * 4096 + 10] & 1 == 1
      if offset > 0 && isBranch { continue }
      bytes[place.lowerBound + offset] ^= 1
      copies += 1
    }
    #expect(copies > 0)
    try bytes.write(to: file.url)
  }

  private func configuration(
    _ types: [ObjectBase.Type], version: UInt64, _ block: MigrationBlock? = nil
  ) -> Realm.Configuration {
    var configuration = file.configuration
    configuration.objectTypes = types
    configuration.schemaVersion = version
    configuration.migrationBlock = block
    return configuration
  }

  /// The old program goes on with what is sound.
  private func expectAsBefore() throws {
    #expect(try schemaVersionAtURL(file.url) == 0)
    let realm = try file.open()
    let items = realm.objects(Kept.Item.self)
    #expect(items.count == Self.count)
    #expect(items[3].text == "text 3")
    try realm.write { items[3].number = 33 }
    #expect(items.where { $0.number == 33 }.count == 2)
  }

  private func expectDamage(_ property: String, _ body: () throws -> Void) throws {
    let error = realmError(body)
    #expect(error?.code == .invalidDatabase)
    let message = error?.localizedDescription ?? "no error"
    for words in ["is damaged: class 'Item', property '\(property)'", file.path, "Realm.salvage"] {
      #expect(message.contains(words), "\(message)")
    }
    try expectAsBefore()
  }

  /// The block is not called with objects that cannot be read, even where it would not look at the damaged value.
  @Test(arguments: [("text 1234", "text"), ("any 1234", "anything")])
  func aBlockIsGivenNothingDamaged(text: String, property: String) throws {
    try fill()
    try damage(text)
    try expectDamage(property) {
      _ = try Realm(
        configuration: configuration(Grown.types, version: 1) { migration, _ in
          var seen: [Int] = []
          migration.enumerateObjects(ofType: "Item") { old, new in
            seen.append(old!["number"] as! Int)
            new!["sum"] = Int((old!["text"] as! String).dropFirst(5))!
          }
          #expect(seen == Array(0..<960))
        })
    }
  }

  /// What is found only when it is read is empty, and the last that the block is given.
  @Test(arguments: [
    ("long 1234", "long", 1234), ("word 1234", "words", 1234), ("score 1234", "scores", 1234),
  ])
  func enumeratingEndsWithADamagedValue(text: String, property: String, last: Int) throws {
    try fill()
    try damage(text)
    try expectDamage(property) {
      _ = try Realm(
        configuration: configuration(Grown.types, version: 1) { migration, _ in
          var end = -1
          migration.enumerateObjects(ofType: "Item") { old, new in
            end = old!["number"] as! Int
            _ = old!["long"] as! String
            new!["sum"] = (old!["words"] as! List<String>).reduce(0) { $0 + $1.count }
            for (key, value) in (new!["scores"] as! Map<String, Int>).asKeyValueSequence() {
              new!["sum"] = value + key.count
            }
          }
          // With a small value, all that is in its node is damaged.
          #expect(last - 100...last ~= end)
        })
    }
  }

  /// Through links the block reaches objects before they are enumerated.
  @Test func whatLinksLeadToIsRead() throws {
    try fill()
    try damage("text 1234")
    try expectDamage("text") {
      _ = try Realm(
        configuration: configuration(Grown.types, version: 1) { migration, _ in
          migration.enumerateObjects(ofType: "Item") { old, new in
            let next = (old!["links"] as! List<MigrationObject>).first
            new!["sum"] = (next?["text"] as? String)?.count ?? 0
          }
        })
    }
  }

  /// Its steps, and what it throws itself, come second.
  @Test func damageIsToldFirst() throws {
    struct NoNumber: Error {}
    try fill()
    try damage("long 1234")
    try expectDamage("long") {
      _ = try Realm(
        configuration: configuration(Grown.types, version: 1) { migration, _ in
          migration.step("read", to: 1) {
            try migration.enumerateObjects(ofType: "Item") { old, _ in
              if (old!["long"] as! String).isEmpty { throw NoNumber() }
            }
          }
        })
    }
  }

  enum Change: CaseIterable {
    case required, key, words, index

    var types: [ObjectBase.Type] {
      switch self {
      case .required: Required.types
      case .key: Keyed.types
      case .words: Searched.types
      case .index: WithIndex.types
      }
    }
    /// An index more needs no other schema version.
    var version: UInt64 { self == .index ? 0 : 1 }
  }

  /// Without a block, and without a new schema version.
  @Test(arguments: Change.allCases) func changesThatReadAllValues(_ change: Change) throws {
    let (types, version) = (change.types, change.version)
    try fill()
    try damage("text 1234")
    try expectDamage("text") { _ = try Realm(configuration: configuration(types, version: version)) }
    try expectDamage("text") { _ = try Realm(configuration: configuration(types, version: 1) { _, _ in }) }
    try expectDamage("text") {
      try Realm.performMigration(for: configuration(types, version: 1) { _, _ in })
    }
  }

  /// A migration that does not need the value does not look for damage.
  @Test func otherChangesLeaveDamageAlone() throws {
    try fill()
    try damage("text 1234")
    let realm = try Realm(configuration: configuration(Grown.types, version: 1) { _, _ in })
    #expect(realm.objects(Grown.Item.self).count == Self.count)
    #expect(realm.objects(Grown.Item.self)[1].sum == 0)
  }

  /// A damaged seed makes no file.
  @Test(arguments: ["text 1234", "long 1234", "word 1234"]) func damagedSeeds(text: String) throws {
    try fill()
    try damage(text)
    var configuration = configuration(Grown.types, version: 1) { _, _ in }
    configuration.seedFilePath = file.url
    configuration.fileURL = file.folder.appendingPathComponent("begun.realm")
    let error = realmError { _ = try Realm(configuration: configuration) }
    #expect(error?.code == .invalidDatabase)
    #expect(error?.fileURL == file.url)
    #expect(!Realm.fileExists(for: configuration))
    #expect(
      realmError { try file.open().writeCopy(toFile: configuration.fileURL!) }?.code == .invalidDatabase)
    #expect(!Realm.fileExists(for: configuration))
    try expectAsBefore()
  }
}
