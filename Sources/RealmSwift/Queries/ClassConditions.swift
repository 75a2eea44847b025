package import Foundation
package import QueryEngine
package import Storage

/// Conditions on the objects of a class that are no query on an open realm: those of subscriptions.
package enum ClassCondition {
  /// Returns the expression of a typed condition.
  package static func expression<T: ObjectBase>(
    _ condition: (Query<T>) -> Query<Bool>
  ) throws -> QueryEngine.PredicateExpression {
    try condition(Query<T>.root).node.expression(in: nil)
  }

  /// Returns the expression of a condition in predicate syntax.
  package static func expression(
    _ format: String, _ arguments: [Any]
  ) throws -> QueryEngine.PredicateExpression {
    try PredicateExpression.parsing(format, arguments)(nil)
  }

  /// Returns the expression of a predicate.
  package static func expression(_ predicate: NSPredicate) throws -> QueryEngine.PredicateExpression {
    try predicate.expression(in: nil)
  }

  /// Returns the predicate of an expression, which names properties as the class does.
  ///
  /// - Throws: `PredicateError` for a class that the catalogue lacks, and for what does not fit the properties.
  package static func predicate(
    _ expression: QueryEngine.PredicateExpression, on type: ObjectBase.Type, _ catalogue: Catalogue
  ) throws -> (table: Int, predicate: QueryEngine.Predicate) {
    let schema = ClassSchema.of(type)
    guard let table = catalogue.table(named: schema.className) else {
      throw PredicateError("Invalid class", "The realm has no class '\(schema.className)'.")
    }
    let columns = catalogue.columnLookup
    let predicate = try resolve(expression, table: table, catalogue: catalogue) { number, name in
      guard number == table, let property = schema.property(named: name), property.isStored else {
        return columns(number, name)
      }
      return columns(number, property.columnName)
    }
    return (table, predicate)
  }

  /// Stops the program because of a mistake in it.
  package static func stop(_ message: String) -> Never { trap(message) }
}

extension Results {
  /// The conditions of the results, when they are objects of a class in which nothing else is searched.
  package var classPredicates: [QueryEngine.Predicate]? {
    guard case .table = core.source else { return nil }
    return core.steps.compactMap { step in
      if case .filter(let predicate) = step { predicate } else { nil }
    }
  }
}
