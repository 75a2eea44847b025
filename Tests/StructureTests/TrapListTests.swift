import Foundation
import TestSupport
import Testing

/// Every call that ends the process is in `Documentation/Traps.txt`, which says whether a C program can reach it and which
/// check answers before it does. A call that was overlooked ends the process of somebody else's program.
struct TrapListTests {
  private struct Entry {
    var count: Int
    var isReachable: Bool
    var text: String
  }

  private struct Place: Hashable, CustomStringConvertible {
    var file: String
    var function: String
    var description: String { "\(file) | \(function)" }
  }

  private static let folder = Repository.folder.appending(path: "Sources/RealmSwift")
  private static let collections = folder.appending(path: "Numbers/NumberedCollection.swift")
  private static let table = Repository.folder.appending(path: "Documentation/Traps.txt")

  private func listed() throws -> [Place: Entry] {
    var entries: [Place: Entry] = [:]
    for line in try String(contentsOf: Self.table, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("#") { continue }
      let fields = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard fields.count == 5, let count = Int(fields[2]), ["yes", "no"].contains(fields[3]) else {
        Issue.record("Documentation/Traps.txt: not 'file | function | calls | yes or no | text': \(line)")
        continue
      }
      let place = Place(file: fields[0], function: fields[1])
      #expect(entries[place] == nil, "Documentation/Traps.txt lists \(place) twice.")
      entries[place] = Entry(count: count, isReachable: fields[3] == "yes", text: fields[4])
    }
    return entries
  }

  private func found() throws -> [Place: Int] {
    var counts: [Place: Int] = [:]
    for (name, source) in try sources(Self.folder) where !name.contains(".docc/") {
      for (function, count) in StopFinder(source).counts {
        counts[Place(file: name, function: function)] = count
      }
    }
    return counts
  }

  /// The Swift files below a folder, by their paths in it.
  private func sources(_ folder: URL) throws -> [(String, String)] {
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var sources: [(String, String)] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let name = String(file.path.dropFirst(folder.path.count + 1))
      sources.append((name, try String(contentsOf: file, encoding: .utf8)))
    }
    return sources
  }

  @Test func everyCallIsListed() throws {
    let listed = try listed()
    let found = try found()
    #expect(found.count > 100)
    for (place, count) in found.sorted(by: { "\($0.key)" < "\($1.key)" }) where listed[place]?.count != count
    {
      Issue.record(
        """
        \(place): \(count) calls end the process, and Documentation/Traps.txt lists \(listed[place]?.count ?? 0). Find out \
        whether a C program can reach them, have a function that throws check before, and write: \
        \(place) | \(count) | yes or no | the check, or why not
        """)
    }
    for place in listed.keys where found[place] == nil {
      Issue.record("\(place): nothing ends the process here: remove the line from Documentation/Traps.txt.")
    }
  }

  @Test func everyLineSaysWhy() throws {
    for (place, entry) in try listed() {
      #expect(entry.text.count >= 5, "\(place)")
      #expect(!entry.isReachable || entry.text.contains("`"), "\(place): which check answers before?")
    }
  }

  /// The checks that the table names, once the functions for bindings are complete.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: collections.path)))
  func everyNamedCheckExists() throws {
    let text = try sources(Repository.folder.appending(path: "Sources")).map(\.1).joined()
    for (place, entry) in try listed() where entry.isReachable {
      let quoted = entry.text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      for case (let number, let name) in quoted where number % 2 == 1 {
        let last = name.split(separator: ".").last ?? name
        let isDeclared = ["func ", "var ", "let ", "struct ", "class ", "enum "].contains { keyword in
          ["(", "<", ":", " "].contains { text.contains("\(keyword)\(last)\($0)") }
        }
        #expect(isDeclared, "\(place): there is no '\(name)'.")
      }
    }
  }

  @Test func callsAreFoundByFunction() {
    let finder = StopFinder(
      """
      struct Some {
        /// trap("in a comment")
        func first(
          _ number: Int
        ) -> Int {
          guard number > 0 else { trap("a") }
          func inner() { trap("b") }
          return stopping { try second() }
        }
        var value: Int { trap("c") }
        static func trap(_ message: String) {}
        @inline(never) public init<A>(a: A)
        where A: B {
          let result = trapping { a }
          entrap("no")
        }
      }
      func global() -> Never { stopDamaged(path: "", "") }
      """)
    #expect(finder.counts == ["first": 3, "value": 1, "init": 1, "global": 1])
  }
}
