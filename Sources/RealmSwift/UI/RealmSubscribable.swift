/// A type that the property wrappers can observe: objects, collections and projections.
public protocol RealmSubscribable {
  /// Calls a block after each transaction that changes it.
  func _rlmSubscribe(keyPaths: [String]?, _ changed: @escaping () -> Void) -> NotificationToken
}

extension RealmSubscribable where Self: ObjectBase & ThreadConfined {
  /// For `RealmSubscribable`: calls a block after each transaction that changes this.
  public func _rlmSubscribe(keyPaths: [String]?, _ changed: @escaping () -> Void) -> NotificationToken {
    _observe(keyPaths: keyPaths, on: nil) { (_: ObjectChange<ObjectBase>) in changed() }
  }
}

extension Object: RealmSubscribable {}
extension EmbeddedObject: RealmSubscribable {}

extension RealmSubscribable where Self: RealmCollection {
  /// For `RealmSubscribable`: calls a block after each transaction that changes this.
  public func _rlmSubscribe(keyPaths: [String]?, _ changed: @escaping () -> Void) -> NotificationToken {
    realm?.core.commitStaged()
    let version = realm?.core.snapshot.version
    return observe(keyPaths: keyPaths) { change in
      // The first call tells of a change only when something was written before it.
      if case .initial(let collection) = change, collection.realm?.core.snapshot.version == version { return }
      changed()
    }
  }
}

extension List: RealmSubscribable {}
extension MutableSet: RealmSubscribable {}
extension Results: RealmSubscribable {}
extension LinkingObjects: RealmSubscribable {}
extension AnyRealmCollection: RealmSubscribable {}

extension Map: RealmSubscribable {
  /// For `RealmSubscribable`: calls a block after each transaction that changes this.
  public func _rlmSubscribe(keyPaths: [String]?, _ changed: @escaping () -> Void) -> NotificationToken {
    realm?.core.commitStaged()
    let version = realm?.core.snapshot.version
    return observe(keyPaths: keyPaths) { change in
      if case .initial(let map) = change, map.realm?.core.snapshot.version == version { return }
      changed()
    }
  }
}

extension Projection: RealmSubscribable {
  /// For `RealmSubscribable`: calls a block after each transaction that changes this.
  public func _rlmSubscribe(keyPaths: [String]?, _ changed: @escaping () -> Void) -> NotificationToken {
    observe(keyPaths: keyPaths) { _ in changed() }
  }
}
