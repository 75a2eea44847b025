import Foundation
import Testing

@testable import Storage

/// A meta page that cannot be written fails a commit, and nothing else.
@Suite struct PanicTests {
  private let path = TemporaryFile.path()

  private func makeSnapshot() throws -> Snapshot {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try snapshot.beginWrite()
    snapshot.setCatalogue(
      Catalogue(tables: [TableDescription(name: "Thing", columns: [Column(name: "a", type: .int)])]))
    _ = snapshot.table(0).insertRow()
    try snapshot.commitWrite()
    return snapshot
  }

  private func write(_ snapshot: Snapshot, _ number: Int64) throws {
    try snapshot.beginWrite()
    snapshot.table(0).setInteger(0, 0, number)
    try snapshot.commitWrite()
  }

  private func value(_ snapshot: Snapshot) -> Int64 {
    withExtendedLifetime(snapshot) { snapshot.table(0).integer(0, 0) }
  }

  /// Lets LMDB's descriptor for synchronising writes of meta pages refuse them, while the body runs.
  private func withFailingMetaWrites(_ file: DatabaseFile, _ body: () throws -> Void) throws {
    // The third word of LMDB's environment.
    let descriptor = UnsafePointer<Int32>(file.environment.handle)[2]
    let working = dup(descriptor)
    let failing = open(path, O_RDONLY)
    #expect(dup2(failing, descriptor) == descriptor)
    defer {
      dup2(working, descriptor)
      close(working)
      close(failing)
    }
    try body()
  }

  @Test func theFileIsUsableWhenTheCauseIsGone() throws {
    defer { TemporaryFile.delete(path) }
    do {
      let writer = try makeSnapshot()
      #expect(writer.file.panicFlag != nil, "this LMDB is unknown")
      let reader = try Snapshot(file: writer.file)
      let frozen = try Snapshot(sharing: reader)
      try withFailingMetaWrites(writer.file) {
        for _ in 0..<3 {
          #expect(throws: StorageError.self) { try write(writer, 1) }
          #expect(value(writer) == 0)
          // They can read on, and move on, and others can begin.
          #expect(value(reader) == 0)
          try reader.advance()
          #expect(value(reader) == 0)
          #expect(try value(Snapshot(file: writer.file)) == 0)
        }
      }
      try write(reader, 2)
      #expect(try writer.advance())
      #expect(value(writer) == 2)
      #expect(value(frozen) == 0)
    }
    #expect(try value(Snapshot(file: DatabaseFile.open(path: path))) == 2)
  }

  /// As after a synchronisation that failed, when writing the old number back failed as well, whether a reader takes the
  /// mark away first or not.
  @Test(arguments: [false, true]) func aFailedVersionDoesNotComeBack(readerIsFirst: Bool) throws {
    defer { TemporaryFile.delete(path) }
    let copy = TemporaryFile.path()
    defer { TemporaryFile.delete(copy) }
    let writer = try makeSnapshot()
    let failed = writer.version + 1
    // The number of the version in its meta page.
    let place = off_t(failed & 1) * off_t(sysconf(Int32(_SC_PAGESIZE))) + 16 + 128
    try withFailingMetaWrites(writer.file) {
      #expect(throws: StorageError.self) { try write(writer, 1) }
    }
    #expect(writer.file.newestVersion == failed - 1)
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    var number = failed
    #expect(pwrite(descriptor, &number, 8, place) == 8)
    writer.file.panicFlag?.set()
    #expect(writer.file.newestVersion == failed)
    if readerIsFirst {
      writer.file.readerPool.give(try writer.file.takeReader())
      #expect(writer.file.panicFlag?.isSet == false)
    }
    try writer.beginWrite()
    #expect(writer.file.newestVersion == failed - 1)
    // Who opens what is on the disk now finds the old version.
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(try value(Snapshot(file: DatabaseFile.open(path: copy))) == 0)
    writer.table(0).setInteger(0, 0, 3)
    try writer.commitWrite()
    #expect(writer.version == failed)
    #expect(try value(Snapshot(file: writer.file)) == 3)
  }

  /// With an LMDB whose environment is laid out otherwise, the file has to be closed, and can be read until then.
  @Test func anUnknownLayoutIsLeftAlone() throws {
    defer { TemporaryFile.delete(path) }
    do {
      let writer = try makeSnapshot()
      writer.file.panicFlag = nil
      let reader = try Snapshot(file: writer.file)
      try withFailingMetaWrites(writer.file) {
        #expect(throws: StorageError.self) { try write(writer, 1) }
      }
      for snapshot in [writer, reader] {
        #expect(throws: StorageError.self) { try write(snapshot, 2) }
        #expect(value(snapshot) == 0)
        #expect(throws: StorageError.self) { try Snapshot(file: writer.file) }
      }
      #expect(writer.file.tryTakeWriting(), "the right to write was not given back")
      writer.file.returnWriting()
    }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    #expect(value(snapshot) == 0)
    try write(snapshot, 4)
    #expect(value(snapshot) == 4)
  }
}
