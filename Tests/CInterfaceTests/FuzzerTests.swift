import Foundation
import TestSupport
import Testing

/// Calls the functions of the C interface in random order, with right and wrong arguments: nothing may stop the process.
struct FuzzerTests {
  /// Which file the calls are made with, and how many.
  struct Run: CustomTestStringConvertible, Sendable {
    let storage: String
    let threads: Int
    let calls: Int
    let seed: UInt64

    var testDescription: String { "\(storage), \(threads) threads, seed \(seed)" }
  }

  static let runs: [Run] = {
    let kinds = [
      ("memory", 1, 40_000), ("plain", 1, 40_000), ("encrypted", 1, 20_000), ("damaged", 1, 10_000),
      ("plain", 4, 10_000), ("memory", 3, 10_000), ("encrypted", 3, 5_000), ("damaged", 3, 4_000),
    ]
    return kinds.flatMap { storage, threads, calls in
      TestLength.seeds([1, 2, 3, 4, 5, 6], short: 1).map {
        Run(storage: storage, threads: threads, calls: TestLength.count(calls, long: calls * 10), seed: $0)
      }
    }
  }()

  @Test(arguments: runs) func nothingStopsTheProcess(run: Run) throws {
    let folder = ScratchFolder()
    let errors = folder.file("errors")
    try Data().write(to: errors)
    let program = try ChildProgram(
      [
        Self.program, "--seed", "\(run.seed)", "--calls", "\(run.calls)", "--threads", "\(run.threads)",
        "--storage", run.storage, "--samples", Self.samples, folder.url.path,
      ],
      // The default file, which a call may open, is one of its own, too.
      environment: ["SWIFT_BACKTRACE": "enable=no", "XDG_DATA_HOME": folder.url.path],
      output: FileHandle.nullDevice,
      error: FileHandle(forWritingTo: errors))
    let end = program.wait()
    let report = try String(contentsOf: errors, encoding: .utf8)
    #expect(end == .exit(0), "\(run.testDescription):\n\(report)")
  }

  /// Calls that are all refused test little: each function has to find arguments that it can work with.
  @Test func eachFunctionSucceedsSometimes() throws {
    let folder = ScratchFolder()
    let said = try ChildProgram.run([
      Self.program, "--seed", "1", "--calls", "60000", "--storage", "plain", "--samples", Self.samples,
      "--summary", folder.url.path,
    ]).said
    let functions = String(decoding: said, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("openrealm_") }
    #expect(functions.count > 140)
    let failing = functions.filter { line in
      let share = line.split(separator: " ")[1].dropLast()
      return (Double(share) ?? 0) < 5
    }
    #expect(failing == [], "Fewer than 5 % of the calls of these succeeded.")
  }

  /// A function that is new in the headers is in the fuzzer, too.
  @Test func theFuzzerCallsEachFunctionOfTheHeaders() throws {
    let said = try ChildProgram.run([Self.program, "--functions"]).said
    let called = String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
    let declared = try CHeaders.functions()
    #expect(declared.count > 140)
    #expect(Set(declared).subtracting(called).sorted() == [], "The fuzzer does not call these.")
    #expect(Set(called).subtracting(declared).sorted() == [], "No header declares these.")
    #expect(called.count == Set(called).count)
  }

  /// The folder of files that the official SDK wrote.
  private static let samples = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "OfficialFilesTests/Samples/Files").path
  private static let program = BuiltProducts.file("CInterfaceFuzzer").path
}
