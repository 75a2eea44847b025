/// Hands something of a realm over to another thread, queue or actor.
///
///     let reference = ThreadSafeReference(to: person)
///     queue.async {
///       let realm = try! Realm(configuration: configuration, queue: queue)
///       guard let person = realm.resolve(reference) else { return }  // Deleted meanwhile.
///       print(person.lastName)
///     }
///
/// It can be resolved once. Until then the file keeps the version that it was made in.
@frozen public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  private let handover: Handover

  /// Stops the program when the object is in memory only, was deleted, or is a query on what the open write
  /// transaction has created.
  public init(to threadConfined: Confined) {
    handover = Handover(threadConfined)
  }

  /// Whether it has been resolved already.
  public var isInvalidated: Bool { handover.isTaken }

  fileprivate func take() -> Handover.Content { handover.take() }
}

extension Realm {
  /// What a reference stands for, in this realm; nil when it was deleted meanwhile, or is of another file.
  ///
  /// A realm that was just opened, and from which nothing was read, shows the version that the reference was made in. One
  /// that shows an older version is refreshed, unless it is in a write transaction. Stops the program when the reference was resolved before.
  public func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
    core.checkThread()
    return reference.take().find(in: core) as? Confined
  }
}
