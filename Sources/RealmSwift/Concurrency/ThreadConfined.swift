import Storage

/// What belongs to a realm, and with it to one thread, queue or actor. Only the library's own types can be handed
/// over to others.
public protocol ThreadConfined {
  /// The realm that manages it; nil for what is in memory only.
  var realm: Realm? { get }
  /// Whether it can not be used any more, because its row was deleted or its realm invalidated.
  var isInvalidated: Bool { get }
  /// Whether it is of a frozen realm, which never changes, so that any thread may read it.
  var isFrozen: Bool { get }
  /// The same in a frozen realm of the same version; itself when it is frozen already.
  func freeze() -> Self
  /// The same in the live realm of the current thread; itself when it is live already, and nil when it is not there
  /// any more.
  func thaw() -> Self?
  /// What finds it again in another realm of the same file.
  var _rlmRelocation: _Relocation { get }
}

extension ThreadConfined {
  /// Stops the program: only the library's own types can be handed over.
  public var _rlmRelocation: _Relocation {
    trap("Illegal custom conformance to `RLMThreadConfined` by `\(Self.self)`")
  }
}

/// Finds something again in another realm of the same file. It holds no realm itself.
public struct _Relocation: @unchecked Sendable {
  /// What it stands for in a realm; nil when it is not there. It captures only what any thread may read.
  let find: (RealmCore) -> Any?
  /// The row without which it is not there.
  var row: (table: Int, row: Int)?
  /// Whether it is a query on what belongs to that row.
  var isQuery = false

  /// Stops the program: what is in memory only needs no reference.
  static func failUnmanaged() -> Never {
    trap("Cannot construct reference to unmanaged object, which can be passed across threads directly")
  }
}

extension RealmCore {
  /// The frozen realm of the present version; the same one each time, as long as it lives. While a write transaction
  /// is open, that of the version before it.
  func frozen() -> RealmCore {
    checkThread()
    if isFrozen { return self }
    commitStaged()
    if let cacheIdentity, let known = RealmCache.frozen(cacheIdentity, of: self) { return known }
    do {
      let core = RealmCore(
        configuration: configuration, file: file, snapshot: try Snapshot(sharing: snapshot),
        schemas: schemas, confinement: .anywhere, openedAt: openedAt, isFrozen: true)
      return cacheIdentity.map { RealmCache.insertFrozen(core, $0) } ?? core
    } catch {
      trap("Could not freeze the Realm: \(error.message)")
    }
  }

  /// The live realm here that shows the version of a frozen one, or a later one.
  func thawed() -> RealmCore {
    checkThread()
    if !isFrozen { return self }
    do {
      let core = try liveHere()
      core.advance(atLeastTo: snapshot.version)
      return core
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
}

extension RealmCore {
  /// Something of this realm in its frozen counterpart. Stops the program when it is not in the version before an
  /// open write transaction.
  func freeze<Value>(_ find: (RealmCore) -> Value?) -> Value {
    guard let frozen = find(frozen()) else {
      trap("Cannot freeze an object in the same write transaction as it was created in.")
    }
    return frozen
  }
}
