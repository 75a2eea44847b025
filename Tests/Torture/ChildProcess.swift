import Foundation
import TestSupport

/// This program once more, for what may end badly.
final class ChildProcess {
  /// How a process has ended.
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
    /// It took too long, and was killed.
    case hung
  }

  private let program: ChildProgram
  private let output = Pipe()
  private let errorFile: URL
  private let heard = Heard()

  /// Starts the child of a suite.
  ///
  /// - Parameters:
  ///   - environment: Is added to that of this process.
  ///   - preload: Whether the library of `FaultInjection` comes between the program and its system calls.
  ///   - launcher: A program, and its first arguments, that runs the child, whose path and arguments follow.
  init(
    _ suite: any AttackSuite.Type, _ arguments: [String], environment: [String: String] = [:],
    preload: Bool = false, launcher: [String] = []
  ) throws {
    let words = launcher + [Self.executable.path, "child", suite.name] + arguments
    // Looking for the names of functions would take long.
    var variables = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    if preload { variables["LD_PRELOAD"] = FaultLibrary.path }
    errorFile = URL(fileURLWithPath: ScratchFolder.lastingPath("\(UUID().uuidString).err"))
    _ = FileManager.default.createFile(atPath: errorFile.path, contents: nil)
    program = try ChildProgram(
      words, environment: variables, output: output.fileHandleForWriting,
      error: FileHandle(forWritingTo: errorFile), limit: nil)
    // The child has its own end.
    try output.fileHandleForWriting.close()
    // All the time: a child whose output nobody reads stops, with all locks that it has.
    heard.listen(to: output.fileHandleForReading)
  }

  deinit { try? FileManager.default.removeItem(at: errorFile) }

  static let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()

  var identifier: Int32 { program.identifier }

  /// Waits for the next line of its output; nil when it has ended.
  func nextLine() -> String? { heard.nextLine() }

  /// Ends it at once, wherever it is. Returns what it still said.
  @discardableResult
  func kill() -> [String] {
    program.send(SIGKILL)
    return finish().lines
  }

  /// Waits until it has ended, and returns how, and what it said that was not read yet.
  ///
  /// - Parameter seconds: How long it may take, before it is killed.
  @discardableResult
  func finish(within seconds: Double = 600) -> (end: End, lines: [String]) {
    let watchdog = DispatchWorkItem { [program] in program.send(SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: watchdog)
    let start = Date()
    var lines: [String] = []
    while let line = nextLine() { lines.append(line) }
    let end = program.wait()
    watchdog.cancel()
    switch end {
    case .exit(let status): return (.exit(status), lines)
    case .signal(SIGKILL) where Date().timeIntervalSince(start) >= seconds: return (.hung, lines)
    case .signal(let number): return (.signal(number), lines)
    }
  }

  /// What it wrote to its standard error, once it has ended.
  var errorText: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

  /// Tells the parent a line. For a child.
  static func say(_ line: some CustomStringConvertible) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}

/// The lines that a process has said and nobody has asked for yet.
private final class Heard: @unchecked Sendable {
  // Guarded by the condition.
  private let condition = NSCondition()
  private var lines: [String] = []
  private var next = 0
  private var hasEnded = false

  /// Reads from a thread of its own until the other end is closed.
  func listen(to output: FileHandle) {
    Thread { [self] in
      var rest = Data()
      while true {
        let more = output.availableData
        rest.append(more)
        var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = Data(parts.removeLast())
        add(parts.map { String(decoding: $0, as: UTF8.self) }, isLast: more.isEmpty)
        if more.isEmpty { return }
      }
    }.start()
  }

  private func add(_ new: [String], isLast: Bool) {
    condition.lock()
    lines += new
    hasEnded = isLast
    condition.broadcast()
    condition.unlock()
  }

  /// Waits for the next line; nil when there are no more.
  func nextLine() -> String? {
    condition.lock()
    defer { condition.unlock() }
    while next == lines.count {
      if hasEnded { return nil }
      condition.wait()
    }
    next += 1
    return lines[next - 1]
  }
}
