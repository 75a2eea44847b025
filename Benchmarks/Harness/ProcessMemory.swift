import Dispatch
import Foundation
import Synchronization

/// Memory of this process, in bytes, as Linux counts it.
enum ProcessMemory {
  /// The most that was resident at any time. `getrusage` would also count the process that started this one.
  static func peak() throws -> Int { try field("VmHWM:") }
  static func resident() throws -> Int { try field("VmRSS:") }
  /// What is resident and belongs to no file.
  static func anonymous() throws -> Int { try field("RssAnon:") }

  /// The most that was resident of no file while a body ran, looked at every millisecond, beyond what was before.
  static func anonymousPeak(of body: () throws -> Void) throws -> Int {
    let before = try anonymous()
    let ended = DispatchSemaphore(value: 0)
    let looked = Looked(peak: before)
    let looker = Thread {
      while !looked.isDone.load(ordering: .relaxed) {
        looked.peak.max((try? anonymous()) ?? 0, ordering: .relaxed)
        usleep(1000)
      }
      ended.signal()
    }
    looker.start()
    do {
      defer {
        looked.isDone.store(true, ordering: .relaxed)
        ended.wait()
      }
      try body()
    }
    return looked.peak.load(ordering: .relaxed) - before
  }

  private static func field(_ name: String) throws -> Int {
    let path = "/proc/self/status"
    guard let file = fopen(path, "r") else { throw SystemError("open", path: path) }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        .split(whereSeparator: \.isWhitespace)
      if words.first == name[...], words.count > 1, let kilobytes = Int(words[1]) {
        return kilobytes * 1024
      }
    }
    throw BenchmarkError("\(path) has no \(name)")
  }
}

/// What a thread has seen that looks at the memory.
private final class Looked: Sendable {
  let isDone = Atomic(false)
  let peak: Atomic<Int>

  init(peak: Int) { self.peak = Atomic(peak) }
}

struct BenchmarkError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}
