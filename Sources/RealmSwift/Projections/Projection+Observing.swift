import Dispatch
import Foundation

/// One property of a projection that has changed. Exists for source compatibility: observers get `PropertyChange`.
@frozen public struct ProjectedPropertyChange {
  /// The property.
  public let name: String
  /// The value before.
  public let oldValue: Any?
  /// The value now.
  public let newValue: Any?
}

extension ProjectionObservable {
  /// Calls a block after each transaction that writes what is projected, and when the root object is deleted.
  ///
  /// The block is called where the root object belongs, until the token is invalidated or released. Changes have the
  /// names and the values of the projected properties. One counts as changed when the property of the root object
  /// that its key path begins with was written, or what of it is projected.
  ///
  /// Stops the program where objects can not be observed.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the root object, over links, that count; nil or none for all that are projected.
  ///     Names that are not projected are left out.
  ///   - queue: A serial queue to call the block on, with the projection of the object as that queue's realm has it.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let root = rootObject
    guard root._isManaged, let realm = root._realm else {
      trap("Only objects which are managed by a Realm support change notifications")
    }
    realm.checkObservable()
    if !root._isAlive { trap(.objectInvalidated) }
    var observed = ProjectionSchema.of(self, Root.self).properties
    if let keyPaths, !keyPaths.isEmpty { observed.removeAll { !keyPaths.contains($0.origin) } }
    let paths = realm.observedPaths(Set(observed.flatMap(\.paths)), table: root._table.number)
    return realm.begin(
      ObjectObserver(root, realm, .paths(paths)) { changes in
        guard let changes else { return block(.deleted) }
        let projected = ProjectedChanges(changes, of: root, observed).changes
        if !projected.isEmpty { block(.change(self, projected)) }
      })
  }

  /// Calls a block after each transaction that writes some of what is projected, and when the root object is deleted.
  ///
  /// The same as with names of the root object's properties.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { Self.originName(of: $0) }, on: queue, block)
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
      old.setValue(value, forKey: change.name)
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
    object[keyPath: property.keyPath].flatMap { Coercion.unwrap($0) }
  }
}
