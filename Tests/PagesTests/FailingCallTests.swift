import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Each call of the system fails once. The program goes on, and nothing that was acknowledged is lost.
@Suite struct FailingCallTests {
  private let folder = ScratchFolder()
  private let worker = BuiltProducts.file("PagesTestWorker").path

  @Test(arguments: [EIO, ENOSPC]) func eachCallMayFailOnce(error: Int32) throws {
    var failed: [String: Int] = [:]
    var number = Int.random(in: 1...TestLength.count(9, long: 1))
    while true {
      let files = folder.path("\(error)-\(number)")
      try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
      guard let call = try live(in: files, failing: number, error) else { break }
      failed[call, default: 0] += 1
      number += TestLength.count(9, long: 1)
    }
    print("calls that failed: \(failed.sorted { $0.key < $1.key })")
    #expect(failed.count > 5)
  }

  /// - Returns: The call that failed; nil when there were not so many.
  private func live(in files: String, failing number: Int, _ error: Int32) throws -> String? {
    let path = files + (error == EIO ? "/live.pages" : "/sealed.pages")
    let notes = try Notes(path: folder.path("notes-\(error)-\(number)"))
    let report = folder.path("report-\(error)-\(number)")
    var environment = FailingCalls.environment("all", error: error, in: files)
    environment["FAULT_AT"] = "\(number)"
    environment["FAULT_COUNT"] = "1"
    environment["FAULT_REPORT"] = report
    let end = try ChildProgram(
      [worker, "live", path, folder.path("notes-\(error)-\(number)")], environment: environment
    ).wait()
    let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
    guard let failure = lines.first(where: { $0.hasPrefix("failed") }) else { return nil }
    let call = String(failure.split(separator: " ")[2])
    #expect(end == .exit(0), "\(failure) of \(lines.count)")
    let store = try PageStore(
      path: path, options: .init(mapLimit: 1 << 28, chainLimit: 3, key: encryptionKey(path)))
    var script = ScriptedTransactions()
    let count = try PageVersion.with(store) { try script.check($0) }
    // What was acknowledged before a synchronisation failed may be lost with it.
    let isLost = call != "fdatasync" && (notes[2] != 0 || count < notes[0])
    #expect(!isLost && count >= notes[1], "\(failure)")
    try ScriptedTransactions.perform(store, .full)
    try store.close()
    return call
  }
}
