import Foundation
import TestSupport
import Testing

@testable import OfficialFiles

/// Opening files.
struct OfficialFileTests {
  @Test func tablesThatAreNoClasses() throws {
    let file = try Sample.schema.open()
    let others = Set(file.tables.filter { $0.className == nil }.map(\.name))
    #expect(others.isSuperset(of: ["metadata", "private_table"]))
    let table = try #require(file.tables.first { $0.name == "private_table" })
    #expect(Array(try table.contents(file).values) == [["s": .string(Array("not a class".utf8))]])
  }

  @Test func whatAFileLooksLike() throws {
    #expect(try OfficialFileKind(path: Sample.types.path) == .official)
    #expect(try OfficialFileKind(path: Sample.streamed.path) == .official)
    #expect(try OfficialFileKind(path: Sample.encrypted.path) == .maybeEncrypted)
    #expect(try OfficialFileKind(path: #filePath) == .other)
  }

  @Test func whatIsNoFile() {
    let folder = ScratchFolder()
    #expect(Opening.reason { try OfficialFile(path: folder.path("none.realm")) } == .unreadable(ENOENT))
    #expect(Opening.reason { try OfficialFile(path: folder.url.path) } == .unreadable(EISDIR))
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(Opening.reason { try OfficialFile(path: pipe) } == .unreadable(EINVAL))
    #expect(Opening.reason { try OfficialFile(path: #filePath) } == .notOfficial)
  }

  /// Large files are mapped, others copied, and all may be written to meanwhile.
  @Test(arguments: [0, 65 << 20]) func whoWritesToAFileIsNoticed(size: Int) throws {
    let folder = ScratchFolder()
    let path = folder.path("written.realm")
    let bytes = try Sample.types.bytes()
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    // Files may have free space at their ends.
    #expect(truncate(path, max(size, bytes.count)) == 0)
    let file = try OfficialFile(path: path)
    try file.readAll()
    try file.checkIsUnchanged()
    let writer = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try writer.write(contentsOf: [1])
    try writer.close()
    #expect(throws: OfficialFileError(path: path, reason: .inUse)) { try file.checkIsUnchanged() }
  }
}
