import Storage

/// What managed collections have in common, wherever their elements are: a realm, the type of their elements, links that
/// are checked, and messages.
class ManagedCollection {
  /// Kept alive by the collection, also after the object that it was read from is gone.
  final let realm: RealmCore
  final let source: _ElementSource
  final let kind: CollectionKind
  /// This collection when it is a column of its own. Used without counting references, its user holds the
  /// collection.
  private(set) final var storedReference: Unmanaged<StoredCollection>?
  // What links point to, for the check that is made for each one.
  private let targetState: UnsafeMutablePointer<TableState>?
  private let targetIsEmbedded: Bool

  init(realm: RealmCore, source: _ElementSource, kind: CollectionKind, isStored: Bool) {
    self.realm = realm
    self.source = source
    self.kind = kind
    targetState = source.classTable?.table.state
    targetIsEmbedded = source.classTable?.isEmbedded ?? false
    if isStored { storedReference = .passUnretained(unsafeDowncast(self, to: StoredCollection.self)) }
  }

  final var stored: StoredCollection? { storedReference?.takeUnretainedValue() }

  final func failOutsideWrite() -> Never {
    trap(.modifyingCollectionOutsideWrite(kind.noun))
  }

  /// The collection for messages, for example "List<Dog>".
  final var nameInMessages: String { "\(kind.noun)<\(source.classTable?.className ?? "\(source.type)")>" }

  /// Stops the program because the collection is gone.
  final func failInvalidated() -> Never {
    trap(
      "\(kind.noun) is no longer valid. Either the parent object was deleted or the containing Realm has been invalidated or closed."
    )
  }

  /// The stored form of an element that holds an object, which is added when it is in memory only.
  @inline(__always)
  final func link(to object: ObjectBase) -> StoredValue {
    if let targetState, object._state == targetState, object._row >= 0,
      object._stamp == targetState.pointee.vanishStamp, !targetIsEmbedded
    {
      return .link(table: targetState.pointee.number, row: object._row)
    }
    return linkSlowly(to: object)
  }

  @inline(never)
  private func linkSlowly(to object: ObjectBase) -> StoredValue {
    let target = source.classTable.unsafelyUnwrapped
    let table = target.table
    if object._isManaged {
      if target.isEmbedded { trap("Cannot add an existing managed embedded object to a \(kind.noun).") }
      if object._state == table.state {
        if !object._isAlive { trap(.addingInvalidated) }
        return .link(table: table.number, row: object._row)
      }
      guard object._realm === realm else { trap(.managedByAnotherRealm) }
      guard object._isAlive else { trap(.addingInvalidated) }
      failMismatch(object, target)
    }
    if !(type(of: object) == target.schema.type) { failMismatch(object, target) }
    let row = realm.add(object, policy: realm.updatePolicy, allowsEmbedded: true)
    return .link(table: table.number, row: row)
  }

  private func failMismatch(_ object: ObjectBase, _ target: ClassTable) -> Never {
    trap(
      "Object of type '\(object.classSchema.className)' does not match \(kind.objectiveCName) type '\(target.className)'."
    )
  }
}
