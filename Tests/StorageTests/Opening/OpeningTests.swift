import Foundation
import Testing

@testable import Storage

/// A file is open once in a process, whatever the order of opening.
@Suite struct OpeningTests {
  @Test func aFileOpenReadOnlyDoesNotOpenForWriting() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    do { _ = try DatabaseFile.open(path: path) }
    do {
      let reader = try Snapshot(file: DatabaseFile.open(path: path, readOnly: true))
      // A file is open once in a process, and this one has it open without the right to write.
      #expect(throws: StorageError.self) { try DatabaseFile.open(path: path) }
      #expect(reader.file === (try DatabaseFile.open(path: path, readOnly: true)))
    }
    let file = try DatabaseFile.open(path: path)
    #expect(!file.isReadOnly)
    #expect(file === (try DatabaseFile.open(path: path, readOnly: true)))
  }

  /// A process has address space for 128 maps of a tebibyte only.
  @Test func manyFilesAtOnce() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      precondition(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      limit.rlim_cur = min(limit.rlim_max, 16384)
      precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      var files: [DatabaseFile] = []
      defer { for file in files { TemporaryFile.delete(file.path) } }
      for _ in 0..<300 {
        let file = try DatabaseFile.open(path: TemporaryFile.path())
        files.append(file)
        let snapshot = try Snapshot(file: file)
        try Writer(snapshot).begin()
        Writer(snapshot).setCatalogue(Catalogue(tables: [TableDescription(name: "Thing", columns: [])]))
        try Writer(snapshot).commit(durability: .relaxed)
      }
    }
  }
}
