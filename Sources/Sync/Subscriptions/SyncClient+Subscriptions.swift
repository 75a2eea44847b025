import QueryEngine
import Storage

/// Subscriptions that the server cannot evaluate. The objects follow the former ones.
package struct RefusedSubscriptions: Sendable, Hashable {
  package var version: Int64
  package var reason: String
}

/// What a pull reads of one class.
struct SelectedRows {
  /// The condition in SQL; nil for all objects.
  var filter: String?
  /// Whether no object is selected.
  var isEmpty = false
}

/// The selection that a pull follows, from its begin to its end.
struct PulledSelection {
  struct SelectedClass {
    var rows = SelectedRows()
    /// Whether the objects in the file follow another selection, so that all are read.
    var isWhole = false
  }

  var selection = SubscriptionSelection.everything
  /// The wanted subscriptions as they were stored when the pull began.
  var wanted: [UInt8]?
  /// Whether the file has to take note of the selection.
  var isNew = false
  /// In the order of the model's classes.
  var classes: [SelectedClass] = []
}

extension SyncClient {
  /// Returns the selection that the next pull follows: what the program wants, or what the file has if the server cannot
  /// evaluate that.
  func pulledSelection() throws -> PulledSelection {
    var pulled = PulledSelection()
    pulled.wanted = try snapshot.session(.subscriptions)
    let wanted = try SubscriptionList.read(snapshot)?.selection ?? .everything
    let stored = try SubscriptionSelection.applied(in: snapshot)
    let applied = stored ?? .everything
    var rows: [SelectedRows]
    do {
      pulled.selection = wanted
      rows = try selectedRows(wanted)
      facts.refusedSubscriptions = nil
    } catch let refusal as SubscriptionRefusal {
      facts.refusedSubscriptions = RefusedSubscriptions(
        version: wanted.version, reason: refusal.description)
      // A file that has nothing yet does not get everything because of a mistake.
      pulled.selection =
        stored == nil && state.cursor == SessionState.emptyCursor ? .nothing : applied
      do {
        rows = try selectedRows(pulled.selection)
      } catch let refusal as SubscriptionRefusal {
        throw SyncProblem(refusal.description)
      }
    }
    pulled.isNew = pulled.selection != applied
    pulled.classes = zip(model.classes, rows).map { syncClass, rows in
      .init(
        rows: rows,
        isWhole: pulled.selection.condition(of: syncClass.name) != applied.condition(of: syncClass.name))
    }
    return pulled
  }

  private func selectedRows(_ selection: SubscriptionSelection) throws -> [SelectedRows] {
    for name in selection.conditions.keys.sorted() where model[name] == nil {
      throw SubscriptionRefusal(
        "'\(name)' is not synchronised, so that no subscription can select its objects.")
    }
    return try zip(model.classes, routing).map { syncClass, routing in
      let condition = selection.condition(of: syncClass.name)
      switch condition {
      case .constant(true): return SelectedRows()
      case .constant(false): return SelectedRows(filter: "false", isEmpty: true)
      default:
        return SelectedRows(filter: try SubscriptionSQL(syncClass, routing: routing).text(condition))
      }
    }
  }

  /// Stores the selection that the objects follow from now on, in the transaction that makes them follow it.
  ///
  /// - Throws: `StateConflict` if the program wants other subscriptions now: what was read does not follow them.
  func store(_ pulled: PulledSelection, _ transaction: WriteTransaction) throws {
    guard try snapshot.session(.subscriptions) == pulled.wanted else { throw StateConflict() }
    if pulled.isNew { transaction.setSession(.appliedSelection, pulled.selection.encoded) }
  }

  /// Takes note of the objects that were sent and that the subscriptions do not select: they leave the file if the next pull
  /// does not bring them. It brings every object that was sent and is selected.
  ///
  /// The next pull may follow other subscriptions than those of now: the former ones again, if the program takes the change
  /// back. Then it does not look at the objects that it has not selected before.
  func noteSentObjects() throws {
    let applied = try SubscriptionSelection.applied(in: snapshot) ?? .everything
    let wanted = try SubscriptionList.read(snapshot)?.selection ?? .everything
    try noteSentObjects(outside: applied)
    if wanted != applied, facts.refusedSubscriptions?.version != wanted.version {
      try noteSentObjects(outside: wanted)
    }
  }

  private func noteSentObjects(outside selection: SubscriptionSelection) throws {
    if selection == .everything { return }
    let pending = try pending()
    let bases = CounterBases(snapshot)
    for (syncClass, localClass) in zip(model.classes, classes) where !pending.isEmpty(table: localClass.table)
    {
      let condition = selection.condition(of: syncClass.name)
      if condition == .constant(true) { continue }
      let predicate =
        isExact(condition, syncClass)
        ? condition.predicate(table: localClass.table, snapshot.catalogue) : nil
      pending.forEachPushedRow(of: localClass, in: snapshot, bases) { row in
        guard let number = row.row else { return }
        if let predicate, snapshot.matches(predicate, table: localClass.table, row: number) { return }
        state.evictions.insert(.init(localClass.name, row.key))
      }
    }
  }

  /// Whether the file decides with certainty as the server does. The server rounds dates, and knows targets of links that the
  /// file lacks.
  private func isExact(_ condition: SubscriptionCondition, _ syncClass: SyncClass) -> Bool {
    condition.properties.allSatisfy { name in
      switch syncClass[name]?.type {
      case .timestamp, .numeric, .jsonb, nil: false
      default: !condition.usesTargets
      }
    }
  }
}

extension SubscriptionCondition {
  /// Whether the condition compares keys of targets of links.
  fileprivate var usesTargets: Bool {
    switch self {
    case .constant: false
    case .and(let operands), .or(let operands): operands.contains(where: \.usesTargets)
    case .not(let operand): operand.usesTargets
    case .value(let value, _): value.isKeyOfTarget
    }
  }
}
