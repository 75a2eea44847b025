import Foundation

/// What a process has at a moment.
struct ProcessMeasure: CustomStringConvertible {
  var descriptors: Int
  var threads: Int
  /// What is resident of memory that belongs to no file, in KiB.
  var memory: Int

  /// Of this process.
  static var current: ProcessMeasure {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    func number(_ key: String) -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(key) } ?? ""
      return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? -1
    }
    return ProcessMeasure(
      descriptors: openDescriptors.count, threads: number("Threads:"), memory: number("RssAnon:"))
  }

  /// The descriptors of this process, and what each is open for.
  static var openDescriptors: [Int32: String] {
    var open: [Int32: String] = [:]
    let folder = "/proc/self/fd"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      // That of the folder itself is closed by now.
      guard let number = Int32(name),
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      else { continue }
      open[number] = target
    }
    return open
  }

  /// That of this process, once what ends in the background has ended, as far as that makes it no more than before.
  static func settled(below known: ProcessMeasure?) -> ProcessMeasure {
    var measure = current
    guard let known else {
      // Nothing to compare with: as long as it takes the threads of the first rounds to end.
      Thread.sleep(forTimeInterval: 0.5)
      return current
    }
    for _ in 0..<500 where measure.descriptors > known.descriptors {
      Thread.sleep(forTimeInterval: 0.02)
      measure = current
    }
    return measure
  }

  var description: String { "\(descriptors) descriptors, \(threads) threads, \(memory) KiB" }
}

extension ProcessMeasure {
  /// From a description.
  init?(_ description: String) {
    let numbers = description.split(separator: ", ").map { part -> (Int, Substring)? in
      let words = part.split(separator: " ")
      return words.count == 2 ? Int(words[0]).map { ($0, words[1]) } : nil
    }
    guard numbers.count == 3, let descriptors = numbers[0], let threads = numbers[1], let memory = numbers[2],
      descriptors.1 == "descriptors", threads.1 == "threads", memory.1 == "KiB"
    else { return nil }
    self.init(descriptors: descriptors.0, threads: threads.0, memory: memory.0)
  }
}
