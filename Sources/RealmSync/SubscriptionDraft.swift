import QueryEngine
import RealmSwift
import Storage
import Sync

/// The subscriptions as a set shows them, and while they are changed.
final class SubscriptionDraft {
  /// Objects of a class.
  struct Selected {
    var className: String
    var condition: SubscriptionCondition
  }

  private let session: RunningSession?
  private let realm: Realm?
  private let catalogue: Catalogue
  private(set) var list = SubscriptionList()
  private var isUpdating = false
  private var failure: (any Error)?

  /// The subscriptions of an open realm.
  init(_ session: RunningSession, _ realm: Realm) {
    self.session = session
    self.realm = realm
    let snapshot = try? Snapshot(file: session.file)
    catalogue = snapshot?.catalogue ?? Catalogue(tables: [])
    list = snapshot.flatMap { try? SubscriptionList.read($0) } ?? SubscriptionList()
  }

  /// The first subscriptions of a file that is being opened.
  private init(_ list: SubscriptionList, _ catalogue: Catalogue) {
    (session, realm) = (nil, nil)
    self.list = list
    self.catalogue = catalogue
  }

  /// Returns what a subscription selects.
  ///
  /// - Throws: `Realm.Error` when the condition cannot be evaluated by the server.
  func selected<T>(_ subscription: QuerySubscription<T>) throws -> Selected {
    try failing {
      let (table, predicate) = try ClassCondition.predicate(
        subscription.expression.get(), on: T.self, catalogue)
      return Selected(
        className: catalogue.tables[table].name,
        condition: try SubscriptionCondition(predicate, table: table, catalogue))
    }
  }

  /// Returns what results select; nil when these are no objects of a class.
  func selected<Element>(_ results: Results<Element>) throws -> Selected? {
    guard let predicates = results.classPredicates, let type = Element.self as? ObjectBase.Type,
      let table = catalogue.table(named: type.className())
    else { return nil }
    return try failing {
      let conditions = try predicates.map { try SubscriptionCondition($0, table: table, catalogue) }
      return Selected(
        className: type.className(),
        condition: conditions.count > 1 ? .and(conditions) : conditions.first ?? .constant(true))
    }
  }

  private func failing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as PredicateError {
      throw Realm.Error(.subscriptionFailed, error.message)
    } catch let refusal as SubscriptionRefusal {
      throw Realm.Error(.subscriptionFailed, refusal.description)
    }
  }

  /// Changes the subscriptions, in the block of an update. The first error is that of the update.
  func change(_ body: (inout SubscriptionList) throws -> Void) {
    guard isUpdating else {
      ClassCondition.stop(
        "Can only add, remove, or update subscriptions within a write subscription block.")
    }
    if failure != nil { return }
    do { try body(&list) } catch { failure = error }
  }

  /// Runs the block of an update, and stores what comes of it.
  func update(_ block: () -> Void) throws -> StoredSubscriptions {
    guard let session, !isUpdating else {
      ClassCondition.stop(
        "Cannot initiate a write transaction on subscription set that is already being updated.")
    }
    if realm?.isInWriteTransaction == true {
      throw Realm.Error(
        .subscriptionFailed,
        "Subscriptions cannot be changed in a write transaction of the realm: commit it first.")
    }
    let snapshot = try Snapshot(file: session.file)
    while true {
      try snapshot.advance()
      guard let stored = try SubscriptionList.read(snapshot) else {
        throw Realm.Error(
          .subscriptionFailed,
          "The realm is synchronised as a whole: give SyncConfiguration 'initialSubscriptions' to use subscriptions."
        )
      }
      try run(block, on: stored)
      if list.entries == stored.entries { break }
      list.version += 1
      if try Self.store(list, after: stored, snapshot) { break }
    }
    session.session.loop.wake()
    return StoredSubscriptions(session: session, version: list.version)
  }

  private func run(_ block: () -> Void, on stored: SubscriptionList) throws {
    (list, failure, isUpdating) = (stored, nil, true)
    block()
    isUpdating = false
    if let failure {
      list = stored
      throw failure
    }
  }

  /// The state of the version that the set shows.
  var state: SyncSubscriptionState {
    if let failure { return .error(failure) }
    guard let session else { return .pending }
    do {
      let snapshot = try Snapshot(file: session.file)
      guard let stored = try SubscriptionList.read(snapshot) else { return .complete }
      if stored.version != list.version { return .superseded }
      return try StoredSubscriptions(session: session, version: list.version).isApplied()
        ? .complete : .pending
    } catch {
      return .error(error)
    }
  }
}

extension SubscriptionDraft {
  /// Gives a file its first subscriptions, or takes them away.
  ///
  /// - Parameters:
  ///   - initial: Adds the subscriptions; nil when everything is synchronised.
  ///   - isRerun: Whether the function is called for a file that has subscriptions, too.
  static func prepare(
    _ file: DatabaseFile, initial: ((SyncSubscriptionSet) -> Void)?, isRerun: Bool
  ) throws {
    let snapshot = try Snapshot(file: file)
    while true {
      try snapshot.advance()
      let stored = try SubscriptionList.read(snapshot)
      if initial == nil ? stored == nil : stored != nil && !isRerun { return }
      var list: SubscriptionList?
      if let initial {
        list = try first(stored, snapshot, initial)
        if list!.entries == stored?.entries { return }
        list!.version += 1
      }
      if try store(list, after: stored, snapshot) { return }
    }
  }

  private static func first(
    _ stored: SubscriptionList?, _ snapshot: Snapshot, _ initial: (SyncSubscriptionSet) -> Void
  ) throws -> SubscriptionList {
    var list = stored ?? SubscriptionList()
    // Versions of subscriptions that were taken away may still be the ones that the objects follow.
    if stored == nil { list.version = try SubscriptionSelection.applied(in: snapshot)?.version ?? 0 }
    let draft = SubscriptionDraft(list, snapshot.catalogue)
    draft.isUpdating = true
    initial(SyncSubscriptionSet(draft: draft))
    draft.isUpdating = false
    if let failure = draft.failure { throw failure }
    return draft.list
  }

  /// Stores subscriptions. Returns false if they have been changed by another writer since they were read.
  fileprivate static func store(
    _ list: SubscriptionList?, after former: SubscriptionList?, _ snapshot: Snapshot
  ) throws -> Bool {
    let writer = Writer(snapshot)
    try writer.begin()
    guard try SubscriptionList.read(snapshot)?.version == former?.version else {
      writer.cancel()
      return false
    }
    SubscriptionList.store(list, in: writer.transaction)
    writer.transaction.origin = .sync
    try writer.commit(durability: .full)
    return true
  }
}

/// A version of the subscriptions that is stored in the file.
struct StoredSubscriptions: Sendable {
  let session: RunningSession
  let version: Int64

  /// Whether the file has the objects that the subscriptions, or later ones, select.
  ///
  /// - Throws: `Realm.Error` if the server cannot evaluate them.
  func isApplied() throws -> Bool {
    let applied = try SubscriptionSelection.applied(in: Snapshot(file: session.file))
    if (applied?.version ?? 0) >= version { return true }
    if let refused = session.session.loop.report.facts.refusedSubscriptions, refused.version >= version {
      throw Realm.Error(.subscriptionFailed, refused.reason)
    }
    return false
  }

  /// Waits until the file has the objects that the subscriptions select.
  func wait() async throws {
    let loop = session.session.loop
    while try !isApplied() {
      if let reason = try await loop.wait(for: loop.downloadCondition()) {
        throw Realm.Error(.subscriptionFailed, reason)
      }
    }
  }
}

extension SubscriptionList.Entry {
  func selects(_ selected: SubscriptionDraft.Selected) -> Bool {
    className == selected.className && condition == selected.condition
  }
}

extension SubscriptionList {
  /// Adds a subscription, or changes that with the same name.
  mutating func append(_ name: String?, _ selected: SubscriptionDraft.Selected, now: Int64) {
    if let name, let index = entries.firstIndex(where: { $0.name == name }) {
      if entries[index].selects(selected) { return }
      (entries[index].className, entries[index].condition) = (selected.className, selected.condition)
      entries[index].updated = now
      return
    }
    if name == nil, entries.contains(where: { $0.name == nil && $0.selects(selected) }) { return }
    entries.append(
      .init(
        name: name, className: selected.className, condition: selected.condition, created: now, updated: now))
  }
}
