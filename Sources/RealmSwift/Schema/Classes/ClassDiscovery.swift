import SwiftRuntime
import Synchronization

/// Finds all model classes in the program.
enum ClassDiscovery {
  private static let cached = Mutex<[ObjectBase.Type]?>(nil)

  /// All classes that realms know by default. Stops the program when they can not be found.
  static var classes: [ObjectBase.Type] {
    if let known = cached.withLock({ $0 }) { return known }
    guard let all = ProgramClasses.all() else {
      trap(
        "The classes of the program can not be found with this version of Swift, as its symbols were stripped. List them in Realm.Configuration.objectTypes."
      )
    }
    let classes = all.compactMap { $0 as? ObjectBase.Type }
      .filter { !isOwnClass($0) && $0.shouldIncludeInDefaultSchema() }
      .sorted { _mangledTypeName($0) ?? "" < _mangledTypeName($1) ?? "" }
    cached.withLock { $0 = classes }
    return classes
  }

  /// The base classes of this library.
  static func isOwnClass(_ type: ObjectBase.Type) -> Bool {
    type == ObjectBase.self || type == RealmSwiftObject.self || type == RealmSwiftEmbeddedObject.self
      || type == RealmSwiftAsymmetricObject.self || type == DynamicObject.self
  }
}
