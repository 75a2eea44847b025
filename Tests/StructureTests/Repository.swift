import Foundation
import TestSupport

/// What was built from the sources of this program.
extension Repository {
  /// The folder of the tests.
  static let products = BuiltProducts.find("Modules/RealmSwift.swiftmodule")?.deletingLastPathComponent()
    .deletingLastPathComponent()
}
