public import Foundation
import QueryEngine
import Storage

// Filtering and sorting the values of a map. Values that are null, because their object was deleted or never was, are
// left out.
extension Map {
  private var query: ResultsCore { _rlmOrigin.query(unmanagedName: "RLMDictionary") }

  private var objectQuery: ResultsCore {
    let query = query
    if query.isOfValues {
      trap("Querying is currently only implemented for dictionaries of Realm Objects")
    }
    return query
  }

  private func filtered(
    _ condition: (RealmCore?) throws -> PredicateExpression
  ) throws -> Results<Value> {
    let query = objectQuery
    return Results(core: query.adding(.filter(try query.resolve(condition(query.realm)))))
  }

  /// The objects among the values for which a condition holds.
  ///
  ///     let puppies = person.dogsByName.where { $0.age < 2 }
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    trapping { try filtered(isIncluded(Query<Value>.root).node.expression) }
  }

  /// The objects among the values for which a condition in predicate syntax holds.
  ///
  /// Stops the program when the predicate is malformed, and for maps of values or in memory.
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
    trapping { try filtered(PredicateExpression.parsing(predicateFormat, args)) }
  }

  /// The objects among the values for which a predicate holds.
  ///
  /// Stops the program when the predicate does not fit the objects, and for maps of values or in memory.
  public func filter(_ predicate: NSPredicate) -> Results<Value> {
    trapping { try filtered(predicate.expression) }
  }

  /// The objects among the values for which a condition in predicate syntax holds, for text that does not come from the
  /// program.
  ///
  /// - Throws: `Realm.Error` with the code `.invalidInput` when the predicate is malformed, which says where, names an
  ///   unknown property or compares values that do not fit.
  public func filter(checking predicateFormat: String, _ args: [Any] = []) throws -> Results<Value> {
    try throwingInvalidInput { try filtered(PredicateExpression.parsing(predicateFormat, args)) }
  }

  /// The values sorted by several properties.
  public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value>
  where S.Element == SortDescriptor {
    Results(core: query.sorted(Array(sortDescriptors), elementType: Value._rlmKind.type))
  }
}

extension RealmKeyedCollection {
  /// The values sorted by a property, or by one of an object that they link to; for plain values, by "self".
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }
}

extension RealmKeyedCollection where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
  /// The objects sorted by a property.
  public func sorted<T>(by keyPath: KeyPath<Value.Wrapped, T>, ascending: Bool = true) -> Results<Value>
  where T: _HasPersistedType, T.PersistedType: SortableType {
    sorted(byKeyPath: _name(for: keyPath), ascending: ascending)
  }
}

extension RealmKeyedCollection where Value: _HasPersistedType, Value.PersistedType: SortableType {
  /// The values in order.
  public func sorted(ascending: Bool = true) -> Results<Value> {
    sorted(byKeyPath: "self", ascending: ascending)
  }
}
