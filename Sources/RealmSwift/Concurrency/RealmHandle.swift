/// Finds a live realm again without keeping it alive, from any thread.
struct RealmHandle: Sendable {
  let identity: RealmIdentity
  /// The realm's number, which no other realm of the process has.
  let number: UInt64
  let confinement: Confinement

  /// Runs work where the realm may be used, some time later and in the order of the calls. It is dropped when the
  /// realm is gone by then.
  ///
  /// - Parameter otherwise: Called instead, on any thread, if no thread can use the realm any more.
  func scheduled(
    otherwise: (@Sendable (RealmCore) -> Void)? = nil, _ work: @escaping @Sendable (RealmCore) -> Void
  ) {
    var dropped: (@Sendable () -> Void)?
    if let otherwise { dropped = { find(otherwise) } }
    confinement.schedule(for: number, otherwise: dropped) { find(work) }
  }

  private func find(_ work: (RealmCore) -> Void) {
    if let core = RealmCache.realm(identity, number: number) { work(core) }
  }
}

extension RealmCore {
  /// What finds the realm again; nil for one that is not in the cache.
  var handle: RealmHandle? {
    cacheIdentity.map { RealmHandle(identity: $0, number: number, confinement: confinement) }
  }

  /// Runs work where the realm may be used, some time later and in the order of the calls.
  ///
  /// - Parameters:
  ///   - keepingAlive: Whether the realm stays open until then. Otherwise the work is dropped when it is gone by then.
  ///   - otherwise: Called instead, on any thread, if no thread can use the realm any more.
  func scheduled(
    keepingAlive: Bool = false, otherwise: (@Sendable (RealmCore) -> Void)? = nil,
    _ work: @escaping @Sendable (RealmCore) -> Void
  ) {
    if keepingAlive {
      // Used again only where it is confined to, or when no other thread can.
      nonisolated(unsafe) let core = self
      var dropped: (@Sendable () -> Void)?
      if let otherwise { dropped = { otherwise(core) } }
      confinement.schedule(otherwise: dropped) { work(core) }
    } else {
      handle?.scheduled(otherwise: otherwise, work)
    }
  }
}
