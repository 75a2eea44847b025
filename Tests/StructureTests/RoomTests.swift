import Foundation
import TestSupport
import Testing

/// Whoever looks for the tests of a room finds them in the folder of its name.
struct RoomTests {
  /// Suites of the whole.
  private static let whole: Set<String> = [
    "Cities", "Conversion", "Depth", "Documentation", "FileBuilder", "Model", "Mutants", "RoundTrip",
    "Samples",
  ]
  /// Rooms without a folder of tests: tested by all others, or by those who use them, or compiled elsewhere only.
  private static let untested: Set<String> = ["Expressions", "LinkFilters", "Publishers", "ThreadSanitizer"]

  @Test(arguments: ["Storage", "QueryEngine", "OfficialFiles", "RealmSwift", "RealmTool"])
  func testsMirrorTheSources(
    layer: String
  ) throws {
    let rooms = try folders("Sources/\(layer)").subtracting(Self.untested)
    let tests = try folders("Tests/\(layer)Tests").subtracting(Self.whole.subtracting(rooms))
    #expect(rooms.subtracting(tests).sorted() == [], "rooms without tests")
    #expect(tests.subtracting(rooms).sorted() == [], "tests of no room")
  }

  private func folders(_ path: String) throws -> Set<String> {
    let content = try FileManager.default.contentsOfDirectory(
      at: Repository.folder.appending(path: path), includingPropertiesForKeys: [.isDirectoryKey])
    return try Set(
      content.filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
        // A catalogue of documentation is no room.
        .filter { $0.pathExtension.isEmpty }.map(\.lastPathComponent))
  }
}
