import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// What is in an encrypted file is seen with its key alone.
@Suite struct EncryptedPagesTests {
  private let folder = ScratchFolder()
  private let key = encryptionKey("sealed")!

  private func options(_ key: [UInt8]?) -> PageStore.Options { .init(mapLimit: 1 << 28, key: key) }

  private func set(_ store: PageStore, _ entries: [String: [UInt8]]) throws {
    let transaction = try PageTransaction(store)
    for (name, value) in entries {
      try Array(name.utf8).withUnsafeBytes { key in
        try value.withUnsafeBytes { try transaction.set(key, $0) }
      }
    }
    try transaction.commit(.full)
  }

  private func value(_ store: PageStore, _ name: String) throws -> [UInt8]? {
    try PageVersion.with(store) { version in
      try Array(name.utf8).withUnsafeBytes { try version.value($0).map(Array.init) }
    }
  }

  /// A power failure leaves such records: that of a version whose extents never came to the disk, where those of an older one are.
  @Test func anExtentThatIsNotWholeLeavesWhatIsViewed() throws {
    let path = folder.path("viewed.pages")
    let store = try PageStore(path: path, options: options(key))
    let long = [UInt8](repeating: 7, count: 40_000)
    try set(store, ["name": long])
    try store.close()
    let viewer = try PageViewer(path: path, mapLimit: 1 << 28, key: key)
    let version = try viewer.hold()
    defer { version.release() }
    let found = try #require(try Array("name".utf8).withUnsafeBytes { try version.value($0) })
    #expect(found.elementsEqual(long))
    // The newest record says that its root is in the middle of the value.
    let file = try DiskFile(path: path, O_RDWR, watcher: nil)
    try file.findCipher(key)
    var record = try #require(
      try Recovery(file, mapLimit: 1 << 28).candidates.first { $0.record.version == version.version }
    ).record
    let leaf = Node(try version.content(record.root))
    record.root.unit = leaf.reference(0).unit + 8
    (record.version, record.root.version) = (version.version + 1, version.version + 1)
    let free = try (0..<UInt64(FileLayout.slotCount)).first {
      try file.record(atUnit: $0 * UInt64(FileLayout.unitsPerBlock))?.version != version.version
    }
    try file.write(record, atUnit: try #require(free) * UInt64(FileLayout.unitsPerBlock))
    let again = try viewer.hold()
    defer { again.release() }
    #expect(again.version == version.version)
    #expect(found.elementsEqual(long))
  }

  @Test func neitherKeysNorValuesAreInTheFile() throws {
    let path = folder.path("secret.pages")
    let store = try PageStore(path: path, options: options(key))
    let long = Array(repeating: Array("a long secret, ".utf8), count: 200_000).flatMap { $0 }
    let entries = [
      "name of the first": Array("a small secret".utf8), "name of the second": long,
      "name of the third": Array(long[..<5000]),
    ]
    try set(store, entries)
    for (name, value) in entries { #expect(try self.value(store, name) == value) }
    for name in [path, path + "-lock"] {
      let bytes = try Data(contentsOf: URL(filePath: name))
      for word in ["secret", "name of"] {
        #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(name)")
      }
    }
    try store.close()
    let reopened = try PageStore(path: path, options: options(key))
    for (name, value) in entries { #expect(try self.value(reopened, name) == value) }
  }

  @Test(arguments: [true, false]) func anotherKeyIsRefusedAndNothingIsChanged(isEncrypted: Bool) throws {
    let path = folder.path("\(isEncrypted).pages")
    let own = isEncrypted ? key : nil
    var store = try PageStore(path: path, options: options(own))
    try set(store, ["a": [1, 2, 3]])
    try store.close()
    let before = try Data(contentsOf: URL(filePath: path))
    let another = [UInt8](repeating: 9, count: 64)
    let wrong: [([UInt8]?, PageError)] =
      isEncrypted
      ? [(another, .wrongKey), (nil, .missingKey)] : [(another, .notEncrypted), (key, .notEncrypted)]
    for (other, error) in wrong {
      #expect(throws: error) { try PageStore(path: path, options: options(other)) }
      #expect(throws: error) { try PageViewer(path: path, mapLimit: 1 << 28, key: other) }
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    store = try PageStore(path: path, options: options(own))
    #expect(try value(store, "a") == [1, 2, 3])
  }

  @Test func equalValuesOfTwoTransactionsLookDifferent() throws {
    let path = folder.path("equal.pages")
    let store = try PageStore(path: path, options: options(key))
    let value = [UInt8](repeating: 7, count: 4096)
    try set(store, ["a": value, "b": value])
    try set(store, ["a": value])
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    let units = stride(
      from: FileLayout.firstUnit * FileLayout.unit, to: bytes.count - FileLayout.unit, by: FileLayout.unit
    )
    .map { Array(bytes[$0..<$0 + FileLayout.unit]) }.filter { $0.contains { $0 != 0 } }
    #expect(Set(units).count == units.count && units.count > 20)
  }

  /// Someone who has an older copy of the file puts a part of it back.
  @Test func anOlderExtentInThePlaceOfANewOneIsFound() throws {
    let path = folder.path("older.pages")
    let store = try PageStore(path: path, options: options(key))
    try set(store, ["a": [UInt8](repeating: 1, count: 4096)])
    let reference = try PageVersion.with(store) { try $0.node($0.root).reference(0) }
    try store.close()
    let older = Array(try Data(contentsOf: URL(filePath: path)))
    // The place is used again for another value of the same size.
    let next = try PageStore(path: path, options: options(key))
    var place = Reference.none
    for number in 0..<200 where place.unit != reference.unit {
      try set(next, ["a": [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 4096)])
      place = try PageVersion.with(next) { try $0.node($0.root).reference(0) }
    }
    try #require(place.unit == reference.unit)
    try next.close()
    let start = Int(reference.unit) * FileLayout.unit
    let file = try DiskFile(path: path, O_RDWR, watcher: nil)
    try older[start..<start + reference.storedLength].withUnsafeBytes { try file.write($0, at: start) }
    let damaged = try PageStore(path: path, options: options(key))
    #expect(throws: PageError.damaged("the checksum of unit \(reference.unit)")) {
      try value(damaged, "a")
    }
  }

  /// libcrypto would free what they use.
  @Test func aProgramMayEndWhileOtherThreadsEncrypt() async {
    for _ in 0..<10 {
      await #expect(processExitsWith: .success) {
        let cipher = try PageCipher(key: [UInt8](repeating: 7, count: 64))
        for _ in 0..<4 {
          Thread.detachNewThread {
            let record = [UInt8](repeating: 1, count: 400)
            while true { record.withUnsafeBytes { _ = cipher.sum(ofRecord: $0) } }
          }
        }
        usleep(20_000)
        exit(0)
      }
    }
  }
}
