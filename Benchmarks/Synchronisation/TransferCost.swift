import Foundation
import Synchronization

/// What a transfer costs this process, the server not included.
struct TransferCost {
  var seconds = 0.0
  /// Processor time of all threads, in seconds.
  var processorTime = 0.0
  /// The most memory that belonged to no file, beyond what was there before, in bytes.
  var memory = 0

  /// Returns what the body costs.
  @MainActor static func measured(_ body: () async throws -> Void) async throws -> TransferCost {
    let (memory, time) = (try anonymousMemory(), usedProcessorTime())
    let sampler = Sampler(peak: memory)
    let thread = Thread {
      while !sampler.isDone.load(ordering: .relaxed) {
        sampler.peak.max((try? anonymousMemory()) ?? 0, ordering: .relaxed)
        usleep(2000)
      }
    }
    thread.start()
    defer { sampler.isDone.store(true, ordering: .relaxed) }
    var cost = TransferCost()
    let start = ContinuousClock.now
    try await body()
    cost.seconds = (ContinuousClock.now - start) / .seconds(1)
    cost.processorTime = usedProcessorTime() - time
    cost.memory = sampler.peak.load(ordering: .relaxed) - memory
    return cost
  }

  /// The memory of this process that belongs to no file, in bytes.
  private static func anonymousMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    for line in status.split(separator: "\n") where line.hasPrefix("RssAnon:") {
      return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }
    return 0
  }

  private static func usedProcessorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// What a thread has seen that reads the memory in use.
private final class Sampler: Sendable {
  let isDone = Atomic(false)
  let peak: Atomic<Int>

  init(peak: Int) { self.peak = Atomic(peak) }
}

extension TransferCost: CustomStringConvertible {
  var description: String {
    String(
      format: "%@, %.2f s of processor time, %d MB of memory", text(seconds), processorTime,
      memory / 1_000_000)
  }
}
