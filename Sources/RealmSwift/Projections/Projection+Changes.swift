extension ProjectionObservable {
  /// The changes of what is projected, until the root object is deleted.
  public var changes: ChangeSequence<ObjectChange<Self>> { changes(keyPaths: nil) }

  /// Returns the changes of some of what is projected, until the root object is deleted.
  ///
  /// Stops the program when the root object is in memory or of a frozen or read-only realm.
  public func changes(keyPaths: [String]?) -> ChangeSequence<ObjectChange<Self>> {
    _changes(followableRealm) { found, core, give in
      found.observer(core, keyPaths) { change in
        switch change {
        case .change(_, let properties): give(.change(found.freeze(), properties.map { $0.frozen() }))
        case .deleted, .error: give(.deleted)
        }
      }
    }
  }

  /// Returns the changes of some of what is projected, until the root object is deleted.
  public func changes(keyPaths: [PartialKeyPath<Self>]) -> ChangeSequence<ObjectChange<Self>> {
    changes(keyPaths: keyPaths.map { Self.originName(of: $0) })
  }

  /// Returns a Sendable sequence of the program's own values, which a closure makes from the projection: first from the
  /// projection as it is, then after each change of what is projected, until the root object is deleted.
  ///
  /// The closure runs as that of collections does. Stops the program when the root object is in memory or of a frozen or
  /// read-only realm.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the root object, over links, whose changes count; nil or none for all that are
  ///     projected. Names that are not projected are left out.
  ///   - transform: Makes a value from the projection. It reads what the feed needs and writes nothing.
  public func changes<Value: Sendable>(
    keyPaths: [String]? = nil, map transform: @escaping @Sendable (Self) -> Value
  ) -> ChangeSequence<Value> {
    _changes(followableRealm) { found, core, give in
      give(transform(found))
      return found.observer(core, keyPaths) { change in
        if case .change = change { give(transform(found)) }
      }
    }
  }

  /// Returns a Sendable sequence of the program's own values, which a closure makes from the projection: first from the
  /// projection as it is, then after each change of some of what is projected, until the root object is deleted.
  ///
  /// - Parameters:
  ///   - keyPaths: The projected properties whose changes count; none for all.
  ///   - transform: Makes a value from the projection. It reads what the feed needs and writes nothing.
  public func changes<Value: Sendable>(
    keyPaths: [PartialKeyPath<Self>], map transform: @escaping @Sendable (Self) -> Value
  ) -> ChangeSequence<Value> {
    changes(keyPaths: keyPaths.map { Self.originName(of: $0) }, map: transform)
  }

  /// The realm of the root object. Stops the program unless the root object can change.
  private var followableRealm: RealmCore {
    let realm = managingRealm
    realm.checkFollowable()
    return realm
  }
}
