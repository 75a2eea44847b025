import Foundation

/// Measures how long the tool `realm` takes to import a CSV file to a new realm file, whose class it infers, and to export it
/// as CSV again; beside SQLite, which is given the types. Both are child processes, and run alternately.
struct ToolMeasurements {
  static let works = ["tool import", "tool export"]
  /// Highest accepted ratio of the tool's time to SQLite's.
  private static let factor = 1.3

  let files: FileStore
  let options: Options

  func run() throws -> [Measurement] {
    let tool = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "realm")
    guard FileManager.default.isExecutableFile(atPath: tool.path) else {
      throw BenchmarkError("\(tool.path) is missing: swift build -c release --product realm makes it.")
    }
    let source = files.directory + "/Visit.csv"
    try writeSource(to: source)
    var samples: [String: (own: Samples, sqlite: Samples)] = [:]
    for _ in 0..<(options.repetitions ?? 3) {
      let (realm, database) = (files.directory + "/visits.realm", files.directory + "/visits.sqlite")
      let (own, other) = (files.directory + "/own.csv", files.directory + "/sqlite.csv")
      try take(Self.works[0], &samples) {
        try Self.run(tool, ["import", realm, source])
      } beside: {
        _ = try ChildProcess.run([SQLiteTransfer.importCommand, source, database])
      }
      try take(Self.works[1], &samples) {
        try Self.run(tool, ["export", realm, "--class", "Visit", "--format", "csv"], output: own)
      } beside: {
        _ = try ChildProcess.run([SQLiteTransfer.exportCommand, database, other])
      }
      guard try Self.lineCount(own) == options.rows + 1, try Self.lineCount(other) == options.rows + 1 else {
        throw BenchmarkError("Not all visits were written.")
      }
      for path in [realm, database, own, other] { files.remove(path) }
    }
    return Self.works.filter(options.includes).map { work in
      var measurement = Measurement(work: work, title: "CSV, as a process", target: .ratio(Self.factor))
      measurement.figures[.openRealm] = samples[work]?.own.minimum
      measurement.figures[.sqlite] = samples[work]?.sqlite.minimum
      return measurement
    }
  }

  private func take(
    _ work: String, _ samples: inout [String: (own: Samples, sqlite: Samples)], _ own: () throws -> Void,
    beside other: () throws -> Void
  ) throws {
    samples[work, default: (Samples(), Samples())].own.append(try Stopwatch.seconds(of: own))
    samples[work]?.sqlite.append(try Stopwatch.seconds(of: other))
  }

  private func writeSource(to path: String) throws {
    var text = Data("id,name,city,price,active,created\n".utf8)
    for id in 0..<options.rows {
      let price = "\(id &* 7919 % 1000).\(id % 90 + 10)"
      let created = String(
        format: "2024-%02d-%02dT%02d:%02d:%02dZ", id % 12 + 1, id % 28 + 1, id % 24, id % 60, id / 7 % 60)
      text.append(
        contentsOf: "\(id),visitor \(id),City \(id % 500),\(price),\(id % 2 == 0),\(created)\n".utf8)
    }
    try text.write(to: URL(fileURLWithPath: path))
  }

  private static func run(_ tool: URL, _ arguments: [String], output: String? = nil) throws {
    // Creating a file replaces what is at its path: a device such as /dev/null, too, when root does it.
    if let output { _ = FileManager.default.createFile(atPath: output, contents: nil) }
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    if let output { process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output)) }
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkError("The tool ended with \(process.terminationStatus): \(arguments).")
    }
  }

  private static func lineCount(_ path: String) throws -> Int {
    try Data(contentsOf: URL(fileURLWithPath: path)).count { $0 == 10 }
  }
}
