import Storage
import SwiftRuntime
import Synchronization

/// What a class of projections shows, found once by looking at one of them.
final class ProjectionSchema: @unchecked Sendable {
  /// A property with `@Projected`.
  struct Property {
    let label: String
    let keyPath: AnyKeyPath
    /// The dotted names of the root object's properties that the key path reads.
    let origin: String
    /// The key path as one path for each property that is read from the root object.
    let paths: [String]
  }

  let properties: [Property]

  // Key paths are values that never change.
  private static let known = Mutex(NumberTable<ProjectionSchema>())

  /// Stops the program when a projected property is not part of the root object.
  static func check<Root>(_ projection: Projection<Root>) { _ = of(projection, Root.self) }

  static func of<Root: ObjectBase>(_ projection: AnyObject, _: Root.Type) -> ProjectionSchema {
    let type: AnyClass = type(of: projection)
    if let schema = known.withLock({ $0[ObjectIdentifier(type)] }) { return schema }
    // Made without the lock: reading computed properties runs code of the classes, which may need other projections.
    let schema = ProjectionSchema(projection, Root.self)
    return known.withLock { schemas in
      if let other = schemas[ObjectIdentifier(type)] { return other }
      schemas[ObjectIdentifier(type)] = schema
      return schema
    }
  }

  private init<Root: ObjectBase>(_ projection: AnyObject, _: Root.Type) {
    properties = StoredField.all(of: projection).compactMap { field in
      guard field.type is any AnyProjected.Type,
        let projected = field.value(in: projection) as? any AnyProjected
      else { return nil }
      // The wrapper of `name` is stored as `_name`.
      let label = String(field.name.dropFirst())
      let keyPath = projected.anyKeyPath
      let origin = KeyPathRecorder.name(of: keyPath, from: Root.self)
      if origin.isEmpty { trap("@Projected property '\(label)' must be a part of Realm object") }
      let paths = KeyPathRecorder.paths(of: keyPath, from: Root.self)
      return Property(label: label, keyPath: keyPath, origin: origin, paths: paths)
    }
  }
}
