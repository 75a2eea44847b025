import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Copies by a tool that reads a file block by block while a process writes it.
@Suite struct TornCopyTests {
  private let folder = ScratchFolder()

  /// What opening a copy has come to.
  private enum Outcome: Hashable {
    case whole, refused
    /// It was opened at a version before the one that was durable when the copying began.
    case old
  }

  @Test func aTornCopyOpensAtNoVersionBeforeADurableOne() throws {
    var random = SeededGenerator(printing: .random(in: 0..<1 << 32))
    var found: [Outcome: Int] = [:]
    for file in 0..<TestLength.count(2, long: 10) {
      let path = folder.path(file % 2 == 0 ? "\(file).pages" : "\(file)-sealed.pages")
      let options = PageStore.Options(
        mapLimit: 1 << 28, chainLimit: [2, 5, nil].randomElement(using: &random)!,
        smallSize: [0, 8 << 20].randomElement(using: &random)!, key: encryptionKey(path))
      let store = try PageStore(path: path, options: options)
      var writer = Writer(store)
      for _ in 0..<Int.random(in: 1..<300, using: &random) { try writer.step(&random) }
      for _ in 0..<100 {
        let durable = writer.durable
        writer.script.advance(to: durable)
        let script = writer.script
        let bytes = try copy(path, &writer, &random)
        found[try outcome(bytes, options, script, durable), default: 0] += 1
      }
      try store.close()
    }
    print("torn copies: \(found)")
    #expect(found[.old] == nil)
    #expect(found[.whole, default: 0] > 0)
    #expect(found[.refused, default: 0] > 0)
  }

  private struct Writer {
    let store: PageStore
    /// Number of transactions, and of those that the disk has.
    private var count = 0
    private(set) var durable = 0
    /// Knows the newest durable version.
    var script = ScriptedTransactions()

    init(_ store: PageStore) { self.store = store }

    mutating func step(_ random: inout SeededGenerator) throws {
      let isFull = Int.random(in: 0..<4, using: &random) == 0
      count = try ScriptedTransactions.perform(store, isFull ? .full : .relaxed)
      if isFull { durable = count }
    }
  }

  /// Reads the blocks of a file in order while a writer goes on.
  private func copy(
    _ path: String, _ writer: inout Writer, _ random: inout SeededGenerator
  ) throws -> [UInt8] {
    let file = try DiskFile(path: path, O_RDONLY, watcher: nil)
    var bytes: [UInt8] = []
    let pauses = [1, 3, 10].randomElement(using: &random)!
    let blocks = try file.size / FileLayout.block
    while case let block = try file.bytes(FileLayout.block, at: bytes.count), !block.isEmpty {
      bytes += block
      if Int.random(in: 0..<blocks, using: &random) >= pauses { continue }
      for _ in 0..<Int.random(in: 1..<10, using: &random) { try writer.step(&random) }
    }
    return bytes
  }

  private func outcome(
    _ bytes: [UInt8], _ options: PageStore.Options, _ script: ScriptedTransactions, _ durable: Int
  ) throws -> Outcome {
    let path = folder.path("copy.pages")
    defer { for name in [path, path + "-lock"] { unlink(name) } }
    try Data(bytes).write(to: URL(filePath: path))
    var viewed: Int?
    do {
      let viewer = try PageViewer(path: path, mapLimit: 1 << 28, key: options.key)
      let version = try viewer.hold()
      defer { version.release() }
      viewed = try ScriptedTransactions.count(version)
    } catch is PageError {}
    if let viewed, viewed < durable { return .old }
    do {
      let store = try PageStore(path: path, options: options)
      defer { try? store.close() }
      var script = script
      let count = try PageVersion.with(store) { try script.check($0) }
      #expect(viewed == nil || viewed == count)
      return count < durable ? .old : .whole
    } catch is PageError { return .refused }
  }
}
