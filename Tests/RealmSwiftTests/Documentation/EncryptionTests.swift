import Foundation
import RealmSwift
import TestSupport
import Testing

class EncryptedNote: Object {
  @Persisted(primaryKey: true) var secretId = 0
  @Persisted(indexed: true) var secretTitle = ""
  @Persisted(fullText: true) var secretText = ""
  @Persisted var secretTags: MutableSet<String>
  @Persisted var secretScores: Map<String, Int>
  @Persisted var anything: AnyRealmValue
  @Persisted var next: EncryptedNote?
  @Persisted(originProperty: "next") var previous: LinkingObjects<EncryptedNote>
}

/// "Encrypt a realm": the page of the documentation, and what it leaves open.
@Suite struct EncryptionTests {
  private let folder = ScratchFolder()
  private static let key = Data((0..<64).map { UInt8($0 &* 3) })
  private static let otherKey = Data((0..<64).map { UInt8($0 &* 3) ^ ($0 == 63 ? 1 : 0) })
  private var url: URL { folder.file("secret.realm") }

  private func configuration(_ key: Data? = key, readOnly: Bool = false) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: url, encryptionKey: key, readOnly: readOnly, objectTypes: [EncryptedNote.self])
  }

  private func note(_ id: Int) -> EncryptedNote {
    let note = EncryptedNote()
    note.secretId = id
    note.secretTitle = "plantedTitle \(id % 50)"
    note.secretText =
      id == 3 ? String(repeating: "plantedLong ", count: 500) : "the plantedWord number\(id) of multitudes"
    note.secretTags.insert("plantedTag \(id % 3)")
    note.secretScores["plantedKey"] = id
    note.anything = .string("plantedMixed \(id)")
    return note
  }

  private func fill(_ count: Int = 2_000) throws {
    let realm = try Realm(configuration: configuration())
    try realm.write {
      var last: EncryptedNote?
      for id in 0..<count {
        let note = note(id)
        note.next = last
        realm.add(note)
        last = note
      }
    }
  }

  private func expectError(_ code: Realm.Error.Code, _ words: String, _ configuration: Realm.Configuration) {
    let error = realmError { _ = try Realm(configuration: configuration) }
    #expect(error?.code == code)
    #expect(
      error?.localizedDescription.contains(words) == true, "\(error?.localizedDescription ?? "no error")")
    #expect(error?.fileURL?.path == url.path)
  }

  @Test func whatIsWrittenIsReadWithTheKey() throws {
    try fill()
    for readOnly in [false, true] {
      let realm = try Realm(configuration: configuration(readOnly: readOnly))
      let notes = realm.objects(EncryptedNote.self)
      #expect(notes.count == 2_000)
      #expect(notes.allSatisfy { $0.secretScores["plantedKey"] == $0.secretId })
      let third = try #require(realm.object(ofType: EncryptedNote.self, forPrimaryKey: 3))
      #expect(third.secretText == String(repeating: "plantedLong ", count: 500))
      #expect(third.previous.first?.secretId == 4)
      #expect(notes.where { $0.secretTitle == "plantedTitle 7" }.count == 40)
      #expect(notes.sorted(by: \.secretTitle).first?.secretTitle == "plantedTitle 0")
      #expect(notes.where { $0.secretText.contains("number1234") }.map(\.secretId) == [1_234])
      #expect(notes.filter("secretText TEXT 'plantedWord -number5'").count == 1_998)
      #expect(notes.where { $0.secretTags.contains("plantedTag 1") }.count == 667)
    }
  }

  /// The file, its lock file, and whatever else lies beside it.
  @Test func nothingCanBeRead() throws {
    try fill()
    let open = try Realm(configuration: configuration())
    for number in 0..<100 {
      try open.write {
        open.objects(EncryptedNote.self).first?.secretText = "plantedChange number12\(number)"
      }
    }
    // Some that it surely has.
    for id in 0..<5 { try open.write { open.add(note(5_000 + id)) } }
    // None is so short that chance puts it among encrypted bytes: four letters are there once in some thousand files.
    let words = ["planted", "secretT", "secretId", "EncryptedNote", "anything", "number12", "multitudes"]
    var found: [String: Data] = [:]
    for case let file as String in try #require(FileManager.default.enumerator(atPath: folder.url.path)) {
      found[file] = try? Data(contentsOf: folder.url.appendingPathComponent(file))
    }
    for (file, bytes) in found {
      for word in words {
        #expect(bytes.range(of: Data(word.utf8)) == nil, "'\(word)' is in \(file)")
      }
    }
    #expect(Set(found.keys).isSuperset(of: ["secret.realm", "secret.realm-lock"]))
    // The search finds what is there to be found.
    let plain = folder.file("plain.realm")
    try {
      let realm = try Realm(configuration: .init(fileURL: plain, objectTypes: [EncryptedNote.self]))
      try realm.write { realm.add(note(12)) }
    }()
    let bytes = try Data(contentsOf: plain)
    for word in words {
      #expect(bytes.range(of: Data(word.utf8)) != nil, "'\(word)' is not found where nothing is encrypted")
    }
  }

  @Test func theKeyHasToBeTheRightOne() throws {
    try fill(10)
    let before = try Data(contentsOf: url)
    for readOnly in [false, true] {
      expectError(
        .invalidDatabase, "Realm file decryption failed", configuration(Self.otherKey, readOnly: readOnly))
      expectError(.invalidDatabase, "Realm file decryption failed", configuration(nil, readOnly: readOnly))
    }
    #expect(try Data(contentsOf: url) == before)
    #expect(try Realm(configuration: configuration()).objects(EncryptedNote.self).count == 10)
  }

  @Test func aPlainFileHasNoKey() throws {
    try { _ = try Realm(configuration: configuration(nil)) }()
    for readOnly in [false, true] {
      expectError(.invalidDatabase, "it is not encrypted", configuration(readOnly: readOnly))
    }
  }

  @Test func conflictsOfKeys() throws {
    try fill(10)
    let realm = try Realm(configuration: configuration())
    for key in [Self.otherKey, nil] {
      expectError(.fail, "already opened with different encryption key", configuration(key))
      let (url, otherConfiguration) = (url, configuration(key))
      let error = onThread { realmError { _ = try Realm(configuration: otherConfiguration) } }
      #expect(
        error?.localizedDescription
          == "Realm at path '\(url.path)' already opened with different encryption key.")
    }
    withExtendedLifetime(realm) {}
  }

  @Test func aRealmInMemoryHasNoKey() {
    let configuration = Realm.Configuration(
      inMemoryIdentifier: "encrypted", encryptionKey: Self.key, objectTypes: [EncryptedNote.self])
    let error = realmError { _ = try Realm(configuration: configuration) }
    #expect(error?.code == .fail)
    #expect(error?.localizedDescription == "Encryption is not supported for in-memory realms.")
  }

  @Test(arguments: [0, 63, 65, 128]) func otherLengthsStop(length: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [length = length as Int] in
      _ = try? Realm(
        configuration: Realm.Configuration(
          fileURL: URL(fileURLWithPath: "/nowhere.realm"), encryptionKey: Data(count: length)))
    }
    expectStop(result, saying: "Encryption key must be exactly 64 bytes long")
  }

  /// What takes a key besides a configuration.
  enum KeyUse: String, CaseIterable, Codable {
    case schemaVersion, copy, compaction, verification, salvage

    func use(_ key: Data) throws {
      let file = ScratchRealm([EncryptedNote.self], encryptionKey: nil)
      try file.write { _ = $0.create(EncryptedNote.self, value: ["secretId": 1]) }
      let target = file.folder.appending(path: "target.realm")
      switch self {
      case .schemaVersion: _ = try schemaVersionAtURL(file.url, encryptionKey: key)
      case .copy: try file.open().writeCopy(toFile: target, encryptionKey: key)
      case .compaction: _ = try Realm.compact(at: file.url, encryptionKey: key)
      case .verification: _ = try Realm.verify(at: file.url, encryptionKey: key)
      case .salvage: _ = try Realm.salvage(from: file.url, to: target, encryptionKey: key)
      }
    }
  }

  @Test(arguments: KeyUse.allCases) func otherLengthsStopEverywhere(_ use: KeyUse) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [name = use.rawValue as String] in
      // An error is not what is expected.
      try? KeyUse(rawValue: name)!.use(Data(count: 63))
    }
    expectStop(result, saying: "Encryption key must be exactly 64 bytes long")
  }

  @Test func theSchemaVersionNeedsTheKey() throws {
    var configuration = configuration()
    configuration.schemaVersion = 5
    try { _ = try Realm(configuration: configuration) }()
    #expect(try schemaVersionAtURL(url, encryptionKey: Self.key) == 5)
    for key in [Self.otherKey, nil] {
      let error = realmError { _ = try schemaVersionAtURL(url, encryptionKey: key) }
      #expect(error?.code == .invalidDatabase)
      #expect(error?.localizedDescription.contains("Realm file decryption failed") == true)
    }
  }

  @Test func frozenObjectsAreReadElsewhere() throws {
    try fill(1_000)
    let realm = try Realm(configuration: configuration())
    let notes = realm.objects(EncryptedNote.self).where { $0.secretTitle == "plantedTitle 9" }
    nonisolated(unsafe) let frozen = notes.freeze()
    let first = try #require(notes.first).freeze()
    for id in 0..<100 {
      try realm.write { realm.object(ofType: EncryptedNote.self, forPrimaryKey: id)?.secretTitle = "gone" }
    }
    #expect(notes.count == 18)
    let texts = onThread { frozen.map(\.secretText) }
    #expect(texts.count == 20 && texts.contains("the plantedWord number59 of multitudes"))
    #expect(first.secretTitle == "plantedTitle 9")
  }

  @Test func observersAreTold() throws {
    try fill(1_000)
    let queue = DispatchQueue(label: "encrypted")
    let isTold = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var told: [[Int]] = []
    nonisolated(unsafe) var token: NotificationToken?
    let configuration = configuration()
    try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      token = realm.objects(EncryptedNote.self).where { $0.secretTitle == "plantedTitle 9" }.observe {
        if case .update(_, let deletions, let insertions, let modifications) = $0 {
          told.append([deletions.count, insertions.count, modifications.count])
        }
        isTold.signal()
      }
    }
    isTold.waitOrStop()
    let realm = try Realm(configuration: configuration)
    for (id, change) in [(59, "gone"), (60, "plantedTitle 9"), (109, nil)] {
      try realm.write {
        let note = realm.object(ofType: EncryptedNote.self, forPrimaryKey: id)
        if let change { note?.secretTitle = change } else { note?.secretScores["more"] = 1 }
      }
      isTold.waitOrStop()
    }
    #expect(queue.sync { told } == [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    queue.sync {
      token?.invalidate()
      return
    }
  }

  @Test func copiesHaveTheSameKey() throws {
    try fill(100)
    let copy = folder.file("copy.realm")
    try Realm(configuration: configuration()).writeCopy(toFile: copy, encryptionKey: Self.key)
    var configuration = configuration()
    configuration.fileURL = copy
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(EncryptedNote.self).count == 100)
    try realm.write { realm.add(note(1_000)) }
    #expect(realm.objects(EncryptedNote.self).where { $0.secretTitle == "plantedTitle 0" }.count == 3)
  }
}
