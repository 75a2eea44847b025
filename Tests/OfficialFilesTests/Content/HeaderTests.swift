import Foundation
import TestSupport
import Testing

@testable import OfficialFiles

/// What the first and last bytes of a file say.
struct HeaderTests {
  /// The smallest file that an engine writes.
  private static let smallest: [UInt8] =
    Array(repeating: 255, count: 8) + Array(repeating: 0, count: 8) + Array("T-DB".utf8) + [10, 0, 0, 0]
    + [65, 65, 65, 65, 8, 0, 0, 0, 65, 65, 65, 65, 64, 0, 0, 0]
    + [65, 65, 65, 65, 0x45, 0, 0, 3, 0x18, 0, 0x20, 0, 0x71, 0, 0, 0]
    + [0x28, 0, 0, 0, 0, 0, 0, 0, 0xC8, 0x26, 0xE5, 0x37, 0x52, 0x12, 0x34, 0x30]

  @Test func theSmallestFile() throws {
    let file = try OfficialFile(Self.smallest)
    #expect(file.format == 10 && file.tables.isEmpty && file.schemaVersion == nil)
  }

  @Test func aFileWithoutContent() throws {
    let bytes = Array(repeating: 0, count: 16) + Array("T-DB".utf8) + [0, 0, 0, 0]
    #expect(try OfficialFile(bytes).tables.isEmpty)
  }

  @Test func theSecondTopCountsWhenTheHeaderSaysSo() throws {
    var bytes = try Sample.schema.bytes()
    let flag = bytes[23] & 1
    let counting = flag == 1 ? 8..<16 : 0..<8
    let other = flag == 1 ? 0..<8 : 8..<16
    bytes.replaceSubrange(other, with: bytes[counting])
    bytes.replaceSubrange(counting, with: Array(repeating: 1, count: 8))
    bytes.swapAt(20, 21)
    bytes[23] ^= 1
    #expect(try OfficialFile(bytes).classes.count == 6)
    // The other one is never fallen back to.
    bytes[23] ^= 1
    expectDamage("the header leads") { _ = try OfficialFile(bytes) }
  }

  @Test func formats() {
    func reason(_ format: UInt8) -> OfficialFileError.Reason? {
      var bytes = Self.smallest
      bytes[20] = format
      return Opening.reason { try OfficialFile(bytes) }
    }
    for format in [2, 9, 10, 11, 20, 24] as [UInt8] { #expect(reason(format) == nil) }
    #expect(reason(25) == .newerFormat(25))
    for format in [0, 1, 12, 19] as [UInt8] {
      #expect(reason(format) == .unsupported("files of format \(format) are not known"))
    }
  }

  @Test(arguments: Sample.all) func filesThatWereCut(sample: Sample) throws {
    let folder = ScratchFolder()
    let bytes = try sample.bytes()
    for count in [
      0, 8, 16, 23, 24, 64, 4_096, 8_192, bytes.count / 2 & ~7, bytes.count / 2 | 1, bytes.count - 8,
    ] {
      let path = folder.path("cut.realm")
      try Data(bytes.prefix(count)).write(to: URL(fileURLWithPath: path))
      let found = Opening.reason { try OfficialFile(path: path, key: sample.key) }
      switch found {
      case .damaged, .notOfficial, .wrongKey: break
      // Sound samples end in free space.
      case nil where count == bytes.count - 8: break
      default: Issue.record("\(count) bytes: \(String(describing: found))")
      }
    }
  }
}
