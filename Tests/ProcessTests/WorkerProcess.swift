import Foundation

/// A running worker, whose numbers are read as it says them.
final class WorkerProcess {
  private let process = Process()
  private let output = Pipe()
  private var unread = Data()
  /// The last number that the worker has said.
  private(set) var lastNumber: Int?

  init(_ arguments: String...) throws {
    process.executableURL = Self.executable
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    // The worker has its own end.
    try output.fileHandleForWriting.close()
  }

  /// The worker lies in the folder of the tests, which are an image of this process.
  private static let executable: URL = {
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    var images = maps.split(separator: "\n").filter { $0.hasSuffix(".xctest") }
      .map { String($0[$0.firstIndex(of: "/")!...]) }
    // The tests are mostly the program itself.
    if let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      images.insert(program, at: 0)
    }
    for image in images {
      let worker = URL(fileURLWithPath: image).deletingLastPathComponent()
        .appendingPathComponent("RealmTestWorker")
      if FileManager.default.isExecutableFile(atPath: worker.path) { return worker }
    }
    fatalError("RealmTestWorker is not built")
  }()

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
    Foundation.kill(process.processIdentifier, SIGKILL)
    finish()
  }

  /// Waits until the worker has ended. Returns whether that was by itself and without an error.
  @discardableResult
  func finish() -> Bool {
    while nextNumber() != nil {}
    process.waitUntilExit()
    return process.terminationReason == .exit && process.terminationStatus == 0
  }
}
