import Foundation
import TestSupport
import Testing

/// No sample of the documentation is untested: each stands, line for line, in a source that is compiled and run.
struct SampleTests {
  /// The articles, and README.md.
  static let pages: [String] = {
    let catalogue = "Sources/RealmSwift/RealmSwift.docc"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path(catalogue))) ?? []
    return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "\(catalogue)/\($0)" }
  }()

  static func path(_ name: String) -> String { Repository.folder.appending(path: name).path }

  @Test(arguments: pages) func article(page: String) throws {
    let text = try String(contentsOfFile: Self.path(page), encoding: .utf8)
    for sample in Sample.fenced(in: text, page: page, languages: ["swift", "dockerfile"]) {
      expectTested(sample)
    }
  }

  private func expectTested(_ sample: Sample) {
    if CompiledSources.all.contains(sample) { return }
    Issue.record("\(sample.page):\(sample.line) is in no source that is compiled: \(sample.lines[0])")
  }

  @Test func thereAreArticles() { #expect(Self.pages.count > 20) }

  /// The sources of the library, each with its path in the folder of the module.
  static let sources: [String: String] = {
    let folder = URL(fileURLWithPath: path("Sources/RealmSwift")).resolvingSymlinksInPath()
    var sources: [String: String] = [:]
    for case let file as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)!
    where file.pathExtension == "swift" {
      let name = String(file.resolvingSymlinksInPath().path.dropFirst(folder.path.count + 1))
      sources[name] = try? String(contentsOf: file, encoding: .utf8)
    }
    return sources
  }()

  @Test func commentsOfTheLibrary() {
    for (name, text) in Self.sources {
      for sample in Sample.fenced(inCommentsOf: text, page: name) { expectTested(sample) }
      for line in Sample.indentedLines(inCommentsOf: text) {
        Issue.record("\(name):\(line) is a sample without a fence, which is not highlighted")
      }
    }
  }

  @Test(arguments: MostUsedDeclarations.all) func mostUsedDeclarationsHaveSamples(
    declaration: MostUsedDeclarations.Declaration
  ) throws {
    let text = try #require(Self.sources[declaration.file], "There is no file \(declaration.file)")
    let comments = DocumentationComment.all(in: text).filter { $0.declaration.contains(declaration.text) }
    #expect(!comments.isEmpty, "\(declaration.file) declares no '\(declaration.text)'")
    #expect(comments.contains { $0.hasSample }, "'\(declaration.text)' has no sample")
  }

  @Test func thereAreSixtyMostUsedDeclarations() { #expect(MostUsedDeclarations.all.count >= 60) }

  @Test func whatDiffersIsNotFound() {
    let sources = CompiledSources(["  a\n\n    b\n  c\n"])
    func contains(_ lines: String...) -> Bool {
      sources.contains(Sample(page: "", line: 1, lines: lines))
    }
    #expect(contains("a", "", "  b"))
    #expect(contains("b", "c") == false)
    #expect(contains("  b", "c"))
    #expect(contains("a", "  b") == false)
    #expect(contains("a", "", "b") == false)
    #expect(contains("c", "d") == false)
    #expect(contains("") == false)
  }

  @Test func samplesAreFound() {
    let text = "text\n```swift\nlet a = 1\n\n  f()\n```\n```console\nmake\n```\n"
    let fenced = Sample.fenced(in: text, page: "", languages: ["swift"])
    #expect(fenced.map(\.lines) == [["let a = 1", "", "  f()"]])
    #expect(fenced.map(\.line) == [2])
  }

  @Test func samplesInCommentsAreFound() {
    let comment = """
        /// Text.
        ///
        /// ```swift
        /// f()
        ///
        ///   g()
        /// ```
        @discardableResult
        func a() {}
        /// - Parameter b: Text
        ///     that goes on.
        ///
        ///     h()
        var b: Int
      """
    #expect(Sample.fenced(inCommentsOf: comment, page: "").map(\.lines) == [["f()", "", "  g()"]])
    #expect(Sample.indentedLines(inCommentsOf: comment) == [13])
    let comments = DocumentationComment.all(in: comment)
    #expect(comments.map(\.declaration) == ["func a() {}", "var b: Int"])
    #expect(comments.map(\.hasSample) == [true, false])
  }
}
