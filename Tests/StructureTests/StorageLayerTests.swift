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
    ("tables", ["Writes", "Snapshots", "Damage", "Collections", "Changes", "Rules", "Transactions"]),
    ("the file as a whole", ["Space", "Opening", "Verification"]),
  ]

  /// Uses of a folder that comes later, as "a uses b". An exception that is gone must be deleted here.
  private static let known: Set<String> = []

  @Test func roomsOfStorageLieInLayers() throws {
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
}
