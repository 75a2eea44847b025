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
}
