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

  /// On a thread of its own from the beginning: other tests use the processor while this waits for the disk.
  @Test func short() async throws {
    let ends = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          returning: ["kills", "powercuts", "failures", "mutants", "races", "leaks", "churn"].map { suite in
            (suite, Result { try Self.isSound(suite) })
          })
      }
    }
    // What they found stands in the output.
    for (suite, isSound) in ends { #expect(try isSound.get(), "\(suite)") }
  }

  /// Runs a suite. Returns whether it found nothing.
  private static func isSound(_ suite: String) throws -> Bool {
    try ChildProgram([program.path, suite, "--short", "--seed", "1"], limit: nil).wait() == .exit(0)
  }
}
