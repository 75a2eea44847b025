import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Readers who may write neither to the file nor to its lock file, and copies.
@Suite struct ViewerTests {
  private let folder = ScratchFolder()
  private let options = PageStore.Options(mapLimit: 1 << 28, chainLimit: 3)

  private func viewer(_ path: String) throws -> PageViewer { try PageViewer(path: path, mapLimit: 1 << 28) }

  /// Whether it finds the lock file, and whether others have the file open meanwhile.
  enum Circumstances: CaseIterable {
    case withMemory, withoutMemory, lockFileDeleted
  }

  @Test(arguments: Circumstances.allCases) func aVersionThatIsViewedStays(
    _ circumstances: Circumstances
  ) throws {
    let path = folder.path("\(circumstances).pages")
    var store = try PageStore(path: path, options: options)
    for _ in 0..<5 { try ScriptedTransactions.perform(store, .relaxed) }
    if circumstances != .withMemory { try store.close() }
    if circumstances == .lockFileDeleted { unlink(path + "-lock") }
    let viewer = try viewer(path)
    let version = try viewer.hold()
    var script = ScriptedTransactions()
    #expect(try script.check(version) == 5)
    for round in 0..<4 {
      if circumstances != .withMemory { store = try PageStore(path: path, options: options) }
      for _ in 0..<100 { try ScriptedTransactions.perform(store, round == 1 ? .full : .relaxed) }
      #expect(try script.check(version) == 5)
      if circumstances != .withMemory { try store.close() }
    }
    version.release()
    let newest = try viewer.hold()
    #expect(try script.check(newest) == 405)
    newest.release()
  }

  @Test func spaceThatAViewedVersionHadIsUsedAgain() throws {
    let path = folder.path("again.pages")
    var store = try PageStore(path: path, options: options)
    for _ in 0..<200 { try ScriptedTransactions.perform(store, .full) }
    let viewer = try viewer(path)
    let version = try viewer.hold()
    for _ in 0..<20 { try ScriptedTransactions.perform(store, .full) }
    // What the version has is not known to who opens the file now.
    try store.close()
    store = try PageStore(path: path, options: options)
    try PageTransaction(store).abort()
    #expect(store.memory[.unknown] == version.version)
    version.release()
    try PageTransaction(store).abort()
    #expect(store.memory[.unknown] == 0)
    let end = store.memory[.end]
    for _ in 0..<20 { try ScriptedTransactions.perform(store, .full) }
    #expect(store.memory[.end] == end)
    try store.close()
  }

  @Test func aCopyIsWholeOrSaysThatItIsTorn() throws {
    let path = folder.path("original.pages")
    let worker = BuiltProducts.file("PagesTestWorker").path
    let writers = try (0..<2).map {
      try ChildProgram([worker, "write", path, folder.path("notes"), "\($0)", "\($0 + 7)"])
    }
    while access(path, F_OK) != 0 { usleep(1000) }
    var script = ScriptedTransactions()
    var (whole, torn) = (0, 0)
    for round in 0..<TestLength.count(60, long: 1000) {
      let copy = folder.path("copy-\(round).pages")
      defer { for name in [copy, copy + "-lock"] { unlink(name) } }
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      do {
        let store = try PageStore(path: copy, options: options)
        try PageVersion.with(store) { _ = try script.check($0) }
        try ScriptedTransactions.perform(store, .full)
        try PageVersion.with(store) { _ = try script.check($0) }
        try store.close()
        whole += 1
      } catch is PageError { torn += 1 }
    }
    print("copies: \(whole) whole, \(torn) torn")
    #expect(whole > 0)
    for writer in writers {
      writer.send(SIGKILL)
      writer.wait()
    }
  }
}
