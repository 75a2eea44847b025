import Foundation
import TestSupport
import Testing

/// The figures of the benchmarks have one source, `Documentation/Benchmarks.json`, from which `Scripts/update-figures` writes
/// the table of the article *Performance*, and ten of its rows into README.md.
struct BenchmarkFigureTests {
  /// Returns the rows of a page's table, nil for a page without one.
  private static func rows(_ page: String) throws -> [String]? {
    let text = try String(contentsOf: Repository.folder.appending(path: page), encoding: .utf8)
    let lines = text.split(separator: "\n").map(String.init)
    guard let heading = lines.firstIndex(where: { $0.hasSuffix("| OpenRealm ÷ SQLite |") }) else {
      return nil
    }
    return Array(lines[(heading + 2)...].prefix { $0.hasPrefix("|") })
  }

  private static let performance = "Sources/RealmSwift/RealmSwift.docc/Performance.md"

  @Test func readmeRepeatsRowsOfThePerformanceArticle() throws {
    let all = try #require(try Self.rows(Self.performance))
    let some = try #require(try Self.rows("README.md"))
    #expect(some.count == 10)
    #expect(some.filter { !all.contains($0) } == [])
  }

  @Test func readmeHasEveryRowThatIsSlowerThanSQLite() throws {
    let slower = try #require(try Self.rows(Self.performance)).filter { row in
      let ratio = row.split(separator: "|").last.flatMap { Double($0.trimmingCharacters(in: .whitespaces)) }
      return (ratio ?? 0) > 1
    }
    let readme = try #require(try Self.rows("README.md"))
    #expect(slower.filter { !readme.contains($0) } == [])
  }

  @Test func tablesAgreeWithTheSource() throws {
    let script = Repository.folder.appending(path: "Scripts/update-figures").path
    let (end, output) = try ChildProgram.run(["/usr/bin/perl", script, "--check"])
    #expect(end == .exit(0), "\(String(decoding: output, as: UTF8.self))")
  }

  @Test func noOtherPageHasSuchATable() throws {
    for page in SampleTests.pages where page != "README.md" && page != Self.performance {
      #expect(try Self.rows(page) == nil, "\(page)")
    }
  }

  @Test(arguments: SampleTests.pages.filter { $0 != "README.md" && $0 != performance })
  func noOtherPageHasMeasuredTimes(page: String) throws {
    let text = try String(contentsOf: Repository.folder.appending(path: page), encoding: .utf8)
    let prose = text.replacing(/(?ms)^```.*?^```/, with: "")
    #expect(prose.matches(of: /[0-9] (?:ns|µs|ms)\b/).map { String($0.output) } == [])
  }
}
