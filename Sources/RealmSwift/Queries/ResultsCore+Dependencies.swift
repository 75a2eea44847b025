import QueryEngine

extension ResultsCore {
  /// What the query's answer depends on.
  var dependencies: QueryDependencies {
    var dependencies = QueryDependencies(table: classTable.table.number)
    if case .table = source {} else { dependencies.addUnknown() }
    for step in steps {
      switch step {
      case .filter(let predicate): dependencies.add(predicate)
      case .sort(let keys), .distinct(let keys): for key in keys { dependencies.add(key) }
      case .sortValues, .distinctValues: dependencies.addUnknown()
      }
    }
    return dependencies
  }

  /// The filter of all rows of the class, when the query is nothing else.
  var onlyFilter: Predicate? {
    guard let predicates = onlyFilters, !predicates.isEmpty else { return nil }
    return predicates.count == 1 ? predicates[0] : .and(predicates)
  }
}
