import Foundation
import Testing

@testable import Storage

/// LMDB leaves files shorter than their last page number says when pages at the end were taken and given back in one
/// transaction. They are whole, and must open.
@Suite struct ShortFileTests {
  @Test func wholeFilesOpenWhateverTheirLength() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    var hasBecomeShort = false
    do {
      let file = try DatabaseFile.open(path: path)
      for attempt in 0..<100 where !hasBecomeShort {
        // Pages that are free, so that LMDB has a list of them at hand.
        try put(file, row: 1, size: 5_000 + attempt * 100)
        let transaction = try file.environment.beginWriting()
        try ValueKey(table: 0, column: 0, row: 1).withBytes { (bytes) throws(EntryError) in
          try transaction.store(file.databases.values, bytes, ValueKey.size, size: 20) { memset($0, 7, 20) }
        }
        // Pages from the end of the file, given back before they are written.
        try ValueKey(table: 0, column: 0, row: 2).withBytes { (bytes) throws(EntryError) in
          _ = try transaction.reserve(file.databases.values, bytes, ValueKey.size, size: 400_000)
          try transaction.delete(file.databases.values, bytes, ValueKey.size)
        }
        try transaction.commit()
        hasBecomeShort = isShort(file)
      }
      #expect(hasBecomeShort, "the situation that is tested must be there")
    }
    let file = try DatabaseFile.open(path: path)
    try put(file, row: 3, size: 200_000)
    let snapshot = try Snapshot(file: file)
    #expect(snapshot.longValue(table: 0, column: 0, row: 1).count == 20)
    #expect(snapshot.longValue(table: 0, column: 0, row: 3).count == 200_000)
  }

  private func put(_ file: DatabaseFile, row: Int, size: Int) throws {
    let transaction = try file.environment.beginWriting()
    try ValueKey(table: 0, column: 0, row: row).withBytes { (bytes) throws(EntryError) in
      try transaction.store(file.databases.values, bytes, ValueKey.size, size: size) { memset($0, 7, size) }
    }
    try transaction.commit()
  }

  @Test func aTruncatedFileIsRefused() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    do {
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try snapshot.beginWrite()
      snapshot.writing!.isCatalogueChanged = true
      snapshot.install(
        Catalogue(tables: [TableDescription(name: "Thing", columns: [Column(name: "data", type: .data)])]))
      let row = snapshot.table(0).insertRow()
      [UInt8](repeating: 1, count: 100_000).withUnsafeBytes { snapshot.table(0).setData(0, row, $0) }
      try snapshot.commitWrite()
    }
    let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    for pages in [1, 5, 20] {
      truncate(path, off_t(size - pages * 4096))
      #expect(throws: StorageError.self) { try DatabaseFile.open(path: path) }
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == size - pages * 4096)
    }
  }

  private func isShort(_ file: DatabaseFile) -> Bool {
    var status = stat()
    stat(file.path, &status)
    return Int(status.st_size) < (file.environment.lastPage + 1) * 4096
  }
}
