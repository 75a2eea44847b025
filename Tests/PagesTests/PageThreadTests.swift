import Foundation
import PagesTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Pages

/// Threads of one process read, write and wait for the disk at once.
@Suite struct PageThreadTests {
  private let folder = ScratchFolder()

  @Test(arguments: ["threads.pages", "sealed.pages"]) func threadsSeeWholeVersions(name: String) throws {
    let store = try PageStore(
      path: folder.path(name),
      options: .init(mapLimit: 1 << 28, chainLimit: 5, smallSize: 0, key: encryptionKey(name)))
    let commits = TestLength.count(600, long: 100_000)
    let isOver = Atomic<Bool>(false)
    let failures = Mutex<[String]>([])
    @Sendable func attempt(_ body: () throws -> Void) {
      do { try body() } catch { failures.withLock { $0.append("\(error)") } }
    }
    DispatchQueue.concurrentPerform(iterations: 6) { thread in
      switch thread {
      case 0, 1:
        for number in 0..<commits / 2 {
          attempt { try ScriptedTransactions.perform(store, number % 7 == thread ? .full : .relaxed) }
        }
        if thread == 0 { isOver.store(true, ordering: .sequentiallyConsistent) }
      case 2: while !isOver.load(ordering: .sequentiallyConsistent) { attempt { try store.synchronise() } }
      default:
        var script = ScriptedTransactions()
        while !isOver.load(ordering: .sequentiallyConsistent) {
          attempt { try PageVersion.with(store) { _ = try script.check($0) } }
        }
      }
    }
    #expect(failures.withLock(\.self) == [])
    var script = ScriptedTransactions()
    #expect(try PageVersion.with(store) { try script.check($0) } == commits / 2 * 2)
    try store.close()
  }
}
