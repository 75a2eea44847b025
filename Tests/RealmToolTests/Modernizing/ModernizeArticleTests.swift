import Foundation
import TestSupport
import Testing

@testable import RealmTool

/// The model before and after in the documentation is what the command prints.
struct ModernizeArticleTests {
  private let folder = ScratchFolder()

  @Test func theArticleShowsWhatTheCommandPrints() throws {
    let page = "Sources/RealmSwift/RealmSwift.docc/ComingFromTheOfficialSDK.md"
    let text = try String(contentsOf: Repository.folder.appending(path: page), encoding: .utf8)
    let block = try #require(text.firstMatch(of: /```diff\n(?<lines>[\s\S]*?)\n```/)).lines
    let lines = block.components(separatedBy: "\n")
    let old = lines.filter { !$0.hasPrefix("+") }.map { $0.dropFirst() }.joined(separator: "\n")
    let path = folder.path("Dog.swift")
    try (old + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let outcome = try RealmProgram.run("modernize", path)
    #expect(outcome.status == 0 && outcome.error == "")
    let printed = outcome.output.components(separatedBy: "\n").dropFirst(3).dropLast()
    #expect(printed.map { $0 == " " ? "" : $0 } == lines)
  }
}
