import Foundation
import RealmSwift
import TestSupport
import Testing

/// The documentation's page on deleting a realm.
@Suite struct DeleteRealmTests {
  typealias Dog = Kennels.Dog

  let file: ScratchRealm

  init() throws {
    file = try Kennels.file()
    try file.write { realm in realm.create(Dog.self, value: ["name": "Rex"]) }
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file.folder.path).sorted()
  }

  @Test func theFiles() throws {
    do {
      let realm = try file.open()
      #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: file.configuration) }
      #expect(realm.objects(Dog.self).count == 1)
    }
    #expect(try Realm.deleteFiles(for: file.configuration))
    #expect(try names() == [])
    #expect(try !Realm.deleteFiles(for: file.configuration))
    #expect(try file.open().isEmpty)
  }

  /// By hand: the file and all that belongs to it, by its name.
  @Test func byHand() throws {
    for suffix in ["", "-lock", ".lock", ".note", ".management"] {
      try? FileManager.default.removeItem(atPath: file.path + suffix)
    }
    #expect(try names() == [])
    #expect(try file.open().isEmpty)
  }

  /// What a copy or a compaction has left that was killed goes, too.
  @Test func leftovers() throws {
    let leftover = file.folder.appending(path: "test.realm.new")
    try FileManager.default.createDirectory(
      at: leftover, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try Data("half a copy".utf8).write(to: leftover.appending(path: "copy"))
    #expect(try Realm.deleteFiles(for: file.configuration))
    #expect(try names() == [])
  }

  @Test func theContent() throws {
    let realm = try file.open()
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty)
    #expect(try names() == ["test.realm", "test.realm-lock"])
  }
}
