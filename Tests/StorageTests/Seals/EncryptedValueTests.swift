import Foundation
import TestSupport
import Testing

@testable import Storage

/// Values that are encrypted each by itself.
@Suite struct EncryptedValueTests {
  private static let key = EncryptedFileTests.key

  private func make(_ path: String, rows: Int = 3_000) throws {
    try EncryptedFileTests().make(path, rows: rows)
  }

  private func expect(_ snapshot: Snapshot) { EncryptedFileTests().expect(snapshot) }

  /// What is decrypted goes with the transaction that it was read in, but for some.
  @Test func buffersGoWithTheirReaders() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    try make(path)
    let file = try DatabaseFile.open(path: path, encryptionKey: Self.key)
    let opened = try #require(file.checkedPlaces.openedValues)
    let frozen = try Snapshot(sharing: Snapshot(file: file))
    expect(frozen)
    let all = opened.size
    #expect(all > 50_000)
    // A second reader of the same values needs none of its own.
    expect(try Snapshot(file: file))
    #expect(opened.size == all)
    let writer = try Snapshot(file: file)
    for number in 0..<200 {
      try writer.beginWrite()
      writer.table(0).setInteger(1, number, Int64(-number))
      try writer.commitWrite(durability: .relaxed)
      #expect(writer.table(0).integer(1, number) == Int64(-number))
    }
    expect(frozen)
    #expect(opened.size < 40 << 20)
  }

  /// Whatever bit of the file is another one: an error, a stop, or what was written.
  @Test(arguments: [0, 1, 2, 3]) func changedBitsAreFound(part: Int) async throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    try make(path, rows: 100)
    let key = DamagedFile.chunkKey(column: 1)
    do {
      let file = try DatabaseFile.open(path: path, encryptionKey: Self.key)
      let transaction = try file.environment.beginWriting()
      var stored = Array(transaction.get(file.databases.columns, key, key.count)!)
      stored[[40, stored.count - 30, stored.count - 20, stored.count - 1][part]] ^= 4
      let place = try transaction.reserve(file.databases.columns, key, key.count, size: stored.count)
      stored.withUnsafeBytes { place.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
      try transaction.commit()
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = path as String] in
      let snapshot = try! Snapshot(
        file: DatabaseFile.open(path: path, encryptionKey: (0..<64).map { UInt8($0 * 3 + 1) }))
      withExtendedLifetime(snapshot) { _ = snapshot.table(0).integer(1, 5) }
    }
    expectStop(result, saying: "class 'PlantedClass', property 'number', chunk 0: it cannot be decrypted")
  }
}
