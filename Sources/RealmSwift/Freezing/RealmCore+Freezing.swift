import Storage

// From a live realm to a frozen one, and back.
extension RealmCore {
  /// The frozen realm of the present version; the same one each time, as long as it lives. While a write transaction
  /// is open, that of the version before it.
  func frozen() -> RealmCore {
    do {
      return try frozenOrThrow()
    } catch let error as ProgrammerError {
      trap(error)
    } catch {
      trap("Could not freeze the Realm: \(error.localizedDescription)")
    }
  }

  /// The frozen realm of the present version, as `frozen` returns it.
  ///
  /// - Throws: `ProgrammerError` if the realm cannot be used here; `Realm.Error` if no reader can be registered.
  func frozenOrThrow() throws -> RealmCore {
    try checkUsable()
    if isFrozen { return self }
    wasUsed = true
    commitStaged()
    if let cacheIdentity, let known = RealmCache.frozen(cacheIdentity, of: self) { return known }
    let shared: Snapshot
    do { shared = try Snapshot(sharing: snapshot) } catch { throw Realm.Error(error) }
    let core = RealmCore(
      configuration: configuration, file: file, snapshot: shared, schemas: schemas, confinement: .anywhere,
      openedAt: openedAt, isFrozen: true)
    // Before other threads can read there.
    if numbered != nil { _ = core.numberedCatalogue() }
    return cacheIdentity.map { RealmCache.insertFrozen(core, $0) } ?? core
  }

  /// Throws when the open write transaction has changed something, so that the present state has no version.
  func checkFreezable() throws(ProgrammerError) {
    try checkUsable()
    commitStaged()
    if snapshot.hasChanges { throw .uncommittedChanges }
  }

  /// The live realm here, at the version that it shows.
  func thawed() -> RealmCore {
    do {
      return try thawedOrThrow()
    } catch let error as ProgrammerError {
      trap(error)
    } catch {
      trap("Could not open the Realm: \(error.localizedDescription)")
    }
  }

  /// The live realm here, at the version that it shows.
  ///
  /// - Throws: `ProgrammerError` if the realm cannot be used here; `Realm.Error` if the live one cannot be opened.
  func thawedOrThrow() throws -> RealmCore {
    try checkUsable()
    return isFrozen ? try liveHere() : self
  }

  private func liveHere() throws -> RealmCore {
    // By what it is, as the file may have been moved meanwhile.
    if let cacheIdentity, let live = try RealmCache.find(cacheIdentity, configuration, at: .current) {
      return live
    }
    return try Opening.open(configuration, at: .current, from: openedAt)
  }

  /// Something of this realm in its frozen counterpart. Stops the program when it is not in the version before an
  /// open write transaction.
  func freeze<Value>(_ find: (RealmCore) -> Value?) -> Value {
    guard let frozen = find(frozen()) else {
      trap("Cannot freeze an object in the same write transaction as it was created in.")
    }
    return frozen
  }
}
