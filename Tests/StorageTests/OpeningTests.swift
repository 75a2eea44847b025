import CLMDB
import Foundation
import Testing

@testable import Storage

/// One LMDB environment per file and process, whatever the order of opening.
@Suite struct OpeningTests {
  @Test func aFileOpenReadOnlyDoesNotOpenForWriting() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    do { _ = try DatabaseFile.open(path: path) }
    do {
      let reader = try Snapshot(file: DatabaseFile.open(path: path, readOnly: true))
      // Closing one of two environments would free the reader slots of both.
      #expect(throws: StorageError.self) { try DatabaseFile.open(path: path) }
      #expect(reader.file === (try DatabaseFile.open(path: path, readOnly: true)))
    }
    let file = try DatabaseFile.open(path: path)
    #expect(!file.isReadOnly)
    #expect(file === (try DatabaseFile.open(path: path, readOnly: true)))
  }
}
