import Foundation

/// A folder for the files of one round, deleted with it.
final class ScratchFolder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("torture-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
