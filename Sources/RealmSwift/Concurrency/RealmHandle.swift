/// Finds a live realm again without keeping it alive, from any thread.
struct RealmHandle: Sendable {
  let identity: RealmIdentity
  /// The realm's number, which no other realm of the process has.
  let number: UInt64
  let confinement: Confinement

  /// Runs work where the realm may be used, some time later and in the order of the calls. It is dropped when the
  /// realm is gone by then.
  func scheduled(_ work: @escaping @Sendable (RealmCore) -> Void) {
    confinement.schedule(for: number) {
      if let core = RealmCache.realm(identity, number: number) { work(core) }
    }
  }
}

extension RealmCore {
  /// What finds the realm again; nil for one that is not in the cache.
  var handle: RealmHandle? {
    cacheIdentity.map { RealmHandle(identity: $0, number: number, confinement: confinement) }
  }

  /// Runs work where the realm may be used, some time later and in the order of the calls.
  ///
  /// - Parameter keepingAlive: Whether the realm stays open until then. Otherwise the work is dropped when it is
  ///   gone by then.
  func scheduled(keepingAlive: Bool = false, _ work: @escaping @Sendable (RealmCore) -> Void) {
    if keepingAlive {
      // Used again only where it is confined to.
      nonisolated(unsafe) let core = self
      confinement.schedule { work(core) }
    } else {
      handle?.scheduled(work)
    }
  }
}
