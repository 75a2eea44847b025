/// A reference that passes an object, collection or projection of a realm to another thread, queue or actor.
///
/// ```swift
/// let reference = ThreadSafeReference(to: hut)
/// queue.async {
///   let realm = try! Realm(configuration: configuration, queue: queue)
///   guard let hut = realm.resolve(reference) else { return }  // deleted in the meantime
///   print(hut.name)
/// }
/// ```
///
/// A reference can be resolved once. Until then the file keeps the version in which it was created.
@frozen public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  private let handover: Handover

  /// Creates a reference. Stops the program if the object is unmanaged, was deleted, or is a query on objects
  /// that the open write transaction has created.
  public init(to threadConfined: Confined) {
    handover = Handover(threadConfined)
  }

  /// Whether the reference has been resolved already.
  public var isInvalidated: Bool { handover.isTaken }

  fileprivate func take() -> Handover.Content { handover.take() }
}

extension Realm {
  /// Returns the value of a reference in this realm, or nil if it was deleted or belongs to another file.
  ///
  /// ```swift
  /// let hut = realm.resolve(reference)
  /// print(hut?.name ?? "deleted")
  /// ```
  ///
  /// A realm that was just opened and not read yet shows the version in which the reference was created. A
  /// realm that shows an older version is refreshed, unless it is in a write transaction. Stops the program
  /// if the reference was resolved before.
  public func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
    core.checkThread()
    return reference.take().find(in: core) as? Confined
  }
}
