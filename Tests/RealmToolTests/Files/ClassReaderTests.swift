import Foundation
import TestSupport
import Testing

@testable import RealmTool
@testable import Storage

struct ClassReaderTests {
  private static let key = [UInt8](repeating: 9, count: 64)
  private static let valueSize = 100_000
  private static let limit = 500_000

  private static func pixels(_ number: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: valueSize)
  }

  /// Who goes through the objects of an encrypted file, to export or to compare them, has not all of them in memory.
  @Test func memoryIsBounded() async throws {
    let folder = ScratchFolder()
    let path = folder.path("pictures.realm")
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: Self.key))
    try Writer(snapshot).begin()
    let columns = [Column(name: "pixels", type: .data)]
    Writer(snapshot).setCatalogue(Catalogue(tables: [TableDescription(name: "Picture", columns: columns)]))
    for number in 0..<100 {
      let row = snapshot.table(0).insertRow()
      Self.pixels(number).withUnsafeBytes { snapshot.table(0).setData(0, row, $0) }
    }
    try Writer(snapshot).commit(durability: .relaxed)
    await #expect(processExitsWith: .success) { [path = path as String] in
      DatabaseFile.setDecryptedLimits(held: Self.limit, idle: 0)
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: Self.key))
      let reader = ClassReader(snapshot, 0)
      reader.forEachRow { row in
        precondition(reader.table.value(0, row) == .data(Self.pixels(row)))
        // It looks at each 16th row.
        precondition(snapshot.file.decryptedSize < Self.limit + 17 * Self.valueSize)
      }
    }
  }
}
