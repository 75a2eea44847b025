import SwiftRuntime
import Synchronization

/// Finds all model classes in the program.
enum ClassDiscovery {
  private static let cached = Mutex<[ObjectBase.Type]?>(nil)

  /// All classes that realms know by default. Stops the program when they cannot be found.
  static var classes: [ObjectBase.Type] {
    if let known = cached.withLock({ $0 }) { return known }
    guard let all = ProgramClasses.all() else {
      trap(
        "The classes of the program cannot be found with this version of Swift, as its symbols were stripped. List them in Realm.Configuration.objectTypes."
      )
    }
    let classes = all.compactMap { $0 as? ObjectBase.Type }
      .filter { !isOwnClass($0) && $0.shouldIncludeInDefaultSchema() }
      .sorted { _mangledTypeName($0) ?? "" < _mangledTypeName($1) ?? "" }
    cached.withLock { $0 = classes }
    return classes
  }

  /// Whether the class is one of this library, which has no properties.
  static func isOwnClass(_ type: ObjectBase.Type) -> Bool { nameOfOwnClass(type) != nil }

  /// The name of a class of this library in descriptions, which is that of the official SDK's class; nil for others.
  static func nameOfOwnClass(_ type: ObjectBase.Type) -> String? {
    if type == Object.self { return "RealmSwiftObject" }
    if type == EmbeddedObject.self { return "RealmSwiftEmbeddedObject" }
    if type == ObjectBase.self || type == RealmSwiftAsymmetricObject.self || type == DynamicObject.self {
      return ClassName.unqualified(of: type)
    }
    return nil
  }
}
