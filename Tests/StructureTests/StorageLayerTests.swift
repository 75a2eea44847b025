import Foundation
import TestSupport
import Testing

/// The folders of `Sources/Storage` lie in layers, each of which is made of what is below it.
struct StorageLayerTests {
  /// The layers from bottom to top, each with its folders from bottom to top. A folder uses only those before it, also within its
  /// layer.
  private static let layers: [(name: String, folders: [String])] = [
    ("foundations", ["Values", "Containers", "Threads", "Text"]),
    ("pages", ["Entries", "Locations", "Processes", "Versions", "Files"]),
    ("columns", ["Chunks", "Schema", "Indexes"]),
    ("tables", ["Writes", "Snapshots", "Damage", "Collections", "Changes", "Rows", "Rules", "Transactions"]),
    ("the file as a whole", ["Space", "Opening", "Verification"]),
  ]

  /// Uses of a folder that comes later, as "a uses b". An exception that is gone must be deleted here.
  private static let known: Set<String> = []

  @Test func foldersOfStorageLieInLayers() throws {
    let graph = try FolderGraph(target: Repository.folder.appending(path: "Sources/Storage"))
    let order = Self.layers.flatMap(\.folders)
    #expect(graph.uses.keys.sorted() == order.sorted(), "each folder is in one layer")
    var upward: Set<String> = []
    for (index, folder) in order.enumerated() {
      for later in order[(index + 1)...] where graph.uses[folder]?.contains(later) == true {
        upward.insert("\(folder) uses \(later)")
      }
    }
    print("\(order.count) folders use others \(graph.edgeCount) times, later ones \(upward.count) times")
    #expect(upward.subtracting(Self.known).sorted() == [], "new uses of a later folder")
    #expect(Self.known.subtracting(upward).sorted() == [], "exceptions that are gone")
  }

  /// The folders that write. Those before them cannot, because `Writer` is declared in the first of these.
  private static let writing = ["Rows", "Rules", "Transactions"]

  /// A `Snapshot` reads: what begins, changes, commits or cancels a write transaction is a member of `Writer`, or of `Table`.
  @Test func foldersThatWriteExtendTheWriterInsteadOfTheSnapshot() throws {
    var extended: [String: Set<String>] = [:]
    for folder in Self.writing {
      let url = Repository.folder.appending(path: "Sources/Storage/\(folder)")
      for file in try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil) {
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
          guard let type = line.firstMatch(of: /^(?:\w+ )*extension (\w+)/)?.1 else { continue }
          extended[String(type), default: []].insert("\(folder)/\(file.lastPathComponent)")
        }
      }
    }
    #expect(extended["Snapshot", default: []].sorted() == [], "files that let a snapshot write")
    #expect(!extended["Writer", default: []].isEmpty)
  }

  /// Only transactions begin and end; a snapshot that is released ends its own.
  @Test func onlyTheFolderOfTransactionsBeginsAndEndsThem() throws {
    let folder = Repository.folder.appending(path: "Sources/Storage")
    var found: Set<String> = []
    for case let url as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)!
    where url.pathExtension == "swift" {
      let text = try String(contentsOf: url, encoding: .utf8)
      if text.contains(/session\.(setTransaction\(|staged!?(\.\w+)? = )/) {
        let name = url.lastPathComponent
        found.insert(url.deletingLastPathComponent().lastPathComponent + "/" + name)
      }
    }
    #expect(
      found == ["Snapshots/Snapshot.swift", "Transactions/BeginAndEnd.swift", "Transactions/Staging.swift"])
  }
}
