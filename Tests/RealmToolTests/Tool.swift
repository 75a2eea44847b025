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
    let child = try ChildProgram(
      [program.path] + arguments, input: FileHandle(forReadingFrom: given),
      output: FileHandle(forWritingTo: output), error: FileHandle(forWritingTo: error))
    return Outcome(
      status: child.wait().status,
      output: try String(contentsOf: output, encoding: .utf8),
      error: try String(contentsOf: error, encoding: .utf8))
  }
}

extension ChildProgram {
  /// The end of a fifo that the program reads, to be closed; -1 when it ends without reading it, for which nobody should wait.
  func openToWrite(_ fifo: String) -> Int32 {
    while true {
      // Fails as long as nobody reads.
      let descriptor = open(fifo, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if descriptor >= 0 || !isRunning { return descriptor }
      usleep(1000)
    }
  }
}

extension ChildProgram {
  /// Waits until there is something to be read, or the end; false when that takes too long.
  static func canRead(_ descriptor: Int32) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&wanted, 1, Int32(patience * 1000))
      if count < 0 && errno == EINTR { continue }
      if count == 0 { print("Nothing has come to be read.") }
      return count > 0
    }
  }
}

/// A running tool whose output is read line by line.
final class RunningTool {
  private let program: ChildProgram
  private let output = Pipe()
  private let error = Pipe()
  private var unread = Data()

  /// - Parameter blocksSignals: Whether it begins with all signals blocked.
  init(_ arguments: String..., blocksSignals: Bool = false) throws {
    program = try ChildProgram(
      [RealmProgram.executable.path] + arguments, input: .nullDevice, output: output.fileHandleForWriting,
      error: error.fileHandleForWriting, blocksSignals: blocksSignals)
    try output.fileHandleForWriting.close()
    try error.fileHandleForWriting.close()
  }

  deinit { program.send(SIGKILL) }

  var identifier: pid_t { program.identifier }

  var isRunning: Bool { program.isRunning }

  /// The next line of the standard output; nil at its end.
  func nextLine() -> String? {
    while true {
      if let end = unread.firstIndex(of: 10) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeSubrange(...end)
        return line
      }
      guard ChildProgram.canRead(output.fileHandleForReading.fileDescriptor) else { return nil }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      unread.append(more)
    }
  }

  /// The end of a fifo that the tool reads, to be closed.
  func openToWrite(_ fifo: String) -> Int32 { program.openToWrite(fifo) }

  /// What the tool first says on the standard error.
  func firstNote() -> String {
    guard ChildProgram.canRead(error.fileHandleForReading.fileDescriptor) else { return "" }
    return String(decoding: error.fileHandleForReading.availableData, as: UTF8.self)
  }

  func signal(_ number: Int32) { program.send(number) }

  /// Waits for the end. Returns the status, 128 and the number for a signal.
  func end() -> Int32 {
    while nextLine() != nil {}
    return program.wait().status
  }
}
