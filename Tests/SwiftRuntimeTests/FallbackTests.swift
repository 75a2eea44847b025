import Foundation
import TestSupport
import Testing

@testable import SwiftRuntime

/// A program does the same where what is known of the runtime does not hold.
@Suite struct FallbackTests {
  /// What a program says that runs in a new folder, and which facts did not hold for it.
  private static func run(without facts: [RuntimeFact]) throws -> (said: [String], facts: [String]) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let run = try ChildProgram.run([program.path, folder.path] + facts.map(\.rawValue))
    let text = String(decoding: run.said, as: UTF8.self)
    try #require(run.end == .exit(0), "\(text)")
    let lines = text.split(separator: "\n").map(String.init)
    let last = try #require(lines.last)
    try #require(last.hasPrefix("#"))
    return (lines.dropLast(), last.split(separator: " ").dropFirst().map(String.init))
  }

  /// It lies in the folder of the tests, which are an image of this process.
  private static let program: URL = {
    for image in LoadedImage.all() {
      let path =
        image.path.isEmpty
        ? try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") : image.path
      let program = URL(fileURLWithPath: path ?? "").deletingLastPathComponent()
        .appendingPathComponent("RuntimeTestProgram")
      if FileManager.default.isExecutableFile(atPath: program.path) { return program }
    }
    fatalError("RuntimeTestProgram is not built")
  }()

  private static let usual = Result { try run(without: []) }

  /// Which other facts rest on one.
  private static func dependents(of fact: RuntimeFact) -> Set<RuntimeFact> {
    switch fact {
    case .referenceCounts: [.objectCopies]
    case .classMetadata: [.classNames, .fieldRecords, .objectCopies]
    default: []
    }
  }

  @Test func whatIsUsual() throws {
    let (said, facts) = try Self.usual.get()
    #expect(facts == [])
    #expect(
      said.filter { $0.hasPrefix("class ") }.map { $0.split(separator: " ")[1] } == [
        "RuntimeAddress", "RuntimeCounter", "RuntimeDog", "RuntimeEmployee", "RuntimeHidden", "RuntimePerson",
      ])
    for line in [
      "generic RuntimeNumbered", #"people ["1 Ann 3 Optional(0.5)", "2 nobody 0 nil"]"#, "wrong 0",
      "same frozen realm true",
      "frozen d0 Rex Rex", "same realm true", "not read 0", "read 1 Bo", "heard 1", "actor Ann Cleo nobody",
      "queue actor Ann Cleo nobody", "renamed Cleo",
    ] {
      #expect(said.contains(line))
    }
  }

  @Test(arguments: RuntimeFact.allCases)
  func without(_ fact: RuntimeFact) throws {
    let (said, facts) = try Self.run(without: [fact])
    #expect(Set(facts) == Set(Self.dependents(of: fact).union([fact]).map(\.rawValue)))
    #expect(try said == Self.usual.get().said)
  }

  @Test func withoutAny() throws {
    let (said, facts) = try Self.run(without: RuntimeFact.allCases)
    #expect(facts == RuntimeFact.allCases.map(\.rawValue))
    #expect(try said == Self.usual.get().said)
  }
}
