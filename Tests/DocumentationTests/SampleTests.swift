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

  @Test func commentsOfTheLibrary() throws {
    let sources = URL(fileURLWithPath: Self.path("Sources/RealmSwift")).resolvingSymlinksInPath()
    for case let file as URL in FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)!
    where file.pathExtension == "swift" {
      let name = file.lastPathComponent
      for sample in Sample.indented(inCommentsOf: try String(contentsOf: file, encoding: .utf8), page: name) {
        expectTested(sample)
      }
    }
  }

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
    let comment =
      "  /// Text.\n  ///\n  ///     f()\n  ///\n  ///       g()\n  ///\n  /// - a\n  ///     b\n  var c"
    let indented = Sample.indented(inCommentsOf: comment, page: "")
    #expect(indented.map(\.lines) == [["f()", "", "  g()"]])
  }
}
