public import Dispatch
import Foundation

/// A changed property of a projection. Present for source compatibility: observers get `PropertyChange`.
@frozen public struct ProjectedPropertyChange {
  /// The name of the property.
  public let name: String
  /// The previous value.
  public let oldValue: Any?
  /// The new value.
  public let newValue: Any?
}

extension ProjectionObservable {
  /// Calls a block after each transaction that writes projected properties, and when the root object is
  /// deleted.
  ///
  /// The block is called on the thread, queue or actor of the root object until the token is invalidated or
  /// released. Changes have the names and values of the projected properties. A projected property is changed
  /// if the property of the root object that its key path begins with was written, or the part of it that is
  /// projected.
  ///
  /// Stops the program in the cases in which observing an object does.
  ///
  /// - Parameters:
  ///   - keyPaths: The observed properties of the root object, which can follow links; nil or an empty array
  ///     for all that are projected. Names that are not projected are ignored.
  ///   - queue: A serial queue on which the block is called, with the projection of the object of that queue.
  ///   - block: A block that is called with each change.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let realm = managingRealm
    if let queue {
      realm.checkFollowable()
      return _observe(on: queue, realm) { $0.observer($1, keyPaths, block) }
    }
    realm.checkObservable()
    return realm.begin(observer(realm, keyPaths, block))
  }

  /// Calls a block after each transaction that writes some projected properties, and when the root object is
  /// deleted. Takes key paths instead of names of properties.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { Self.originName(of: $0) }, on: queue, block)
  }

  /// Calls a block that is isolated to an actor after each transaction that writes projected properties, and
  /// when the root object is deleted. The rules are those of other objects.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    let realm = managingRealm
    realm.checkFollowable()
    return await _observe(on: actor, realm) { projection, realm in
      projection.observer(realm, keyPaths) { actor._call(block, $0) }
    }
  }

  /// Calls a block that is isolated to an actor after each transaction that writes some projected properties.
  /// Takes key paths instead of names of properties.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { Self.originName(of: $0) }, on: actor, block)
  }

  /// The realm of the root object. Stops the program when there is none, or the object is gone.
  var managingRealm: RealmCore {
    guard rootObject._isManaged, let realm = rootObject._realm else {
      trap("Only objects which are managed by a Realm support change notifications")
    }
    if !rootObject._isAlive { trap(.objectInvalidated) }
    return realm
  }

  func observer(
    _ realm: RealmCore, _ keyPaths: [String]?, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> any Observer {
    let root = rootObject
    var observed = ProjectionSchema.of(self, Root.self).properties
    if let keyPaths, !keyPaths.isEmpty { observed.removeAll { !keyPaths.contains($0.origin) } }
    let paths = realm.observedPaths(Set(observed.flatMap(\.paths)), table: root._table.number)
    return ObjectObserver(root, realm, .paths(paths)) { changes in
      guard let changes else { return block(.deleted) }
      let projected = ProjectedChanges(changes, of: root, observed).changes
      if !projected.isEmpty { block(.change(self, projected)) }
    }
  }
}

/// The changes of a root object as those of projected properties.
private struct ProjectedChanges {
  private(set) var changes: [PropertyChange] = []

  init(_ changes: [PropertyChange], of root: ObjectBase, _ properties: [ProjectionSchema.Property]) {
    // The object as it was, as far as that is known.
    let old = type(of: root).init()
    var olds: Set<String> = []
    for change in changes {
      guard let value = change.oldValue, !(value is ObjectBase) else { continue }
      olds.insert(change.name)
      old.setValue(UnconvertedValue(value), forKey: change.name)
    }
    for property in properties {
      let change = changes.first { change in property.paths.contains { Self.first(of: $0) == change.name } }
      guard let change else { continue }
      self.changes.append(
        PropertyChange(
          name: property.label,
          oldValue: olds.contains(change.name)
            ? Self.value(of: old, property) : property.paths == [change.name] ? change.oldValue : nil,
          newValue: Self.value(of: root, property)))
    }
  }

  private static func first(of path: String) -> String {
    path.firstIndex(of: ".").map { String(path[..<$0]) } ?? path
  }

  private static func value(of object: ObjectBase, _ property: ProjectionSchema.Property) -> Any? {
    object.unconvertedValue(atPaths: property.paths, stopping: true)
      ?? object[keyPath: property.keyPath].flatMap { Coercion.unwrap($0) }
  }
}
