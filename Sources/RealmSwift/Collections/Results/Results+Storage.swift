package import QueryEngine

// For tools of this package, whose users write queries.
extension Results {
  /// The row of an object at a position; establishes an order only as far as that.
  package func storedRow(at position: Int) -> Int {
    core.pause(at: position)
    return core.row(at: position)
  }

  /// The objects for which a condition in predicate syntax holds that does not come from the program.
  ///
  /// - Parameter texts: Reads strings that are compared with dates, object ids and UUIDs.
  /// - Throws: `Realm.Error` with the code `.invalidInput` when the predicate is malformed or does not fit the class.
  package func filter(checking predicateFormat: String, texts: TextConstants) throws -> Results {
    try throwingInvalidInput {
      let expression = try PredicateExpression(format: predicateFormat)
      return Results(core: core.adding(.filter(try core.resolve(expression, texts: texts))))
    }
  }

  /// The objects sorted by key paths that do not come from the program.
  ///
  /// - Throws: `Realm.Error` with the code `.invalidInput` when one names an unknown property, or one that has no order.
  package func sorted(checking descriptors: [SortDescriptor]) throws -> Results {
    try throwingInvalidInput {
      for descriptor in descriptors {
        _ = try SortKey(
          keyPath: descriptor.keyPath, table: core.classTable.table.number,
          catalogue: core.realm.snapshot.catalogue, lookup: core.realm.propertyLookup)
      }
    }
    return sorted(by: descriptors)
  }
}
