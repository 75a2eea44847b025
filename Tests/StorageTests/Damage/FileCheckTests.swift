import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite struct FileCheckTests {
  /// A meta page that is never that of the version that LMDB reads is damage, and does not let the check go on for ever.
  @Test func aMetaPageOfAnotherVersionIsReported() throws {
    let path = ScratchFolder.lastingPath()
    let file = try DatabaseFile.open(path: path)
    let reader = try file.takeReader()
    defer { file.readerPool.give(reader) }
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    try MetaPage.writeVersion(reader.version + 2, at: reader.version, descriptor: descriptor)
    let error = #expect(throws: StorageError.self) {
      try FileCheck.checkTrees(of: reader, path: path, .branches)
    }
    #expect(error?.kind == .invalidDatabase && error?.message.contains("its meta page has") == true)
  }
}
