import Foundation
import TestSupport
import Testing

/// Each sample in C of the article stands, line for line, in Examples/C, which `Scripts/test-c` compiles and runs.
struct SampleTests {
  private static let article = "Sources/RealmSwift/RealmSwift.docc/UsingOpenRealmFromC.md"

  @Test func samplesStandInTheExamples() throws {
    let sources = try Self.sources()
    let samples = try Self.samples()
    #expect(samples.count >= 8)
    for (line, sample) in samples where !sources.contains(where: { Self.contains($0, sample) }) {
      Issue.record("\(Self.article):\(line) is in no file of Examples/C: \(sample[0])")
    }
  }

  @Test func whatDiffersIsNotFound() {
    let source = ["  a();", "", "    b();"]
    #expect(Self.contains(source, ["a();", "", "  b();"]))
    #expect(!Self.contains(source, ["a();", "  b();"]))
    #expect(!Self.contains(source, ["a();", "", "b();"]))
  }

  /// The lines of each file of Examples/C.
  private static func sources() throws -> [[String]] {
    let folder = Repository.folder.appending(path: "Examples/C")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
      try lines(folder.appending(path: $0))
    }
  }

  /// The fenced blocks of the article in C, C++ and for CMake, each with the number of its first line.
  private static func samples() throws -> [(line: Int, sample: [String])] {
    var samples: [(line: Int, sample: [String])] = []
    var open: (line: Int, sample: [String])?
    for (number, line) in try lines(Repository.folder.appending(path: article)).enumerated() {
      if let known = open {
        if line == "```" {
          samples.append(known)
          open = nil
        } else {
          open?.sample.append(line)
        }
      } else if ["```c", "```cpp", "```cmake"].contains(line) {
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
