extension Realm {
  /// Returns a frozen realm that shows the current version permanently and can be read on any thread.
  ///
  /// ```swift
  /// let frozen = realm.freeze()
  /// Task.detached { print(frozen.objects(Hut.self).count) }
  /// ```
  ///
  /// Objects and collections read from it are frozen. While one of them exists, the file keeps that version.
  /// Freezing the same version twice returns the same frozen realm. Stops the program if the open write
  /// transaction has changed anything.
  public func freeze() -> sending Realm {
    stopping { () throws(ProgrammerError) in try core.checkFreezable() }
    return unconfined(Realm(core.frozen()))
  }

  /// Returns the live realm on the current thread at the version that it shows, or this realm if it is live.
  /// Refresh the result if the frozen realm may be newer.
  public func thaw() -> Realm { Realm(core.thawed()) }

  /// Returns a frozen copy of an object of the realm.
  public func freeze<T: ObjectBase>(_ obj: T) -> sending T {
    unconfined(unsafeDowncast(obj.frozenObject(), to: T.self))
  }

  /// Returns the live object of a frozen one on the current thread, or nil if it was deleted.
  public func thaw<T: ObjectBase>(_ obj: T) -> T? {
    obj.thawedObject().map { unsafeDowncast($0, to: T.self) }
  }

  /// Returns a frozen copy of a collection of the realm.
  public func freeze<Collection: RealmCollection>(_ collection: Collection) -> sending Collection {
    unconfined(collection.freeze())
  }
}
