import Foundation
import TestSupport

/// A running worker, whose numbers are read as it says them.
final class WorkerProcess {
  private let program: ChildProgram
  private let output = Pipe()
  private var unread = Data()
  /// The last number that the worker has said.
  private(set) var lastNumber: Int?

  /// - Parameters:
  ///   - environment: Is added to that of this process.
  ///   - prefix: A program that starts the worker, and its arguments.
  init(_ arguments: String..., environment: [String: String] = [:], prefix: [String] = []) throws {
    program = try ChildProgram(
      prefix + [BuiltProducts.file("RealmTestWorker").path] + arguments, environment: environment,
      output: output.fileHandleForWriting)
    // The worker has its own end.
    try output.fileHandleForWriting.close()
  }

  /// Waits for the next number; nil when the worker has ended.
  func nextNumber() -> Int? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeSubrange(...end)
        lastNumber = Int(line)
        return lastNumber
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      unread.append(more)
    }
  }

  /// Ends the worker at once, wherever it is, and reads what it still said.
  func kill() {
    program.send(SIGKILL)
    finish()
  }

  /// Waits until the worker has ended. Returns whether that was by itself and without an error.
  @discardableResult
  func finish() -> Bool {
    while nextNumber() != nil {}
    return program.wait() == .exit(0)
  }
}
