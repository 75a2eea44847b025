import Foundation
import TestSupport
import Testing

/// Each sample of the articles on C and Objective-C stands, line for line, in an example that `Scripts/test-c` or
/// `Scripts/test-objc` compiles and runs.
struct SampleTests {
  private static let articles = [
    (name: "UsingOpenRealmFromC.md", examples: "Examples/C", languages: ["c", "cpp", "cmake"], count: 8),
    (name: "ObjectiveCOnLinux.md", examples: "Examples/ObjectiveC", languages: ["objc"], count: 8),
  ]

  @Test(arguments: 0..<2) func samplesStandInTheExamples(number: Int) throws {
    let article = Self.articles[number]
    let sources = try Self.sources(article.examples)
    let samples = try Self.samples(article.name, article.languages)
    #expect(samples.count >= article.count)
    for (line, sample) in samples where !sources.contains(where: { Self.contains($0, sample) }) {
      Issue.record("\(article.name):\(line) is in no file of \(article.examples): \(sample[0])")
    }
  }

  @Test func whatDiffersIsNotFound() {
    let source = ["  a();", "", "    b();"]
    #expect(Self.contains(source, ["a();", "", "  b();"]))
    #expect(!Self.contains(source, ["a();", "  b();"]))
    #expect(!Self.contains(source, ["a();", "", "b();"]))
  }

  /// The lines of each file of a folder.
  private static func sources(_ examples: String) throws -> [[String]] {
    let folder = Repository.folder.appending(path: examples)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
      try lines(folder.appending(path: $0))
    }
  }

  /// The fenced blocks of an article in some languages, each with the number of its first line.
  private static func samples(
    _ article: String, _ languages: [String]
  ) throws -> [(line: Int, sample: [String])] {
    let fences = languages.map { "```\($0)" }
    let page = Repository.folder.appending(path: "Sources/RealmSwift/RealmSwift.docc/\(article)")
    var samples: [(line: Int, sample: [String])] = []
    var open: (line: Int, sample: [String])?
    for (number, line) in try lines(page).enumerated() {
      if let known = open {
        if line == "```" {
          samples.append(known)
          open = nil
        } else {
          open?.sample.append(line)
        }
      } else if fences.contains(line) {
        open = (number + 2, [])
      }
    }
    return samples
  }

  private static func lines(_ file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// Whether consecutive lines of a source are those of a sample, all of them deeper by the same number of spaces.
  private static func contains(_ source: [String], _ sample: [String]) -> Bool {
    guard let first = sample.first, !first.isEmpty, source.count >= sample.count else { return false }
    return (0...(source.count - sample.count)).contains { start in
      guard source[start].hasSuffix(first) else { return false }
      let indentation = String(source[start].dropLast(first.count))
      guard indentation.allSatisfy({ $0 == " " }) else { return false }
      return sample.indices.allSatisfy {
        source[start + $0] == (sample[$0].isEmpty ? "" : indentation + sample[$0])
      }
    }
  }
}
