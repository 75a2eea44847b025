import Foundation
import RealmSwift
import TestSupport
import Testing

/// Files of the official SDK that several processes open at once, or that are being converted when a process is killed.
@Suite struct ConversionTests {
  private let folder = ScratchFolder()
  private static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../OfficialFilesTests/Samples/Files/schema.realm")

  private func place(_ name: String) throws -> (path: String, content: Data) {
    let content = try Data(contentsOf: Self.sample)
    try content.write(to: folder.file(name))
    return (folder.path(name), content)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  @Test func severalProcesses() throws {
    for round in 0..<5 {
      let (path, content) = try place("\(round).realm")
      let workers = try (0..<4).map { _ in try WorkerProcess("convert", path) }
      for worker in workers {
        #expect(worker.finish())
        #expect(worker.lastNumber == 39)
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".official")) == content)
      #expect(!FileManager.default.fileExists(atPath: path + ".new"))
    }
  }

  @Test func killedInTheMiddle() throws {
    let (path, content) = try place("people.realm")
    for count in [1, 10, 20] {
      #expect(try !WorkerProcess("convert-some", path, String(count)).finish())
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
      // The work folder belongs to who comes next.
      #expect(try names() == ["people.realm", "people.realm.new"])
    }
    let worker = try WorkerProcess("convert", path)
    #expect(worker.finish() && worker.lastNumber == 39)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".official")) == content)
    #expect(try names() == ["people.realm", "people.realm-lock", "people.realm.official"])
    let realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), schemaVersion: 7, objectTypes: [])
    )
    #expect(realm.dynamicObjects("Person").count == 39)
  }

  // MARK: File systems without second names

  private func failing(_ calls: String, _ error: Int32) -> [String: String] {
    FailingCalls.environment(calls, error: error, in: folder.url.path)
  }

  private func expectConverted(_ path: String, _ content: Data) throws {
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".official")) == content)
    #expect(try names() == ["people.realm", "people.realm-lock", "people.realm.official"])
    var information = stat()
    #expect(stat(path + ".official", &information) == 0 && information.st_mode & 0o777 == 0o640)
    #expect(try Realm.verify(at: URL(fileURLWithPath: path)).isSound)
  }

  /// Without second names the old file is kept as a copy, also where a file cannot be renamed only when nothing is there.
  @Test(arguments: ["link", "link,renameat2"], [EPERM, ENOSYS, EOPNOTSUPP])
  func theOldFileIsCopied(calls: String, error: Int32) throws {
    let (path, content) = try place("people.realm")
    #expect(chmod(path, 0o640) == 0)
    let worker = try WorkerProcess("convert", path, environment: failing(calls, error))
    #expect(worker.finish() && worker.lastNumber == 39)
    try expectConverted(path, content)
  }

  /// Whoever is killed when the copy has its name leaves two files with the same content.
  @Test func aCopyThatIsThere() throws {
    let (path, content) = try place("people.realm")
    #expect(chmod(path, 0o640) == 0)
    try FileManager.default.copyItem(atPath: path, toPath: path + ".official")
    // Also of a copy that was not whole yet.
    try FileManager.default.createDirectory(
      atPath: path + ".new", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try content.prefix(1000).write(to: URL(fileURLWithPath: path + ".new/kept"))
    let worker = try WorkerProcess("convert", path, environment: failing("link", EPERM))
    #expect(worker.finish() && worker.lastNumber == 39)
    try expectConverted(path, content)
  }

  /// What fails leaves everything as it was: the copy, and giving the new file its name.
  @Test(arguments: ["link,renameat2,rename", "link,fsync"]) func nothingHasChanged(calls: String) throws {
    let (path, content) = try place("people.realm")
    let worker = try WorkerProcess("convert", path, environment: failing(calls, EPERM))
    #expect(!worker.finish())
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
    #expect(try names() == ["people.realm"])
  }

  /// Of the same length, but of another content.
  @Test func somethingElseIsNoCopy() throws {
    let (path, content) = try place("people.realm")
    var other = content
    other[other.count - 1] ^= 1
    try other.write(to: URL(fileURLWithPath: path + ".official"))
    let worker = try WorkerProcess("convert", path, environment: failing("link", EPERM))
    #expect(!worker.finish())
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".official")) == other)
    #expect(try names() == ["people.realm", "people.realm.official"])
  }
}
