import Synchronization

/// What a class of projections shows, found once by looking at one of them.
final class ProjectionSchema: @unchecked Sendable {
  /// A property with `@Projected`.
  struct Property {
    let label: String
    let keyPath: AnyKeyPath
    /// The dotted names of the root object's properties that the key path reads.
    let origin: String
  }

  let properties: [Property]

  // Key paths are values that never change.
  private static let known = Mutex<[ObjectIdentifier: ProjectionSchema]>([:])

  /// Stops the program when a projected property is not part of the root object.
  static func check<Root>(_ projection: Projection<Root>) { _ = of(projection) }

  static func of<Root>(_ projection: Projection<Root>) -> ProjectionSchema {
    let type = type(of: projection)
    if let schema = known.withLock({ $0[ObjectIdentifier(type)] }) { return schema }
    // Made without the lock: reading computed properties runs code of the classes, which may need other projections.
    let schema = ProjectionSchema(projection)
    return known.withLock { schemas in
      if let other = schemas[ObjectIdentifier(type)] { return other }
      schemas[ObjectIdentifier(type)] = schema
      return schema
    }
  }

  private init<Root>(_ projection: Projection<Root>) {
    let base = UnsafeRawPointer(Unmanaged.passUnretained(projection).toOpaque())
    properties = ReflectedField.all(of: type(of: projection)).compactMap { field in
      guard let projected = field.type as? any AnyProjected.Type else { return nil }
      // The wrapper of `name` is stored as `_name`.
      let label = String(field.name.dropFirst())
      let keyPath = projected.keyPath(at: base + field.offset)
      let origin = KeyPathRecorder.name(of: keyPath, from: Root.self)
      if origin.isEmpty { trap("@Projected property '\(label)' must be a part of Realm object") }
      return Property(label: label, keyPath: keyPath, origin: origin)
    }
  }
}
