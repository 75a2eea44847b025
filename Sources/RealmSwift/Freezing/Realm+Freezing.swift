extension Realm {
  /// A copy of the realm that shows the present version for ever, and that any thread may read.
  ///
  /// Objects and collections that are read from it are frozen. As long as one of them lives, the file keeps that
  /// version. Freezing the same version twice gives the same frozen realm. Stops the program when the open write
  /// transaction has changed something.
  public func freeze() -> sending Realm {
    core.checkThread()
    core.commitStaged()
    if core.snapshot.hasChanges {
      trap("Cannot freeze a Realm with uncommitted changes.")
    }
    return unconfined(Realm(core.frozen()))
  }

  /// The live realm on the current thread, at the version that it shows; itself when it is live. Refresh it when the frozen
  /// one may be newer.
  public func thaw() -> Realm { Realm(core.thawed()) }

  /// A frozen copy of an object of the realm.
  public func freeze<T: ObjectBase>(_ obj: T) -> sending T {
    unconfined(unsafeDowncast(obj.frozenObject(), to: T.self))
  }

  /// The live object of a frozen one on the current thread; nil when it was deleted meanwhile.
  public func thaw<T: ObjectBase>(_ obj: T) -> T? {
    obj.thawedObject().map { unsafeDowncast($0, to: T.self) }
  }

  /// A frozen copy of a collection of the realm.
  public func freeze<Collection: RealmCollection>(_ collection: Collection) -> sending Collection {
    unconfined(collection.freeze())
  }
}
