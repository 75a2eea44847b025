import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Each opener maps the areas of the lock file as far as it needs them.
@Suite struct LockMemoryTests {
  private let folder = ScratchFolder()
  private let options = PageStore.Options(mapLimit: 1 << 30)

  /// Gives 3,000 keys values with extents of their own: more than the first parts of the lists have room for.
  private func replaceAll(_ store: PageStore, with byte: UInt8) throws {
    let transaction = try PageTransaction(store)
    let value = [UInt8](repeating: byte, count: Node.inlineLimit + 1)
    for number in 0..<UInt16(3000) {
      try withUnsafeBytes(of: number.bigEndian) { key in
        try value.withUnsafeBytes { try transaction.set(key, $0) }
      }
    }
    try transaction.commit(.relaxed)
  }

  /// How often this process maps a part of a file.
  private func mapCount(_ path: String) -> Int {
    // The system gives a part of the text with each read.
    let file = open("/proc/self/maps", O_RDONLY)
    defer { close(file) }
    var (text, part) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while case let count = read(file, &part, part.count), count > 0 { text += part[..<count] }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").count { $0.hasSuffix(path) }
  }

  @Test func areasThatAnotherUserLetsGrowAreMapped() throws {
    let path = folder.path("grown.pages")
    let first = try PageStore(path: path, options: options)
    let second = try PageStore(path: path, options: options)
    try replaceAll(first, with: 1)
    let held = try PageVersion(first)
    try replaceAll(first, with: 2)
    // It looks for free space, and finds that the held version needs what was given up.
    try replaceAll(first, with: 3)
    let size = first.size(heldFor: [held.version])
    #expect(size > 3000 * FileLayout.unit)
    #expect(second.size(heldFor: [held.version]) == size)
    #expect(second.usedSize == first.usedSize)
    try replaceAll(second, with: 4)
    held.release()
    try replaceAll(second, with: 5)
    #expect(second.size(heldFor: [held.version]) == 0)
    #expect(second.usedSize == first.usedSize)
    try replaceAll(first, with: 6)
    try first.close()
    try second.close()
    let found = try PageStore(path: path, options: options)
    try PageVersion.with(found) { version in
      let value = try withUnsafeBytes(of: UInt16(2999).bigEndian) { try version.value($0)?.first }
      #expect(value == 6)
    }
    try found.close()
  }

  /// Nothing of it is in memory when this returns.
  private func make(_ path: String) throws {
    let store = try PageStore(path: path, options: options)
    try replaceAll(store, with: 1)
    try store.close()
  }

  @Test func onlyAWriterMapsTheAreas() throws {
    let path = folder.path("read.pages")
    try make(path)
    let reader = try PageStore(path: path, options: options)
    let before = mapCount(path + "-lock")
    try PageVersion.with(reader) { version in
      let value = try withUnsafeBytes(of: UInt16(7).bigEndian) { try version.value($0)?.first }
      #expect(value == 1)
    }
    _ = reader.usedSize
    #expect(mapCount(path + "-lock") == before)
    try replaceAll(reader, with: 2)
    #expect(mapCount(path + "-lock") > before)
    try reader.close()
  }
}
