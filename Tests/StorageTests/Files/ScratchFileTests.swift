import Foundation
import Storage
import TestSupport
import Testing

/// Blocks of bytes beside a realm file.
@Suite struct ScratchFileTests {
  private let folder = ScratchFolder()

  private func scratch(isEncrypted: Bool) throws -> ScratchFile {
    let key = isEncrypted ? [UInt8](repeating: 7, count: 64) : nil
    let file = try DatabaseFile.open(path: folder.path("file.realm"), encryptionKey: key)
    return try #require(ScratchFile(beside: file))
  }

  /// The descriptors of this process for files without names in the folder.
  private func links() throws -> [String] {
    let place = folder.url.resolvingSymlinksInPath().path + "/#"
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").map { "/proc/self/fd/\($0)" }
      .filter { (try? FileManager.default.destinationOfSymbolicLink(atPath: $0))?.hasPrefix(place) ?? false }
  }

  @Test(arguments: [false, true]) func blocksAreReadAsTheyWereWritten(isEncrypted: Bool) throws {
    let scratch = try scratch(isEncrypted: isEncrypted)
    let blocks = [0, 1, 31, 100_000, 4, 0].map { [UInt8](repeating: UInt8($0 % 251), count: $0) }
    for (number, block) in blocks.enumerated() {
      #expect(block.withUnsafeBytes { scratch.append($0) } == number)
    }
    for number in blocks.indices.reversed() {
      try scratch.read(number) { #expect(Array($0) == blocks[number]) }
    }
    // No name leads to it.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names.allSatisfy { $0.hasPrefix("file.realm") })
    #expect(try links().count == 1)
  }

  @Test(arguments: [false, true]) func aChangedBlockIsNotRead(isEncrypted: Bool) throws {
    let scratch = try scratch(isEncrypted: isEncrypted)
    let block = Array("what the server has sent".utf8)
    for _ in 0..<2 { _ = block.withUnsafeBytes { scratch.append($0) } }
    let link = try #require(try links().first)
    let content = try Data(contentsOf: URL(filePath: link))
    #expect((content.range(of: Data("server".utf8)) == nil) == isEncrypted)
    let handle = try #require(FileHandle(forUpdatingAtPath: link))
    try handle.write(contentsOf: Data([content[0] ^ 1]))
    try handle.close()
    #expect(throws: StorageError.self) { try scratch.read(0) { _ in } }
    try scratch.read(1) { #expect(Array($0) == block) }
  }
}
