import LibC
import Pages

func benchmarkKey(_ number: Int) -> [UInt8] {
  [9, 0, 0, 0, 1] + withUnsafeBytes(of: UInt64(number).bigEndian, Array.init)
}

func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Bytes that this process has given to the system to be written.
func writtenBytes() -> Int {
  guard let file = fopen("/proc/self/io", "r") else { return 0 }
  defer { fclose(file) }
  let line = UnsafeMutablePointer<CChar>.allocate(capacity: 200)
  defer { line.deallocate() }
  while fgets(line, 200, file) != nil {
    let text = String(cString: line)
    if text.hasPrefix("wchar: ") { return Int(text.dropFirst(7).dropLast()) ?? 0 }
  }
  return 0
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

struct Measured {
  var times: [String: [Double]] = [:]
  var bytes: [String: Int] = [:]

  mutating func measure(_ name: String, _ count: Int, _ body: () throws -> Void) rethrows {
    let (start, before) = (now(), writtenBytes())
    try body()
    times[name, default: []].append((now() - start) / Double(count))
    bytes[name, default: 0] += writtenBytes() - before
  }
}

/// Three stores do the same in turns.
struct Comparison {
  let folder: String
  let turns: Int
  private let fill = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 3) }
  private var measured: [String: Measured] = [:]

  init(folder: String, turns: Int) { (self.folder, self.turns) = (folder, turns) }

  /// Values of 1–12 KB, in one transaction.
  private let bulk = (0..<7300).map { (key: benchmarkKey($0), size: 1024 + ($0 &* 7919) % 11_264) }

  /// A small commit: a value of 4,000 bytes of 7,300, and an entry of 100.
  private func smallCommit() -> [(key: [UInt8], size: Int)] {
    [(benchmarkKey(Int.random(in: 0..<7300)), 4000), (benchmarkKey(8000 + Int.random(in: 0..<50)), 100)]
  }

  private func remove(_ path: String) {
    for suffix in ["", "-lock", "-wal", "-shm"] { unlink(path + suffix) }
  }

  private mutating func turn<P: Peer>(_: P.Type, _ round: Int) throws {
    var results = measured[P.name] ?? Measured()
    let path = folder + "/" + P.name
    remove(path)
    var relaxed = try P(path + "-relaxed", isRelaxed: true)
    remove(path + "-bulk")
    var loaded = try P(path + "-bulk", isRelaxed: false)
    try results.measure("bulk load of 7,300 values, ms", 1) { try loaded.write(bulk, fill) }
    // Pages that earlier turns left to the kernel to write and to discard would slow this down.
    sync()
    usleep(300_000)
    try results.measure("durable small commit, µs", 60) {
      for _ in 0..<60 { try loaded.write(smallCommit(), fill) }
    }
    if round == 0 { try relaxed.write(bulk, fill) }
    try results.measure("relaxed small commit, µs", 1000) {
      for _ in 0..<1000 { try relaxed.write(smallCommit(), fill) }
    }
    let keys = (0..<100_000).map { _ in benchmarkKey(Int.random(in: 0..<7300)) }
    _ = try loaded.read(keys)
    try results.measure("look-up of 7,300, ns", keys.count) { _ = try loaded.read(keys) }
    try loaded.close()
    try relaxed.close()
    if round % 4 == 0 {
      remove(path + "-many")
      var many = try P(path + "-many", isRelaxed: false)
      let entries = (0..<1_000_000).map { (key: benchmarkKey($0), size: 16) }
      try results.measure("1,000,000 small entries in order, ms", 1) { try many.write(entries, fill) }
      let keys = (0..<100_000).map { _ in benchmarkKey(Int.random(in: 0..<1_000_000)) }
      _ = try many.read(keys)
      try results.measure("look-up of 1,000,000, ns", keys.count) { _ = try many.read(keys) }
      try many.close()
    }
    measured[P.name] = results
  }

  mutating func run() throws {
    for suffix in ["pages", "LMDB", "SQLite"] { remove(folder + "/" + suffix + "-relaxed") }
    for round in 0..<turns {
      let order = round % 3
      for peer in 0..<3 {
        switch (peer + order) % 3 {
        case 0: try turn(PagesPeer.self, round)
        case 1: try turn(LMDBPeer.self, round)
        default: try turn(SQLitePeer.self, round)
        }
      }
    }
  }

  func report() {
    for name in measured["pages"]!.times.keys.sorted() {
      let scale = name.hasSuffix("ms") ? 1e3 : name.hasSuffix("µs") ? 1e6 : 1e9
      let values = ["pages", "LMDB", "SQLite"].map { median(measured[$0]!.times[name]!) * scale }
      let counts = name.hasPrefix("durable") ? 60 : name.hasPrefix("relaxed") ? 1000 : 1
      let written = ["pages", "LMDB", "SQLite"].map {
        Double(measured[$0]!.bytes[name]!) / Double(measured[$0]!.times[name]!.count * counts) / 1000
      }
      func text(_ value: Double) -> String {
        String(Int(value * 100)).isEmpty ? "" : "\((value * 100).rounded() / 100)"
      }
      print(
        "\(name): pages \(text(values[0])), LMDB \(text(values[1])), SQLite \(text(values[2]));",
        "÷ LMDB \(text(values[0] / values[1])), ÷ SQLite \(text(values[0] / values[2]));",
        "KB written \(text(written[0])), \(text(written[1])), \(text(written[2]))")
    }
    for name in ["pages", "LMDB", "SQLite"] {
      var information = stat()
      stat(folder + "/" + name + "-relaxed", &information)
      print("size after \(turns * 1000) relaxed commits, MB: \(name) \(Double(information.st_size) / 1e6)")
    }
  }
}
