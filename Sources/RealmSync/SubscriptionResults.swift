public import Foundation
public import RealmSwift
import Sync

/// Whether a call that adds a subscription waits for the objects.
public enum WaitForSyncMode: Sendable {
  /// The call waits if the subscription is new or has changed.
  case onCreation
  /// The call always waits for a state of the server that is later than the call.
  case always
  /// The call returns when the subscription is stored.
  case never
}

extension Results where Element: ObjectBase {
  /// Adds a subscription to the objects of the results, and returns the results when the realm has them.
  ///
  /// ```swift
  /// let hives = try await realm.objects(Beehive.self).where { $0.place == "North meadow" }.subscribe()
  /// ```
  ///
  /// The order of the results does not matter to the subscription.
  ///
  /// - Parameters:
  ///   - name: A name, with which the subscription can be found and replaced.
  ///   - waitForSync: Whether the call waits for the objects.
  ///   - timeout: Maximum time to wait, in seconds; nil for no limit. The subscription stays when the time is over.
  ///   - _isolation: The actor of the caller.
  /// - Throws: `Realm.Error.subscriptionFailed` if the server cannot evaluate the subscription, or the time is over.
  @discardableResult
  public func subscribe(
    name: String? = nil, waitForSync: WaitForSyncMode = .onCreation, timeout: TimeInterval? = nil,
    _isolation: isolated (any Actor)? = #isolation
  ) async throws -> Results<Element> {
    guard let realm else { return self }
    let draft = realm.subscriptions.draft
    guard let selected = try draft.selected(self) else {
      throw Realm.Error(
        .subscriptionFailed, "Only objects of a class can be subscribed to, not those of a collection.")
    }
    let isKnown = draft.list.entries.contains { $0.name == name && $0.selects(selected) }
    let stored = try draft.update {
      draft.change { $0.append(name, selected, now: SyncSubscriptionSet.now) }
    }
    switch waitForSync {
    case .never: return self
    case .onCreation where isKnown: return self
    case .onCreation: try await stored.wait(atMost: timeout, thenLater: false)
    case .always: try await stored.wait(atMost: timeout, thenLater: true)
    }
    if !realm.isFrozen { realm.refresh() }
    return self
  }

  /// Removes the subscription to the objects of the results, and returns when this is stored in the realm file. Does nothing if
  /// there is no such subscription. An error of the file is not reported: the subscription then stays.
  public func unsubscribe() {
    guard let realm else { return }
    let draft = realm.subscriptions.draft
    guard let selected = try? draft.selected(self) else { return }
    _ = try? draft.update {
      draft.change { list in
        let index =
          list.entries.firstIndex { $0.name == nil && $0.selects(selected) }
          ?? list.entries.firstIndex { $0.selects(selected) }
        if let index { list.entries.remove(at: index) }
      }
    }
  }
}

extension StoredSubscriptions {
  /// Waits for the objects, up to a number of seconds.
  ///
  /// - Parameter thenLater: Whether to wait also for a state of the server that is later than the call.
  func wait(atMost timeout: TimeInterval?, thenLater: Bool) async throws {
    let later = session.session.loop.downloadCondition()
    guard let timeout else { return try await wait(later: thenLater ? later : nil) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await wait(later: thenLater ? later : nil) }
      group.addTask {
        try await Task.sleep(for: .seconds(timeout))
        throw Realm.Error(.subscriptionFailed, "Waiting for update timed out after \(timeout) seconds.")
      }
      try await group.next()
    }
  }

  private func wait(later: SyncLoop.Condition?) async throws {
    try await wait()
    if let later, let reason = try await session.session.loop.wait(for: later) {
      throw Realm.Error(.subscriptionFailed, reason)
    }
  }
}
