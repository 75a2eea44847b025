import Foundation

/// Memory of this process, in bytes, as Linux counts it.
enum ProcessMemory {
  /// The most that was resident at any time. `getrusage` would also count the process that started this one.
  static func peak() throws -> Int { try field("VmHWM:") }
  static func resident() throws -> Int { try field("VmRSS:") }

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

struct BenchmarkError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}
