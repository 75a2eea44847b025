import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// The memory of a process that walks through an encrypted file is bounded, whatever the size of the file.
@Suite struct DecryptedMemorySizeTests {
  private let folder = ScratchFolder()

  /// Returns the number of entries, of 1 to 12 KB, in a new file.
  private func makeFile(_ path: String, size: Int) throws -> Int {
    let store = try PageStore(path: path, options: .init(mapLimit: 1 << 32, key: encryptionKey(path)))
    var (count, written) = (0, 0)
    while written < size {
      let transaction = try PageTransaction(store)
      let start = written
      while written < size, written - start < 50 << 20 {
        // Now and then one that spans many blocks.
        let value = TestValue(
          stamp: UInt32(count), size: count % 200 == 0 ? 90_000 : 1024 + count &* 7919 % 11_264)
        try key(count).withUnsafeBytes { value.write(try transaction.reserve($0, value.size)) }
        written += value.size
        count += 1
      }
      try transaction.commit(.relaxed)
    }
    try store.close()
    return count
  }

  /// Returns by how many MiB the memory of a process grows that walks through the file.
  private func walk(_ path: String, _ way: String, limit: Int, piece: Int, count: Int) throws -> Double {
    let worker = BuiltProducts.file("PagesTestWorker").path
    let (end, said) = try ChildProgram.run([worker, "walk", path, way, "\(limit)", "\(piece)"])
    try #require(end == .exit(0))
    let words = String(decoding: said, as: UTF8.self).split { $0 == " " || $0 == "\n" }.compactMap { Int($0) }
    try #require(words.count == 2)
    #expect(words[0] == count)
    let growth = Double(words[1]) / 1024
    print("\(way): \(growth) MiB")
    return growth
  }

  @Test func walksTakeNoMoreMemoryThanTheLimit() throws {
    let path = folder.path("walk-sealed.pages")
    let count = try makeFile(path, size: 300 << 20)
    for way in ["version", "versions"] {
      let growth = try walk(path, way, limit: 12 << 20, piece: 4 << 20, count: count)
      #expect(growth < 20 + 6)
    }
    // And what the transaction has changed and not written yet.
    let growth = try walk(path, "transaction", limit: 12 << 20, piece: 0, count: count)
    #expect(growth < 20 + 6 + 20)
  }

  @Test(.enabled(if: TestLength.isLong)) func walksOfALargeFileTakeLessThan100Megabytes() throws {
    let path = folder.path("large-sealed.pages")
    let count = try makeFile(path, size: 1 << 30)
    for way in ["version", "versions", "transaction"] {
      let growth = try walk(
        path, way, limit: 32 << 20, piece: PageVersion.decryptedLimit, count: count)
      #expect(growth < 80)
    }
  }
}
