import Foundation
import RealmSwift
import TestSupport
import Testing

/// Files that earlier commits have written: refused in so many words, or read as they were meant.
@Suite struct EarlierFileTests {
  private let folder = ScratchFolder()
  private static let place = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  enum Kind: String, CaseIterable {
    case seals = "format2-seals"
    case encryption = "format2-encryption"
    case limits = "format2-limits"
    case rules = "format3"
    case nested = "format4"
    case identities = "format5"
    case encryptedIdentities = "format5-encryption"

    var key: Data? { [.encryption, .encryptedIdentities].contains(self) ? Data(0..<64) : nil }
    var format: UInt8 {
      switch self {
      case .seals, .encryption, .limits: 2
      case .rules: 3
      case .nested: 4
      case .identities, .encryptedIdentities: 5
      }
    }
    var types: [ObjectBase.Type] {
      switch self {
      case .seals, .encryption, .limits: Earlier.types
      case .rules: Earlier.typesWithRules
      case .nested, .identities, .encryptedIdentities: Earlier.typesWithNestedValues
      }
    }
    var hasRules: Bool { format >= 3 }
  }

  /// A copy that may be changed.
  private func copy(_ name: String) throws -> URL {
    let url = folder.file("\(name).realm")
    try FileManager.default.copyItem(
      at: Self.place.appending(path: "EarlierFiles/\(name).realm"), to: url)
    return url
  }

  @Test func theFirstFormatIsRefused() throws {
    let url = try copy("format1")
    let bytes = try Data(contentsOf: url)
    let configuration = Realm.Configuration(
      fileURL: url, schemaVersion: 2, migrationBlock: { _, _ in Issue.record("called") },
      deleteRealmIfMigrationNeeded: true, objectTypes: Earlier.types)
    let errors = [
      realmError { _ = try Realm(configuration: configuration) },
      realmError { _ = try Realm.verify(at: url) },
      realmError { _ = try Realm.compact(at: url) },
      realmError { _ = try schemaVersionAtURL(url) },
    ]
    for error in errors {
      #expect(error?.code == .unsupportedFileFormatVersion)
      #expect(error?.localizedDescription.contains("has an unsupported format (1)") == true)
    }
    #expect(try Data(contentsOf: url) == bytes)
  }

  @Test(arguments: Kind.allCases) func laterOnesAreRead(_ kind: Kind) throws {
    let url = try copy(kind.rawValue)
    let bytes = try Data(contentsOf: url)
    #expect(try Realm.verify(at: url, encryptionKey: kind.key).faults == [])
    #expect(try schemaVersionAtURL(url, encryptionKey: kind.key) == 1)
    var configuration = Realm.Configuration(
      fileURL: url, encryptionKey: kind.key, readOnly: true, schemaVersion: 1, objectTypes: kind.types)
    try autoreleasepool { try check(Realm(configuration: configuration), kind) }
    #expect(try Data(contentsOf: url) == bytes)
    configuration.readOnly = false
    try autoreleasepool {
      let realm = try Realm(configuration: configuration)
      try check(realm, kind)
      try #expect(isOfPages(url) && Data(contentsOf: former(url, kind)) == bytes)
      try change(realm, kind)
    }
    try #expect(isOfPages(url) && Data(contentsOf: former(url, kind)) == bytes)
    #expect(try Realm.verify(at: url, encryptionKey: kind.key).faults == [])
  }

  @Test(arguments: Kind.allCases) func laterOnesAreMigrated(_ kind: Kind) throws {
    let url = try copy(kind.rawValue)
    let types =
      kind.types.filter { $0 != Earlier.Cat.self } + [Earlier.Later.Cat.self]
    let configuration = Realm.Configuration(
      fileURL: url, encryptionKey: kind.key, schemaVersion: 2,
      migrationBlock: { migration, version in
        #expect(version == 1)
        migration.enumerateObjects(ofType: "Cat") { old, new in new!["livesLeft"] = "\(old!["lives"]!)" }
      }, objectTypes: types)
    try autoreleasepool {
      let realm = try Realm(configuration: configuration)
      let cats = realm.objects(Earlier.Later.Cat.self)
      #expect(cats.count == 1_010 && cats.where { $0.name == "cat 3" }.count == 101)
      #expect(cats.map(\.livesLeft) == (0..<1_010).map { $0 == 3 ? "7" : $0 < 1_000 ? "0" : "9" })
      checkPeople(realm)
    }
    #expect(try Realm.verify(at: url, encryptionKey: kind.key).faults == [])
    let compact = try Realm.compact(at: url, encryptionKey: kind.key)
    #expect(compact)
    try #expect(isOfPages(url))
    #expect(try Realm.verify(at: url, encryptionKey: kind.key).faults == [])
  }

  private func isOfPages(_ url: URL) throws -> Bool {
    try Data(contentsOf: url).starts(with: Array("ORPages5".utf8))
  }

  /// The file as it was before the conversion, which is kept beside it.
  private func former(_ url: URL, _ kind: Kind) -> URL { URL(fileURLWithPath: url.path + ".v\(kind.format)") }

  // MARK: Contents

  private func checkPeople(_ realm: Realm) {
    let people = realm.objects(Earlier.Person.self)
    #expect(people.map(\.id) == Array(0..<100) + Array(140..<300))
    #expect(people.compactMap(Earlier.fault) == [])
    #expect(people.where { $0.name == "name 3" }.count == 26)
    #expect(people.where { $0.nickname == "nick" && $0.age == nil }.count == 26)
    #expect(people.where { $0.friend.id == 5 }.map(\.id) == [10])
    #expect(
      realm.object(ofType: Earlier.Person.self, forPrimaryKey: 5)?.admirers.map(\.id) == [10])
  }

  private func check(_ realm: Realm, _ kind: Kind) throws {
    checkPeople(realm)
    let cats = realm.objects(Earlier.Cat.self)
    #expect(cats.map(\.lives) == (0..<1_010).map { $0 == 3 ? 7 : $0 < 1_000 ? 0 : 9 })
    #expect(cats.where { $0.lives == 0 }.count == 999)
    let notes = realm.objects(Earlier.Note.self)
    #expect(notes.where { $0.text.fullTextSearch("quick 7") }.map(\.text) == ["the quick fox 7"])
    #expect(notes.where { $0.text.fullTextSearch("fox -quick") }.isEmpty)
    if !kind.hasRules { return }
    let invoices = realm.objects(Earlier.Invoice.self)
    #expect(invoices.map(\.number) == [1, 2, 3, 4, 5])
    #expect(invoices.last?.lines.map(\.text) == ["line 4.0", "line 4.1"])
  }

  private func change(_ realm: Realm, _ kind: Kind) throws {
    let cats = realm.objects(Earlier.Cat.self)
    let notes = realm.objects(Earlier.Note.self)
    try realm.write {
      cats[500].lives = 5
      realm.create(Earlier.Cat.self, value: ["name": "new", "lives": 8])
      notes[7].text = "slow"
      realm.create(Earlier.Person.self, value: ["id": 100, "name": "name 3"])
    }
    #expect(cats.sum(of: \.lives) == 7 + 90 + 5 + 8)
    #expect(notes.where { $0.text.fullTextSearch("quick") }.count == 19)
    #expect(realm.objects(Earlier.Person.self).where { $0.name == "name 3" }.count == 27)
    if !kind.hasRules { return }
    let invoices = realm.objects(Earlier.Invoice.self)
    try realm.write {
      #expect(realm.create(Earlier.Invoice.self).number == 6)
      realm.delete(invoices[0])
    }
    #expect(realm.objects(Earlier.Line.self).count == 8)
  }
}
