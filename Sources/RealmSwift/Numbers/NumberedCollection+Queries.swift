package import QueryEngine
import Storage

/// What takes the place of a placeholder in a query.
package enum NumberedArgument {
  case value(NumberedValue)
  case region(GeographicRegion)
}

// Results made of collections: filtered, in another order, without repetitions.
extension NumberedCollection {
  /// The objects for which a condition in predicate syntax is true.
  ///
  /// - Parameter texts: Reads strings that are compared with dates, object ids and UUIDs; by default that is an error.
  package func filter(
    _ format: String, _ arguments: [NumberedArgument], texts: TextConstants = .refused
  ) throws(Refusal) -> NumberedCollection {
    try check()
    if !isOfObjects { throw unsupportedQuery }
    let query = query
    let predicate = try realm.predicate(format, arguments, query, texts)
    try realm.checkDamage()
    return derived(query.adding(.filter(predicate)))
  }

  private var unsupportedQuery: Refusal {
    let noun =
      switch kind {
      case .list, .results: "arrays"
      case .set: "sets"
      case .map: "dictionaries"
      }
    return Refusal(
      .wrongType, "Querying is currently only implemented for \(noun) of Realm Objects")
  }

  /// The elements in the order of key paths; values in the order of "self".
  package func sorted(by keys: [SortDescriptor]) throws(Refusal) -> NumberedCollection {
    try check()
    let sorted: ResultsCore
    do {
      sorted = try query.sortedOrThrow(keys, elementType: PropertyType(type))
    } catch {
      throw Refusal(of: error)
    }
    try realm.checkDamage()
    return derived(sorted)
  }

  /// The elements without those whose values of the key paths occurred before.
  package func distinct(by keyPaths: [String]) throws(Refusal) -> NumberedCollection {
    try check()
    try checkNotEmpty(keyPaths)
    let distinct: ResultsCore
    do {
      distinct = try query.distinctOrThrow(keyPaths, elementType: PropertyType(type))
    } catch {
      throw Refusal(of: error)
    }
    try realm.checkDamage()
    return derived(distinct)
  }

  private func checkNotEmpty(_ keyPaths: [String]) throws(Refusal) {
    if keyPaths.isEmpty { throw Refusal(.badArgument, "At least one key path is needed.") }
  }

  /// The objects whose text matches a full-text search, in descending order of relevance. They stay the same.
  package func ranked(by keyPaths: [String], _ search: String) throws(Refusal) -> NumberedCollection {
    try check()
    if !isOfObjects { throw unsupportedQuery }
    try checkNotEmpty(keyPaths)
    let rows: [Int]
    do {
      rows = try query.rankedOrThrow(by: keyPaths, search, limit: nil).map(\.row)
    } catch {
      throw Refusal(of: error)
    }
    try realm.checkDamage()
    return NumberedCollection(realm, FixedRows(classNumber: classNumber, rows: rows))
  }

  /// A description of how the elements are computed, for developers.
  package func explanation() throws(Refusal) -> String {
    try check()
    let text = Results<DynamicObject>(core: query).explain()
    try realm.checkDamage()
    return text
  }
}

extension NumberedRealm {
  /// Throws unless a condition in predicate syntax is correct and fits a class.
  package func checkQuery(
    _ format: String, _ arguments: [NumberedArgument], for number: Int
  ) throws(Refusal) {
    _ = try predicate(format, arguments, try objects(number).query)
    try checkDamage()
  }

  /// A condition on the objects of a query.
  fileprivate func predicate(
    _ format: String, _ arguments: [NumberedArgument], _ query: ResultsCore,
    _ texts: TextConstants = .refused
  ) throws(Refusal) -> Predicate {
    var converted: [Argument] = []
    converted.reserveCapacity(arguments.count)
    for argument in arguments { converted.append(try self.argument(argument)) }
    do {
      return try query.resolve(PredicateExpression(format: format, arguments: converted), texts: texts)
    } catch let error as PredicateError {
      throw Refusal(error, in: format)
    } catch {
      throw Refusal(of: error)
    }
  }

  private func argument(_ argument: NumberedArgument) throws(Refusal) -> Argument {
    switch argument {
    case .value(.object(let object)):
      _ = try checkedTable(of: object)
      return .object(table: object.classNumber, row: object.row)
    case .value(.string(let bytes)) where !NumberedText.isStorable(bytes):
      throw Refusal(.invalidValue, "A text for the query is not UTF-8.")
    case .value(let value): return .value(value.stored)
    case .region(let region):
      try region.check()
      return .region(region)
    }
  }
}

extension GeographicRegion {
  /// Throws for numbers that no region has.
  fileprivate func check() throws(Refusal) {
    switch self {
    case .circle(let center, let radius):
      try center.check()
      if !(radius >= 0) {
        throw Refusal(.invalidValue, "The radius of a circle is \(radius), and not 0 or more.")
      }
    case .box(let southWest, let northEast):
      try southWest.check()
      try northEast.check()
    case .polygon(let rings):
      if rings.isEmpty { throw Refusal(.invalidValue, "A polygon has no ring.") }
      for ring in rings {
        for point in ring { try point.check() }
        if ring.count < 4 || ring.first != ring.last {
          throw Refusal(
            .invalidValue,
            "A ring of a polygon has \(ring.count) points. It needs at least 4, of which the last equals the first."
          )
        }
      }
    }
  }
}

extension GeographicPoint {
  fileprivate func check() throws(Refusal) {
    if abs(latitude) <= 90 && abs(longitude) <= 180 { return }
    throw Refusal(
      .invalidValue,
      "The latitude \(latitude) and the longitude \(longitude) are no position: latitudes are -90 to 90, and longitudes -180 to 180 degrees."
    )
  }
}
