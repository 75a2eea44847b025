import Foundation
import TestSupport

/// The tool as its users run it: a process of its own.
enum RealmProgram {
  struct Outcome: Equatable {
    var status: Int32
    var output = ""
    var error = ""
  }

  static let executable = BuiltProducts.file("realm")

  /// Runs the tool to its end.
  static func run(_ arguments: String..., input: String? = nil) throws -> Outcome {
    try run(arguments, input: input.map { Data($0.utf8) })
  }

  static func run(_ arguments: [String], input: Data? = nil) throws -> Outcome {
    try run(executable, arguments, input: input)
  }

  /// Runs a line of the shell, in which `realm` is the tool.
  static func shell(_ line: String) throws -> Outcome {
    let path = "PATH='\(executable.deletingLastPathComponent().path)':\"$PATH\"; "
    return try run(URL(fileURLWithPath: "/bin/bash"), ["-c", path + line], input: nil)
  }

  static func run(_ program: URL, _ arguments: [String], input: Data?) throws -> Outcome {
    let folder = ScratchFolder()
    // Files and not pipes, which would have to be read at the same time.
    let (output, error, given) = (folder.file("output"), folder.file("error"), folder.file("input"))
    for file in [output, error] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    try (input ?? Data()).write(to: given)
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: given)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: error)
    try process.runUnblocked()
    Patience.end(process)
    process.waitUntilExit()
    return Outcome(
      status: process.terminationReason == .exit
        ? process.terminationStatus : 128 + process.terminationStatus,
      output: try String(contentsOf: output, encoding: .utf8),
      error: try String(contentsOf: error, encoding: .utf8))
  }
}

extension Process {
  /// Starts it as users do. Threads of tests have most signals blocked, which processes inherit.
  ///
  /// - Parameter blocksSignals: Whether all are blocked instead.
  func runUnblocked(blocksSignals: Bool = false) throws {
    var (signals, former) = (sigset_t(), sigset_t())
    if blocksSignals { sigfillset(&signals) } else { sigemptyset(&signals) }
    pthread_sigmask(SIG_SETMASK, &signals, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    try run()
  }

  /// The end of a fifo that the process reads, to be closed; -1 when it ends without reading it, for which nobody should wait.
  func openToWrite(_ fifo: String) -> Int32 {
    while true {
      // Fails as long as nobody reads.
      let descriptor = open(fifo, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if descriptor >= 0 || !isRunning { return descriptor }
      usleep(1000)
    }
  }
}

/// A tool that never ends is a failure of its test, which has to be told rather than to last for ever.
enum Patience {
  /// So many seconds the slowest machine may need for anything.
  private static let limit = 600

  /// Ends a process that has run for too long.
  static func end(_ process: Process) {
    let words = process.arguments ?? []
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(limit)) {
      if !process.isRunning { return }
      print("Still running, and killed: \(words)")
      kill(process.processIdentifier, SIGKILL)
    }
  }

  /// Waits until there is something to be read, or the end; false when that takes too long.
  static func wait(for descriptor: Int32) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&wanted, 1, Int32(limit * 1000))
      if count < 0 && errno == EINTR { continue }
      if count == 0 { print("Nothing has come to be read.") }
      return count > 0
    }
  }
}

/// A running tool whose output is read line by line.
final class RunningTool {
  let process = Process()
  private let output = Pipe()
  private let error = Pipe()
  private var unread = Data()

  /// - Parameter blocksSignals: Whether it begins with all signals blocked.
  init(_ arguments: String..., blocksSignals: Bool = false) throws {
    process.executableURL = RealmProgram.executable
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = error
    try process.runUnblocked(blocksSignals: blocksSignals)
    Patience.end(process)
    try output.fileHandleForWriting.close()
    try error.fileHandleForWriting.close()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// The next line of the standard output; nil at its end.
  func nextLine() -> String? {
    while true {
      if let end = unread.firstIndex(of: 10) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeSubrange(...end)
        return line
      }
      guard Patience.wait(for: output.fileHandleForReading.fileDescriptor) else { return nil }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      unread.append(more)
    }
  }

  /// The end of a fifo that the tool reads, to be closed.
  func openToWrite(_ fifo: String) -> Int32 { process.openToWrite(fifo) }

  /// What the tool first says on the standard error.
  func firstNote() -> String {
    guard Patience.wait(for: error.fileHandleForReading.fileDescriptor) else { return "" }
    return String(decoding: error.fileHandleForReading.availableData, as: UTF8.self)
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for the end. Returns the status, 128 and the number for a signal.
  func end() -> Int32 {
    while nextLine() != nil {}
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }
}
