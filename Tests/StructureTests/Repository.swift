import Foundation
import TestSupport

/// What was built from the sources of this program.
extension Repository {
  /// The folder of the tests, which are an image of this process.
  static let products: URL? = {
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    var images = maps.split(separator: "\n").filter { $0.hasSuffix(".xctest") }
      .map { String($0[$0.firstIndex(of: "/")!...]) }
    // The tests are mostly the program itself.
    if let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      images.insert(program, at: 0)
    }
    return images.lazy.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
      .first {
        FileManager.default.fileExists(atPath: $0.appending(path: "Modules/RealmSwift.swiftmodule").path)
      }
  }()
}
