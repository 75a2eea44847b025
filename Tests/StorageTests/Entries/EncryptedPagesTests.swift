import Foundation
import TestSupport
import Testing

@testable import Storage

/// Damage of encrypted files of pages.
@Suite struct EncryptedPagesTests {
  private static let key = (0..<64).map { UInt8($0 * 3 + 1) }
  private static let unit = 512

  /// A chunk that has its own place in the file, and elements that are in a node.
  private enum Part: Int {
    case value, node
    /// In the small file the node has other entries, without which it cannot be opened.
    var words: String {
      self == .value ? "class 'Dog', property 'name', chunk 0: the checksum of" : "is damaged"
    }

    /// Where it is in the file, with what belongs to it.
    func place(_ file: DamagedFile) throws -> Range<Int> {
      let segment = SegmentKey(CollectionKey(table: 0, column: 3, row: 10), .values, 0).withBytes {
        Array(UnsafeRawBufferPointer(start: $0, count: SegmentKey.size))
      }
      let place =
        self == .value
        ? try file.place(.columns, key: DamagedFile.chunkKey(column: 1))
        : try file.place(.collections, key: segment)
      #expect((place.lowerBound % unit == 0) == (self == .value))
      let start = place.lowerBound / unit * unit
      return start..<(place.upperBound + unit) / unit * unit
    }

    func read(_ path: String) {
      let key = (0..<64).map { UInt8($0 * 3 + 1) }
      let snapshot = try! Snapshot(file: DatabaseFile.open(path: path, encryptionKey: key))
      withExtendedLifetime(snapshot) {
        if self == .value {
          _ = snapshot.table(0).string(1, 5)
        } else {
          _ = snapshot.table(0).elements(3, 10)
        }
      }
    }
  }

  private func expectDamage(_ file: DamagedFile, _ part: Part) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = file.path as String, part = part.rawValue as Int] in
      Part(rawValue: part)!.read(path)
    }
    expectStop(result, saying: part.words)
  }

  private func change(_ file: DamagedFile) throws {
    let snapshot = try file.open()
    try Writer(snapshot).begin()
    // As long as before.
    snapshot.table(0).setString(1, 700, "eman 700")
    snapshot.table(0).appendElement(3, 10, .int(4))
    try Writer(snapshot).commit(durability: .full)
  }

  @Test(arguments: [0, 1]) func changedBytesAreFound(part: Int) async throws {
    let file = try DamagedFile(encryptionKey: Self.key)
    defer { file.delete() }
    let part = Part(rawValue: part)!
    let place = try part.place(file)
    try file.editBytes { $0[place.lowerBound + 40] ^= 4 }
    await expectDamage(file, part)
    if part == .node { return }
    let faults = try FileVerification(path: file.path, encryptionKey: Self.key).faults
    #expect(faults.contains { $0.propertyName == "name" && $0.loss == .values })
  }

  /// What was there before, encrypted with the same key, and put back where the new content is.
  @Test(arguments: [0, 1]) func olderContentIsFound(part: Int) async throws {
    let file = try DamagedFile(encryptionKey: Self.key)
    defer { file.delete() }
    let part = Part(rawValue: part)!
    let old = try part.place(file)
    let former = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.path)))[old]
    try change(file)
    part.read(file.path)
    let new = try part.place(file)
    #expect(new != old)
    try file.editBytes { bytes in
      for (place, byte) in zip(new, former) { bytes[place] = byte }
    }
    await expectDamage(file, part)
  }
}
