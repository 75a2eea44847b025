import Foundation
import TestSupport
import Testing

/// Folders of `Sources/RealmSwift` that use each other are one folder to whoever reads them: there shall be fewer, and no
/// new ones.
struct FolderGraphTests {
  /// What is there today. A pair that is gone goes from here too.
  private static let known: Set<String> = [
    "Adding <> Dynamic",
    "Adding <> Realm",
    "Collections <> Dynamic",
    "Collections <> Freezing",
    "Collections <> Objects",
    "Collections <> Properties",
    "Collections <> Queries",
    "Collections <> Realm",
    "Collections <> Schema",
    "Collections <> SwiftObservation",
    "Collections <> TypedQueries",
    "Collections <> Types",
    "Concurrency <> Opening",
    "Concurrency <> Realm",
    "Dynamic <> Objects",
    "Dynamic <> Realm",
    "Dynamic <> Schema",
    "Dynamic <> Types",
    "Freezing <> Projections",
    "Freezing <> Realm",
    "Freezing <> Sections",
    "Objects <> Properties",
    "Objects <> Realm",
    "Objects <> Schema",
    "Objects <> Types",
    "Observation <> Realm",
    "Observation <> Transactions",
    "Opening <> Realm",
    "Projections <> Sections",
    "Properties <> Realm",
    "Properties <> Schema",
    "Properties <> TypedQueries",
    "Properties <> Types",
    "Queries <> TypedQueries",
    "Realm <> Schema",
    "Realm <> SwiftObservation",
    "Realm <> Transactions",
  ]

  @Test func nobodyUsesWhoUsesHim() throws {
    let graph = try FolderGraph(target: Repository.folder.appending(path: "Sources/RealmSwift"))
    let pairs = graph.mutualPairs
    let count = graph.uses.count
    print("\(count) folders use others \(graph.edgeCount) times, each other in \(pairs.count) pairs:")
    for pair in pairs.sorted() { print("    \"\(pair)\",") }
    #expect(pairs.subtracting(Self.known).sorted() == [], "new pairs")
    #expect(Self.known.subtracting(pairs).sorted() == [], "pairs that are gone")
  }

  /// The way from bytes to objects has no such pairs.
  @Test func roomsOfOfficialFilesLieInLayers() throws {
    let graph = try FolderGraph(target: Repository.folder.appending(path: "Sources/OfficialFiles"))
    #expect(graph.edgeCount > 0)
    #expect(graph.mutualPairs.sorted() == [])
  }

  @Test func aScan() {
    let scan = SourceScan(
      Data(
        """
        /// A Comment with class Words.
        public final class Kept<Element>: Base { // and Another
          struct Inner {}
          let text = "class \\(value) Text \\" More"
        }
        extension Other { }
        @objc public protocol Listed: AnyObject {}
        func make() -> Made { Made() }
        """.utf8))
    #expect(scan.declarations == ["Kept", "Listed"])
    #expect(scan.words.isSuperset(of: ["Kept", "Element", "Base", "Inner", "Other", "Listed", "Made"]))
    #expect(scan.words.isDisjoint(with: ["Comment", "Words", "Another", "Text", "More", "value"]))
  }
}
