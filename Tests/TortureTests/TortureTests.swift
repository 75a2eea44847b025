import Foundation
import Testing

/// A few rounds of every attack; `make test-torture` makes many.
@Suite(.serialized) struct TortureTests {
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

  @Test(arguments: ["kills", "powercuts", "failures", "mutants", "races", "leaks"])
  func short(_ suite: String) throws {
    let process = Process()
    process.executableURL = Self.program
    process.arguments = [suite, "--short", "--seed", "1"]
    try process.run()
    process.waitUntilExit()
    // What it found stands in the output.
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
  }
}
