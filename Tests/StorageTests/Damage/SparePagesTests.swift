import Foundation
import Testing

@testable import Storage

/// LMDB frees as many pages as a value's first page says that it has.
@Suite struct SparePagesTests {
  enum Change: CaseIterable {
    case shortens, replaces, deletes

    func make(_ dogs: Table) {
      switch self {
      case .shortens: dogs.setString(1, 3, "short")
      case .replaces: dogs.setString(1, 3, String(repeating: "y", count: 6_000))
      case .deletes: dogs.deleteRow(3)
      }
    }
  }

  /// Has the first page of the long name of row 3 say something else.
  private func setPageCount(_ file: DamagedFile, _ count: (Int) -> Int) throws {
    let key = ValueKey(table: 0, column: 1, row: 3).withBytes {
      Array(UnsafeRawBufferPointer(start: $0, count: ValueKey.size))
    }
    try file.editBytes { bytes in
      let leaf = DamagedFile.leafPlace(bytes, tree: "values", key: key)
      let page = bytes.withUnsafeBytes { bytes in
        let page = TreePage(base: bytes.baseAddress! + leaf)
        let node = (0..<page.count).map(page.node).first { $0.key.elementsEqual(key) }!
        return Int(node.data.loadUnaligned(as: UInt64.self))
      }
      let place = page * DamagedFile.pageSize + 12
      #expect(bytes[place] == 2 && bytes[place + 1] == 0)
      let new = count(page)
      bytes[place] = UInt8(new & 255)
      bytes[place + 1] = UInt8(new >> 8)
    }
  }

  @Test(arguments: Change.allCases, [3, 10])
  func pagesThatBelongToOthersAreNotFreed(_ change: Change, count: Int) throws {
    let file = try DamagedFile()
    defer { file.delete() }
    try setPageCount(file) { _ in count }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: file.path))
    #expect(snapshot.table(0).string(1, 3).utf8.count == 5_000)
    for _ in 0..<2 {
      let error = #expect(throws: StorageError.self) {
        try snapshot.beginWrite()
        change.make(snapshot.table(0))
        try snapshot.commitWrite(durability: .relaxed)
      }
      #expect(error?.kind == .invalidDatabase)
      if snapshot.isWriting { snapshot.cancelWrite() }
    }
    #expect(snapshot.table(0).string(1, 4) == "name 4")
    let faults = try FileVerification(path: file.path).faults
    #expect(faults.contains { $0.reason.contains("the header of page") }, "\(faults)")
    // What has nothing to do with it can be written.
    try snapshot.beginWrite()
    snapshot.table(0).setInteger(0, 1_400, 5)
    try snapshot.commitWrite(durability: .relaxed)
  }
}
