import Foundation
import TestSupport
import Testing

@testable import Storage

/// Copies of what a snapshot shows, and files that were compacted, compared with a model.
@Suite struct CopyTests {
  typealias Model = TransactionModelTests.Model
  private let model = TransactionModelTests()

  /// A copy has what an open write transaction has changed, and the transaction goes on as if there had been none.
  @Test(arguments: [1, 2] as [UInt64])
  func copiesAndCompactions(seed: UInt64) throws {
    var random = SeededGenerator(printing: seed)
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    var snapshot: Snapshot? = try Snapshot(file: DatabaseFile.open(path: path))
    try Writer(snapshot!).begin()
    Writer(snapshot!).setCatalogue(TransactionModelTests.catalogue)
    try Writer(snapshot!).commit(durability: .relaxed)
    var committed = Model()
    for round in 0..<14 {
      var old: Snapshot? = try Snapshot(sharing: snapshot!)
      let before = committed
      try Writer(snapshot!).begin()
      var changed = committed
      // Chunks that are full are packed.
      for _ in 0..<(round == 3 ? 2500 : round == 0 ? 500 : 30) {
        model.step(snapshot!, &changed, &random)
      }
      if round % 3 == 0 {
        model.check(snapshot!, changed)
        try check(snapshot!, changed)
        model.check(snapshot!, changed)
        for _ in 0..<20 { model.step(snapshot!, &changed, &random) }
      }
      // The model takes the first row for one that is there.
      if round > 0, Int.random(in: 0..<4, using: &random) == 0 {
        Writer(snapshot!).cancel()
      } else {
        try Writer(snapshot!).commit(durability: .relaxed)
        committed = changed
      }
      model.check(snapshot!, committed)
      // That of the version that is held.
      if round % 3 == 1 { try check(old!, before) }
      old = nil
      if round % 4 == 2 { try compact(path, &snapshot, committed) }
    }
    #expect(!committed.rows.isEmpty)
  }

  private func check(_ snapshot: Snapshot, _ expected: Model) throws {
    let copy = TemporaryFile.path()
    defer { TemporaryFile.delete(copy) }
    try snapshot.writeCopy(to: copy)
    let copied = try Snapshot(file: DatabaseFile.open(path: copy))
    model.check(copied, expected)
    // It can be written.
    try Writer(copied).begin()
    var changed = expected
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20 { model.step(copied, &changed, &random) }
    try Writer(copied).commit(durability: .relaxed)
    model.check(copied, changed)
  }

  private func compact(_ path: String, _ snapshot: inout Snapshot?, _ expected: Model) throws {
    #expect(try !DatabaseFile.compact(path: path))
    let size = snapshot!.file.size
    snapshot = nil
    #expect(!DatabaseFile.isOpen(path: path))
    #expect(try DatabaseFile.compact(path: path))
    snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    model.check(snapshot!, expected)
    #expect(snapshot!.file.size.total <= size.total)
    // But for the few pages that the last part has made free.
    #expect(snapshot!.file.size.total < snapshot!.file.size.used + 20 * EntryStore.pageSize)
  }

  /// Copies are committed in parts, and packed.
  @Test func largeFiles() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let copy = TemporaryFile.path()
    defer { TemporaryFile.delete(copy) }
    let count = 20
    let content = [UInt8](repeating: 7, count: 4 << 20)
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try Writer(snapshot).begin()
      Writer(snapshot).setCatalogue(
        Catalogue(tables: [TableDescription(name: "Film", columns: [Column(name: "film", type: .data)])]))
      let table = snapshot.table(0)
      for number in 0..<count {
        let row = table.insertRow()
        content.withUnsafeBytes { table.setData(0, row, UnsafeRawBufferPointer(rebasing: $0[number...])) }
      }
      try Writer(snapshot).commit(durability: .relaxed)
      try snapshot.writeCopy(to: copy)
    }
    let copied = try Snapshot(file: DatabaseFile.open(path: copy))
    #expect(copied.liveCount(table: 0) == count)
    for number in 0..<count {
      #expect(copied.bytes(table: 0, column: 0, row: number).count == content.count - number)
    }
    // One commit for each 64 MB.
    #expect(copied.version >= 2)
    #expect(copied.file.size.total < count * (content.count + 8192) + (1 << 20))
  }

  @Test func nothingIsLeftWhereACopyFails() throws {
    let folder = ScratchFolder()
    let numbers = try Numbers()
    try numbers.append(.relaxed)
    let missing = #expect(throws: StorageError.self) {
      try numbers.snapshot.writeCopy(to: folder.path("missing/copy.realm"))
    }
    #expect(missing?.kind == .notFound)
    // Something that is neither a folder nor ours.
    symlink("/", folder.path("copy.realm.new"))
    let planted = #expect(throws: StorageError.self) {
      try numbers.snapshot.writeCopy(to: folder.path("copy.realm"))
    }
    #expect(planted?.kind == .access)
    #expect(planted?.message.contains("copy.realm.new' is in the way") == true)
    unlink(folder.path("copy.realm.new"))
    symlink("nowhere", folder.path("copy.realm"))
    let exists = #expect(throws: StorageError.self) {
      try numbers.snapshot.writeCopy(to: folder.path("copy.realm"))
    }
    #expect(exists?.kind == .alreadyExists)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["copy.realm"])
  }
}
