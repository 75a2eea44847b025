import Foundation
import TestSupport
import Testing

/// A few rounds of every attack; `make test-torture` makes many.
@Suite struct TortureTests {
  /// The program lies in the folder of the tests, which are an image of this process.
  private static let program: URL = {
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    var images = maps.split(separator: "\n").filter { $0.hasSuffix(".xctest") }
      .map { String($0[$0.firstIndex(of: "/")!...]) }
    // The tests are mostly the program itself.
    if let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      images.insert(program, at: 0)
    }
    return images.lazy.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("Torture")
    }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }!
  }()

  /// On threads of their own: other tests use the processor while these wait for the disk. In groups that take about as
  /// long, since who begins last ends last.
  @Test(arguments: [["mutants"], ["kills", "races", "leaks"], ["powercuts", "failures", "churn"]])
  func short(suites: [String]) async throws {
    let end = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Result { try Self.areSound(suites) }) }
    }
    // What they found stands in the output.
    #expect(try end.get())
  }

  /// Runs suites. Returns whether they found nothing.
  private static func areSound(_ suites: [String]) throws -> Bool {
    try ChildProgram([program.path] + suites + ["--short", "--seed", "1"], limit: nil).wait() == .exit(0)
  }
}
