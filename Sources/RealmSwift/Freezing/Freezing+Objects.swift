extension ObjectBase {
  /// Whether the object belongs to a frozen realm and never changes.
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
  /// Returns a frozen copy of the object, which never changes and can be read on any thread. Costs as much as
  /// reading the object once.
  ///
  /// ```swift
  /// let frozen = hut.freeze()
  /// Task.detached { print(frozen.name) }
  /// ```
  ///
  /// Links and collections read from a frozen object are frozen as well. While a frozen object exists, the
  /// file keeps the version that it shows. Stops the program if the object is unmanaged, was deleted, or was
  /// added in the open write transaction.
  public func freeze() -> sending Self { unconfined(unsafeDowncast(frozenObject(), to: Self.self)) }

  /// Returns the live object of a frozen one on the current thread, or nil if it was deleted.
  ///
  /// ```swift
  /// let live = frozen.thaw()
  /// try realm.write { live?.beds += 1 }
  /// ```
  ///
  /// Opens the realm on the current thread if it is not open there, and does not refresh it if it is. The
  /// result is also nil if that realm shows a version in which the object does not exist yet. Stops the
  /// program if the object is unmanaged.
  public func thaw() -> Self? { thawedObject().map { unsafeDowncast($0, to: Self.self) } }
}

extension EmbeddedObject: ThreadConfined {
  /// Returns a frozen copy of the object, as for ``Object/freeze()``.
  public func freeze() -> sending Self { unconfined(unsafeDowncast(frozenObject(), to: Self.self)) }

  /// Returns the live object of a frozen one on the current thread, or nil if it was deleted or is unmanaged.
  public func thaw() -> Self? {
    _isManaged ? thawedObject().map { unsafeDowncast($0, to: Self.self) } : nil
  }
}
