public import Foundation
public import RealmSwift
import Sync

/// The subscriptions of a synchronised realm: the server sends only the objects that at least one of them selects.
///
/// ```swift
/// let subscriptions = realm.subscriptions
/// try await subscriptions.update {
///   subscriptions.append(QuerySubscription<Beehive>(name: "north") { $0.place == "North meadow" })
/// }
/// ```
///
/// A set shows the subscriptions as they were when it was obtained or last updated.
public struct SyncSubscriptionSet {
  let draft: SubscriptionDraft

  // MARK: Reading

  /// The number of subscriptions.
  public var count: Int { draft.list.entries.count }

  /// Whether there is no subscription.
  public var isEmpty: Bool { draft.list.entries.isEmpty }

  /// The subscription that was added first.
  public var first: SyncSubscription? { self[0] }

  /// The subscription that was added last.
  public var last: SyncSubscription? { self[count - 1] }

  /// The subscription at a position; nil if there is none.
  public subscript(position: Int) -> SyncSubscription? {
    draft.list.entries.indices.contains(position) ? subscription(draft.list.entries[position]) : nil
  }

  private func subscription(_ entry: SubscriptionList.Entry) -> SyncSubscription {
    SyncSubscription(draft: draft, entry: entry)
  }

  /// Returns the subscription with a name.
  public func first(named name: String) -> SyncSubscription? {
    draft.list.entries.first { $0.name == name }.map(subscription)
  }

  /// Returns the first subscription to a class with a condition.
  public func first<T: ObjectBase>(
    ofType type: T.Type, where query: @escaping (Query<T>) -> Query<Bool>
  ) -> SyncSubscription? {
    first(QuerySubscription<T>(query: query))
  }

  /// Returns the first subscription to a class with a condition in predicate syntax.
  public func first<T: ObjectBase>(
    ofType type: T.Type, where predicateFormat: String, _ args: Any...
  ) -> SyncSubscription? {
    first(QuerySubscription<T>(format: predicateFormat, args))
  }

  /// Returns the first subscription to a class with a predicate.
  public func first<T: ObjectBase>(ofType type: T.Type, where predicate: NSPredicate) -> SyncSubscription? {
    first(QuerySubscription<T>(where: predicate))
  }

  private func first<T>(_ query: QuerySubscription<T>) -> SyncSubscription? {
    guard let selected = try? draft.selected(query) else { return nil }
    return draft.list.entries.first { $0.selects(selected) }.map(subscription)
  }

  /// The state of this version of the set.
  public var state: SyncSubscriptionState { draft.state }

  // MARK: Changing

  /// Changes the subscriptions, and returns when they are stored in the realm file.
  ///
  /// The realm must not be in a write transaction.
  ///
  /// - Parameters:
  ///   - block: A function that adds and removes subscriptions. It is called again if another thread or process has
  ///     changed them at the same time.
  ///   - onComplete: A function that is called, on any thread, when the realm has the objects that the subscriptions select,
  ///     or with the error. `Realm.Error.subscriptionFailed` says that a subscription cannot be evaluated by the
  ///     server: then all objects follow the former subscriptions.
  public func update(_ block: () -> Void, onComplete: (@Sendable ((any Error)?) -> Void)? = nil) {
    do {
      let stored = try draft.update(block)
      Task {
        do {
          try await stored.wait()
          onComplete?(nil)
        } catch {
          onComplete?(error)
        }
      }
    } catch {
      onComplete?(error)
    }
  }

  /// Changes the subscriptions, and returns when the realm has the objects that they select.
  ///
  /// The realm must not be in a write transaction.
  ///
  /// - Parameters:
  ///   - block: A function that adds and removes subscriptions. It is called again if another thread or process has
  ///     changed them at the same time.
  ///   - _isolation: The actor of the caller.
  /// - Throws: `Realm.Error.subscriptionFailed` if a subscription cannot be evaluated by the server, or the session has
  ///   stopped.
  public func update(_ block: () -> Void, _isolation: isolated (any Actor)? = #isolation) async throws {
    try await draft.update(block).wait()
  }

  /// Adds subscriptions, inside the block of `update`.
  ///
  /// A subscription with a name replaces that with the same name. One without a name is added once.
  public func append<T>(_ subscriptions: QuerySubscription<T>...) {
    for subscription in subscriptions {
      draft.change { try $0.append(subscription.name, draft.selected(subscription), now: Self.now) }
    }
  }

  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

  /// Removes the subscription with a name, inside the block of `update`.
  public func remove(named name: String) {
    draft.change { $0.entries.removeAll { $0.name == name } }
  }

  /// Removes subscriptions, inside the block of `update`.
  public func remove(_ subscriptions: SyncSubscription...) {
    draft.change { list in list.entries.removeAll { entry in subscriptions.contains { $0.entry == entry } } }
  }

  /// Removes the subscriptions to a class with a condition, inside the block of `update`.
  public func remove<T: ObjectBase>(ofType type: T.Type, _ query: @escaping (Query<T>) -> Query<Bool>) {
    remove(QuerySubscription<T>(query: query))
  }

  /// Removes the subscriptions to a class with a condition in predicate syntax, inside the block of `update`.
  public func remove<T: ObjectBase>(ofType type: T.Type, where predicateFormat: String, _ args: Any...) {
    remove(QuerySubscription<T>(format: predicateFormat, args))
  }

  /// Removes the subscriptions to a class with a predicate, inside the block of `update`.
  public func remove<T: ObjectBase>(ofType type: T.Type, where predicate: NSPredicate) {
    remove(QuerySubscription<T>(where: predicate))
  }

  private func remove<T>(_ query: QuerySubscription<T>) {
    draft.change { list in
      let selected = try draft.selected(query)
      list.entries.removeAll { $0.selects(selected) }
    }
  }

  /// Removes all subscriptions to a class, inside the block of `update`.
  public func removeAll<T: ObjectBase>(ofType type: T.Type) {
    draft.change { $0.entries.removeAll { $0.className == T.className() } }
  }

  /// Removes all subscriptions, inside the block of `update`.
  ///
  /// - Parameter unnamedOnly: Whether subscriptions with a name stay.
  public func removeAll(unnamedOnly: Bool = false) {
    draft.change { $0.entries.removeAll { !unnamedOnly || $0.name == nil } }
  }
}

extension SyncSubscriptionSet: Sequence {
  /// Returns an iterator over the subscriptions, in the order in which they were added.
  public func makeIterator() -> AnyIterator<SyncSubscription> {
    var entries = draft.list.entries.makeIterator()
    return AnyIterator { entries.next().map(subscription) }
  }
}

extension Realm {
  /// The subscriptions of the realm. Stops the program for a realm that is not synchronised.
  public var subscriptions: SyncSubscriptionSet {
    guard let running = synchronisation as? RunningSession else {
      ClassCondition.stop("This Realm was not configured with flexible sync")
    }
    return SyncSubscriptionSet(draft: SubscriptionDraft(running, self))
  }
}
