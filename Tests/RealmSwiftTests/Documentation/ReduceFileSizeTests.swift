import Foundation
import RealmSwift
import TestSupport
import Testing

/// The documentation's page on reducing the size of a file.
@Suite struct ReduceFileSizeTests {
  typealias Dog = Kennels.Dog

  let file: ScratchRealm

  init() throws {
    file = try Kennels.file()
    try file.write { realm in
      for number in 0..<4000 {
        realm.create(
          Dog.self, value: ["name": "dog \(number) with a name that takes some space", "age": number])
      }
    }
    try file.write { realm in realm.delete(realm.objects(Dog.self).where { $0.age >= 400 }) }
  }

  private func size(_ url: URL) throws -> Int {
    try url.resourceValues(forKeys: [.fileSizeKey]).fileSize!
  }

  /// The page's example: files over 100 MB of which less than half is in use, here with smaller numbers.
  @Test func whenTheFileIsLargeAndMostlyEmpty() throws {
    let before = try size(file.url)
    var configuration = file.configuration
    configuration.shouldCompactOnLaunch = { totalBytes, usedBytes in
      let limit = 100 * 1024
      return totalBytes > limit && Double(usedBytes) / Double(totalBytes) < 0.5
    }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Dog.self).count == 400)
    #expect(try size(file.url) < before / 2)
  }

  /// What is not worth it is left alone.
  @Test func whenItIsNot() throws {
    let before = try size(file.url)
    var configuration = file.configuration
    configuration.shouldCompactOnLaunch = { totalBytes, _ in totalBytes > 100 * 1024 * 1024 }
    #expect(try Realm(configuration: configuration).objects(Dog.self).count == 400)
    #expect(try size(file.url) == before)
  }

  /// Compaction takes place before the first realm is there, wherever that is opened.
  @Test func asynchronously() async throws {
    let before = try size(file.url)
    var configuration = file.configuration
    configuration.shouldCompactOnLaunch = { _, _ in true }
    let count = try await Task { @MainActor [configuration] in
      try await Realm(configuration: configuration).objects(Dog.self).count
    }.value
    #expect(count == 400)
    #expect(try size(file.url) < before / 2)
  }

  /// A copy has no unused space, and can take the place of the original.
  @Test func byACopy() throws {
    let copy = file.folder.appending(path: "copy.realm")
    do {
      let realm = try file.open()
      try realm.writeCopy(toFile: copy, encryptionKey: ScratchRealm.usualKey)
    }
    #expect(try size(copy) < size(file.url) / 2)
    #expect(try Realm.deleteFiles(for: file.configuration))
    try FileManager.default.moveItem(at: copy, to: file.url)
    #expect(try file.open().objects(Dog.self).count == 400)
  }

  /// Old versions that somebody uses keep the file from using its space again: this is how to see who.
  @Test func whoKeepsOldVersions() throws {
    let realm = try file.open()
    let frozen = realm.freeze()
    for number in 0..<5 { try realm.write { realm.objects(Dog.self)[number].age = number } }
    let diagnostics = realm.diagnostics
    #expect(diagnostics.activeVersionCount == 6)
    #expect(diagnostics.readers.first?.owner == "a frozen Realm")
    withExtendedLifetime(frozen) {}
  }
}
