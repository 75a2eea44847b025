import Foundation
import TestSupport
import Testing

@testable import Storage

/// A user of the folder can exchange the work folder of another user, whose files are in it.
@Suite struct WorkFolderTests {
  private let folder = ScratchFolder()

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  @Test func anExchangedFolderLeadsToNoOtherFiles() throws {
    let target = folder.path("data.realm")
    let (victim, moved) = (folder.path("victim"), folder.path("moved"))
    #expect(mkdir(victim, 0o700) == 0)
    for name in ["copy", "kept"] { try Data(name.utf8).write(to: URL(fileURLWithPath: "\(victim)/\(name)")) }
    let work = try WorkFolder.take(beside: target)
    #expect(rename(target + ".new", moved) == 0 && symlink(victim, target + ".new") == 0)
    try CommitSignalTests.commit(DatabaseFile.make(in: work.file, encryptionKey: nil, name: target))
    #expect(exists(moved + "/copy"))
    #expect(rename(work.file, target) == 0)
    work.end()
    #expect(try FileVerification(path: target).faults.isEmpty)
    for name in ["copy", "kept"] {
      #expect(try Data(contentsOf: URL(fileURLWithPath: "\(victim)/\(name)")) == Data(name.utf8))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: victim).count == 2)
  }
}
