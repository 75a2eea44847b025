import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Processes that die at any moment leave a file that is whole, to those who have it open and to those who open it then.
@Suite struct DyingProcessTests {
  private let folder = ScratchFolder()
  private let worker = BuiltProducts.file("PagesTestWorker").path

  private func options(_ path: String) -> PageStore.Options {
    PageStore.Options(mapLimit: 1 << 28, key: encryptionKey(path))
  }

  @Test(arguments: [false, true]) func aProcessMayDieBeforeEachOfItsStores(besideAnother: Bool) throws {
    var moment = 0
    var script = ScriptedTransactions()
    while true {
      let path = folder.path("\(besideAnother)-\(moment)\(moment % 2 == 0 ? "" : "-sealed").pages")
      var store = try PageStore(path: path, options: options(path))
      for number in 0..<3 { try ScriptedTransactions.perform(store, number == 1 ? .full : .relaxed) }
      if !besideAnother { try store.close() }
      let end = try ChildProgram([worker, "die", path, "\(moment)"]).wait()
      if !besideAnother { store = try PageStore(path: path, options: options(path)) }
      let before = try PageVersion.with(store) { try script.check($0) }
      #expect(3...6 ~= before, "\(moment)")
      for _ in 0..<3 { try ScriptedTransactions.perform(store, .relaxed) }
      let after = try PageVersion.with(store) { try script.check($0) }
      // A writer who died may have made one that nobody had seen.
      #expect(before + 3...before + 4 ~= after, "\(moment)")
      try checkSpace(store)
      try store.close()
      if end == .exit(0) { break }
      #expect(end == .exit(9))
      moment += TestLength.count(7, long: 1)
    }
    #expect(moment > 150)
  }

  /// A version that no reader has seen may be one whose writer waited for the disk.
  @Test(arguments: [false, true]) func whatADeadWriterHasFinishedIsShownWhenTheDiskHasIt(
    besideAnother: Bool
  ) throws {
    var (moment, adopted) = (0, 0)
    while true {
      let path = folder.path("adopted-\(besideAnother)-\(moment).pages")
      var store = try PageStore(path: path, options: options(path))
      for _ in 0..<3 { try ScriptedTransactions.perform(store, .relaxed) }
      if !besideAnother { try store.close() }
      let end = try ChildProgram([worker, "die", path, "\(moment)"]).wait()
      let published = try lastPublished(path)
      if besideAnother {
        try PageTransaction(store).abort()
      } else {
        store = try PageStore(path: path, options: options(path))
      }
      if store.memory[.newest] == published + 1 {
        adopted += 1
        #expect(store.memory.durable.version == published + 1, "\(moment)")
      }
      try store.close()
      if end == .exit(0) { break }
      moment += TestLength.count(3, long: 1)
    }
    #expect(adopted > 0)
  }

  /// The version that the lock file says is the newest one.
  private func lastPublished(_ path: String) throws -> UInt64 {
    let lock = try FileHandle(forReadingFrom: URL(fileURLWithPath: path + "-lock"))
    try lock.seek(toOffset: UInt64(LockMemory.Word.newest.rawValue))
    return try lock.read(upToCount: 8)!.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
  }

  /// Only the records tell a viewer without the shared memory what the writer has done.
  @Test func aViewerOfRecordsSeesNoPartOfACommitWhoseWriterDied() throws {
    var moment = 0
    var script = ScriptedTransactions()
    var unwhole = 0
    while true {
      let path = folder.path("viewed-\(moment)\(moment % 2 == 0 ? "" : "-sealed").pages")
      let store = try PageStore(path: path, options: options(path))
      for number in 0..<3 { try ScriptedTransactions.perform(store, number == 1 ? .full : .relaxed) }
      let end = try ChildProgram([worker, "die", path, "\(moment)"]).wait()
      rename(path + "-lock", path + "-hidden")
      let viewer = try PageViewer(path: path, mapLimit: 1 << 28, key: encryptionKey(path))
      do {
        let version = try viewer.hold()
        #expect(3...6 ~= (try script.check(version)), "\(moment)")
        version.release()
      } catch PageError.damaged {
        // The part that was written of a record's version.
        unwhole += 1
      }
      rename(path + "-hidden", path + "-lock")
      let count = try ScriptedTransactions.perform(store, .full)
      unlink(path + "-lock")
      let version = try viewer.hold()
      #expect(try script.check(version) == count)
      version.release()
      try store.close()
      if end == .exit(0) { break }
      moment += TestLength.count(7, long: 1)
    }
    #expect(moment > 150 && unwhole < 5)
  }

  private func checkSpace(_ store: PageStore) throws {
    try store.synchronise()
    try PageTransaction(store).abort()
    let end = Int(store.memory[.end])
    let marked = (FileLayout.firstUnit..<end).filter { store.used.contains($0) }
    try store.rebuildSpace()
    // What a death leaves is at most space that is not found.
    let rebuilt = (FileLayout.firstUnit..<end).filter { store.used.contains($0) }
    #expect(Set(rebuilt).isSubset(of: marked))
  }

  @Test(arguments: ["kill.pages", "kill-sealed.pages"]) func writersMayBeKilled(name: String) throws {
    var random = SeededGenerator(printing: .random(in: 0..<1 << 32))
    let notes = try Notes(path: folder.path("notes"))
    let path = folder.path(name)
    var script = ScriptedTransactions()
    for round in 0..<TestLength.count(20, long: 2500) {
      let writers = try (0..<2).map {
        try ChildProgram([worker, "write", path, folder.path("notes"), "\($0)", "\(random.next() >> 1)"])
      }
      usleep(UInt32.random(in: 15_000..<55_000, using: &random))
      writers[0].send(SIGKILL)
      #expect(writers[0].wait() == .signal(SIGKILL))
      if Bool.random(using: &random) {
        // Beside one that lives.
        let store = try PageStore(path: path, options: options(path))
        try PageVersion.with(store) { _ = try script.check($0) }
        try ScriptedTransactions.perform(store, .relaxed)
        writers[1].send(SIGKILL)
        writers[1].wait()
        try store.close()
      }
      writers[1].send(SIGKILL)
      writers[1].wait()
      if Int.random(in: 0..<8, using: &random) == 0 { unlink(path + "-lock") }
      let store = try PageStore(path: path, options: options(path))
      let count = try PageVersion.with(store) { try script.check($0) }
      let acknowledged = max(notes[0], notes[1])
      #expect(count >= acknowledged, "round \(round)")
      if Bool.random(using: &random) { try store.close() }
    }
  }
}
