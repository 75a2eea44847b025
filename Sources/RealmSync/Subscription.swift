public import Foundation
import QueryEngine
public import RealmSwift
import Sync

/// The state of the subscriptions of a realm.
public enum SyncSubscriptionState: Equatable {
  /// The realm has the objects that the subscriptions select.
  case complete
  /// The server cannot evaluate the subscriptions. The objects follow the former ones.
  case error(any Error)
  /// The server has not yet sent the objects.
  case pending
  /// The subscriptions have been changed since the set was obtained.
  case superseded

  /// Returns whether both are the same case; errors are compared by their descriptions.
  public static func == (first: SyncSubscriptionState, second: SyncSubscriptionState) -> Bool {
    switch (first, second) {
    case (.complete, .complete), (.pending, .pending), (.superseded, .superseded): true
    case (.error(let first), .error(let second)):
      first.localizedDescription == second.localizedDescription
    default: false
    }
  }
}

/// One subscription of a realm.
public struct SyncSubscription {
  let draft: SubscriptionDraft
  var entry: SubscriptionList.Entry

  /// The name; nil for a subscription without a name.
  public var name: String? { entry.name }

  /// The time at which the subscription was added.
  public var createdAt: Date { Date(timeIntervalSince1970: TimeInterval(entry.created) / 1000) }

  /// The time at which the subscription was added or changed last.
  public var updatedAt: Date { Date(timeIntervalSince1970: TimeInterval(entry.updated) / 1000) }

  /// Lets the subscription select other objects, inside the block of `update`.
  public func updateQuery<T: ObjectBase>(toType type: T.Type, _ query: @escaping (Query<T>) -> Query<Bool>) {
    update(to: QuerySubscription<T>(query: query))
  }

  /// Lets the subscription select all objects of a class, inside the block of `update`.
  public func updateQuery<T: ObjectBase>(toType type: T.Type) { update(to: QuerySubscription<T>()) }

  /// Lets the subscription select other objects, by a condition in predicate syntax, inside the block of `update`.
  public func updateQuery<T: ObjectBase>(toType type: T.Type, where predicateFormat: String, _ args: Any...) {
    update(to: QuerySubscription<T>(format: predicateFormat, args))
  }

  /// Lets the subscription select other objects, by a predicate, inside the block of `update`.
  public func updateQuery<T: ObjectBase>(toType type: T.Type, where predicate: NSPredicate) {
    update(to: QuerySubscription<T>(where: predicate))
  }

  private func update<T>(to query: QuerySubscription<T>) {
    draft.change { list in
      let selected = try draft.selected(query)
      guard let index = list.entries.firstIndex(of: entry) else {
        throw Realm.Error(.subscriptionFailed, "The subscription has been removed or changed.")
      }
      (list.entries[index].className, list.entries[index].condition) = (
        selected.className, selected.condition
      )
      list.entries[index].updated = SyncSubscriptionSet.now
    }
  }
}

/// The objects of a class that a subscription selects.
///
/// A condition compares routing properties of the class and its primary key with constants, with `==`, `!=`, `<`, `<=`, `>`,
/// `>=`, BETWEEN, IN, BEGINSWITH, CONTAINS, ENDSWITH and LIKE, and combines comparisons with AND, OR and NOT. Of an object
/// behind a link, the primary key can be compared.
public struct QuerySubscription<T: ObjectBase> {
  /// The name; nil for a subscription without a name.
  public let name: String?
  let expression: Result<QueryEngine.PredicateExpression, any Error>

  /// Creates a subscription to the objects that satisfy a typed condition, or to all objects of the class.
  ///
  /// - Parameters:
  ///   - name: A name, with which the subscription can be found and replaced.
  ///   - query: The condition; nil for all objects.
  public init(name: String? = nil, query: ((Query<T>) -> Query<Bool>)? = nil) {
    self.name = name
    expression = Result { try query.map { try ClassCondition.expression($0) } ?? .constant(true) }
  }

  /// Creates a subscription to the objects that satisfy a condition in predicate syntax.
  public init(name: String? = nil, where predicateFormat: String, _ args: Any...) {
    self.init(name: name, format: predicateFormat, args)
  }

  init(name: String? = nil, format: String, _ arguments: [Any]) {
    self.name = name
    expression = Result { try ClassCondition.expression(format, arguments) }
  }

  /// Creates a subscription to the objects that satisfy a predicate.
  public init(name: String? = nil, where predicate: NSPredicate) {
    self.name = name
    expression = Result { try ClassCondition.expression(predicate) }
  }
}
