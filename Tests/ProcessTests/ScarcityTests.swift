import Foundation
import ProcessTestModels
import TestSupport
import Testing

/// Processes that get too few descriptors, or no threads.
@Suite struct ScarcityTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("ledger.realm") }

  /// With few descriptors opening throws on the main thread, whose queue needs one as well, or everything works.
  @Test func openingWithFewDescriptorsThrowsOrWorks() throws {
    var outcomes: [Int] = []
    // Three are the standard ones.
    for limit in 3..<20 {
      let worker = try WorkerProcess("few-descriptors", folder.path("\(limit).realm"), "\(limit)")
      while let outcome = worker.nextNumber() { outcomes.append(outcome) }
      #expect(worker.finish(), "\(limit) descriptors")
    }
    #expect(outcomes.count == 17 && outcomes.first == 0 && outcomes.last == 1, "\(outcomes)")
  }

  /// Durable commits need no thread.
  @Test func durableCommitsNeedNoThread() throws {
    try Ledger(path: path).append()
    // The worker is another user when this one is root, whose threads nothing limits.
    for place in [folder.url.path, path, path + "-lock"] { chmod(place, 0o777) }
    let worker = try WorkerProcess("threadless", path, "40")
    var numbers: [Int] = []
    while let number = worker.nextNumber() { numbers.append(number) }
    #expect(worker.finish())
    #expect(numbers == Array(2...41))
    let ledger = try Ledger(path: path)
    #expect(ledger.number == 41 && ledger.fault == nil)
  }
}
