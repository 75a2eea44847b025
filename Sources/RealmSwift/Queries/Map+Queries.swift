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

  /// Returns the objects among the values that satisfy a typed condition.
  ///
  /// ```swift
  /// let small = guide.hutsByName.where { $0.beds < 20 }
  /// ```
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    trapping { try filtered(isIncluded(Query<Value>.root).node.expression) }
  }

  /// Returns the objects among the values that satisfy a condition in predicate syntax.
  ///
  /// Stops the program if the predicate is malformed, and for maps of values and unmanaged maps.
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
    trapping { try filtered(PredicateExpression.parsing(predicateFormat, args)) }
  }

  /// Returns the objects among the values that satisfy a predicate.
  ///
  /// Stops the program if the predicate does not fit the objects, and for maps of values and unmanaged maps.
  public func filter(_ predicate: NSPredicate) -> Results<Value> {
    trapping { try filtered(predicate.expression) }
  }

  /// Returns the objects among the values that satisfy a condition in predicate syntax. For text from outside
  /// the program: it throws where `filter(_:_:)` stops the program.
  ///
  /// - Throws: `Realm.Error` with the code `.invalidInput` if the predicate is malformed, with the position;
  ///   if it names an unknown property; or if it compares values of unsuitable types.
  public func filter(checking predicateFormat: String, _ args: [Any] = []) throws -> Results<Value> {
    try throwingInvalidInput { try filtered(PredicateExpression.parsing(predicateFormat, args)) }
  }

  /// Returns the values sorted by several properties.
  public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value>
  where S.Element == SortDescriptor {
    Results(core: query.sorted(Array(sortDescriptors), elementType: Value._rlmKind.type))
  }
}

extension RealmKeyedCollection {
  /// Returns the values sorted by a property, or by a property of an object that they link to; plain values
  /// are sorted by "self".
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }
}

extension RealmKeyedCollection where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
  /// Returns the objects sorted by a property.
  public func sorted<T>(by keyPath: KeyPath<Value.Wrapped, T>, ascending: Bool = true) -> Results<Value>
  where T: _HasPersistedType, T.PersistedType: SortableType {
    sorted(byKeyPath: _name(for: keyPath), ascending: ascending)
  }
}

extension RealmKeyedCollection where Value: _HasPersistedType, Value.PersistedType: SortableType {
  /// Returns the values in order.
  public func sorted(ascending: Bool = true) -> Results<Value> {
    sorted(byKeyPath: "self", ascending: ascending)
  }
}
