import Storage

// From a live realm to a frozen one, and back.
extension RealmCore {
  /// The frozen realm of the present version; the same one each time, as long as it lives. While a write transaction
  /// is open, that of the version before it.
  func frozen() -> RealmCore {
    checkThread()
    if isFrozen { return self }
    wasUsed = true
    commitStaged()
    if let cacheIdentity, let known = RealmCache.frozen(cacheIdentity, of: self) { return known }
    do {
      let core = RealmCore(
        configuration: configuration, file: file, snapshot: try Snapshot(sharing: snapshot, letsGo: true),
        schemas: schemas, confinement: .anywhere, openedAt: openedAt, isFrozen: true)
      // Before other threads can read there.
      if numbered != nil { _ = core.numberedCatalogue() }
      return cacheIdentity.map { RealmCache.insertFrozen(core, $0) } ?? core
    } catch {
      trap("Could not freeze the Realm: \(error.message)")
    }
  }

  /// The live realm here, at the version that it shows.
  func thawed() -> RealmCore {
    checkThread()
    if !isFrozen { return self }
    do {
      return try liveHere()
    } catch {
      trap("Could not open the Realm: \(error.localizedDescription)")
    }
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
