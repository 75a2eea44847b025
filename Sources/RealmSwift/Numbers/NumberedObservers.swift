import Storage

/// How an observed collection has changed. Positions are ascending.
package struct NumberedChanges {
  /// Whether the collection is only ready: nothing has changed yet.
  package var isInitial = false
  /// Whether the owner of the collection was deleted, after which no changes follow.
  package var isDeleted = false
  /// Positions before the change.
  package var deletions: [Int] = []
  /// Positions after the change.
  package var insertions: [Int] = []
  /// Positions before the change of elements that stayed.
  package var oldModifications: [Int] = []
  /// Their positions after the change.
  package var newModifications: [Int] = []
  /// The keys of a map, as many as there are positions; empty for other collections.
  package var deletedKeys: [String] = []
  package var insertedKeys: [String] = []
  package var modifiedKeys: [String] = []
}

/// How an observed object has changed.
package struct NumberedObjectChange {
  /// The numbers of the properties that have changed, ascending.
  package var properties: [Int] = []
  /// The value of each of them before the change, null for collections; nil if the realm's own thread made the change.
  package var oldValues: [StoredValue]?
  /// The names of the backlinks that show other objects.
  package var backlinks: [String] = []
}

extension NumberedRealm {
  /// Throws where nothing can be observed.
  ///
  /// - Parameter isWhole: Whether the realm as a whole is observed, which is possible after changes in a write transaction.
  func checkObservation(isWhole: Bool = false) throws(Refusal) {
    try check()
    try checkNotMigrating()
    do throws(ProgrammerError) {
      if isWhole { try core.checkRealmObservation() } else { try core.checkObservation() }
    } catch {
      throw error.code == .noEventLoop ? Self.noEventLoop : Refusal(error)
    }
    if !core.confinement.surelyDelivers { throw Self.noEventLoop }
  }

  static var noEventLoop: Refusal {
    Refusal(
      .noEventLoop,
      "Nothing calls back on \(CurrentPlace.text): call openrealm_loop_descriptor before, watch the descriptor, and call openrealm_loop_perform when it can be read."
    )
  }

  /// Calls a closure after each move to another version.
  ///
  /// - Parameter changed: Is given whether there is a newer version that the realm does not move to by itself.
  package func observe(
    _ changed: @escaping (_ needsRefresh: Bool) -> Void
  ) throws(Refusal) -> NotificationToken {
    try checkObservation(isWhole: true)
    return core.begin(NumberedRealmObserver(self, changed))
  }

  /// Calls a closure after each change of an object.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties that count; none for all.
  ///   - changed: Is given what has changed; nil when the object was deleted.
  package func observe(
    _ object: NumberedObject, keyPaths: [String], _ changed: @escaping (NumberedObjectChange?) -> Void
  ) throws(Refusal) -> NotificationToken {
    try checkObservation()
    _ = try checkedTable(of: object)
    let paths = try observedKeyPaths(keyPaths, classNumber: object.classNumber)
    return core.begin(NumberedObjectObserver(self, object, paths, changed))
  }

  /// Looks up key paths; none is everything.
  ///
  /// - Parameter classNumber: The class that they begin at; nil for values, which have no properties.
  func observedKeyPaths(_ keyPaths: [String], classNumber: Int?) throws(Refusal) -> ObservedKeyPaths {
    guard let first = keyPaths.first else { return .everything }
    guard let classNumber else {
      throw Refusal(
        .noSuchProperty, "The elements of the collection are no objects, and have no property '\(first)'.")
    }
    do throws(ProgrammerError) {
      return .paths(try core.observedPaths(checking: keyPaths, table: classNumber))
    } catch {
      throw Refusal(error)
    }
  }

  /// Whether observers are still to be called.
  var calls: Bool { !isClosed && !damage.isFound }
}

/// Observes a realm as a whole.
private final class NumberedRealmObserver: Observer {
  private let realm: NumberedRealm
  private let changed: (Bool) -> Void

  init(_ realm: NumberedRealm, _ changed: @escaping (Bool) -> Void) {
    self.realm = realm
    self.changed = changed
  }

  func realmChanged() { if realm.calls { changed(false) } }
  func refreshRequired() { if realm.calls { changed(true) } }
  func update(_ context: ChangeContext) -> ObserverCall? { nil }
}

/// Observes a collection.
final class NumberedCollectionObserver: Observer {
  private let realm: NumberedRealm
  private let tracker: any CollectionTracker
  private let isMap: Bool
  private let isPresent: () -> Bool
  private let changed: (NumberedChanges) -> Void

  /// - Parameter isPresent: Whether the owner of the collection still exists.
  init(
    _ realm: NumberedRealm, _ tracker: any CollectionTracker, isMap: Bool, isPresent: @escaping () -> Bool,
    _ changed: @escaping (NumberedChanges) -> Void
  ) {
    self.realm = realm
    self.tracker = tracker
    self.isMap = isMap
    self.isPresent = isPresent
    self.changed = changed
  }

  var hasInitialCall: Bool { true }

  private var keys: [String] { isMap ? (tracker as? any MapTracker)?.keys ?? [] : [] }

  func start() -> ObserverCall? {
    tracker.start()
    var changes = NumberedChanges()
    changes.isInitial = true
    changes.isDeleted = !isPresent()
    return call(with: changes)
  }

  func update(_ context: ChangeContext) -> ObserverCall? {
    let oldKeys = keys
    let found = tracker.update(context)
    var changes = NumberedChanges()
    changes.isDeleted = !isPresent()
    if found.isEmpty && !changes.isDeleted { return nil }
    changes.deletions = found.deletions.members
    changes.insertions = found.insertions.members
    changes.oldModifications = found.modifications.members
    changes.newModifications = found.newModifications.members
    if isMap {
      let newKeys = keys
      changes.deletedKeys = changes.deletions.map { oldKeys[$0] }
      changes.insertedKeys = changes.insertions.map { newKeys[$0] }
      changes.modifiedKeys = changes.oldModifications.map { oldKeys[$0] }
    }
    return call(with: changes)
  }

  private func call(with changes: NumberedChanges) -> ObserverCall {
    ObserverCall(isLast: changes.isDeleted) { [realm, changed] in
      if realm.calls { changed(changes) }
    }
  }
}
