extension ObjectBase {
  /// Whether the object is of a frozen realm, which never changes.
  public final var isFrozen: Bool { _realm?.isFrozen ?? false }

  func frozenObject() -> ObjectBase {
    guard let realm = _realm else { trap("Unmanaged objects cannot be frozen.") }
    guard _isAlive else {
      realm.checkThread(classSchema.className)
      trap(.objectInvalidated)
    }
    if realm.isFrozen { return self }
    _checkAccess()
    let location = ObjectLocation(self)
    return realm.freeze { $0.object(at: location) }
  }

  func thawedObject() -> ObjectBase? {
    guard let realm = _realm else { trap("Unmanaged objects cannot be thawed.") }
    if !realm.isFrozen {
      realm.checkThread(classSchema.className)
      return _isAlive ? self : nil
    }
    let location = ObjectLocation(self)
    return realm.thawed().object(at: location)
  }

  /// For `ThreadConfined`: what finds the same in another realm of the file.
  public final var _rlmRelocation: _Relocation {
    if !_isManaged { _Relocation.failUnmanaged() }
    let location = ObjectLocation(self)
    return _Relocation(find: { $0.object(at: location) }, row: (location.table, location.row))
  }
}

extension Object: ThreadConfined {
  /// A copy of the object that never changes and can be read on any thread. Costs no more than reading it.
  ///
  ///     let frozen = dog.freeze()
  ///     Task.detached { print(frozen.name) }
  ///
  /// Links and collections that are read from it are frozen as well. As long as one lives, the file keeps the
  /// version that it shows. Stops the program for an object that is in memory only or was deleted, and for one that
  /// was added in the open write transaction.
  public func freeze() -> sending Self { unconfined(unsafeDowncast(frozenObject(), to: Self.self)) }

  /// The live object of a frozen one on the current thread; nil when it was deleted meanwhile.
  ///
  /// Opens the realm here when it is not open, and does not refresh it when it is: nil, too, when it shows a version in
  /// which the object is not there yet. Stops the program for an object that is in memory only.
  public func thaw() -> Self? { thawedObject().map { unsafeDowncast($0, to: Self.self) } }
}

extension EmbeddedObject: ThreadConfined {
  /// A copy of the object that never changes and can be read on any thread, as for `Object`.
  public func freeze() -> sending Self { unconfined(unsafeDowncast(frozenObject(), to: Self.self)) }

  /// The live object of a frozen one on the current thread; nil when it was deleted meanwhile, or is in memory only.
  public func thaw() -> Self? {
    _isManaged ? thawedObject().map { unsafeDowncast($0, to: Self.self) } : nil
  }
}
