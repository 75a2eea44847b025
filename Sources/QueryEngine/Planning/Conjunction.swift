import Storage

/// Conditions all of which must hold, and what they say of the columns that are in indexes.
struct Conjunction {
  /// What some of the conditions say of one column.
  struct Bounds {
    /// In which all its values must be: ascending, without overlaps.
    var ranges: [IndexRange]
    /// The positions of the conditions that all values in the ranges satisfy.
    var answered: [Int]

    /// Whether each of the ranges has one value.
    var hasSingleValues: Bool { ranges.allSatisfy { $0.key != nil } }

    fileprivate func intersection(_ other: Bounds) -> Bounds {
      // Of two lists of values one is enough; what the other says is tested.
      if ranges.count > 1 && other.ranges.count > 1 {
        return ranges.count <= other.ranges.count ? self : other
      }
      let both = ranges.flatMap { range in other.ranges.map { range.intersection($0) } }
      return Bounds(ranges: both.filter { !$0.isEmpty }, answered: answered + other.answered)
    }
  }

  let parts: [Predicate]
  /// By column.
  private(set) var bounds: [Int: Bounds] = [:]

  init(_ predicate: Predicate, _ table: Table) {
    parts = predicate.conjuncts
    let compoundColumns = Set(table.description.indexes.flatMap(\.columns))
    for (position, part) in parts.enumerated() {
      guard case .value(.column(let column, let type), let condition) = part,
        compoundColumns.contains(column) || TableIndex(column: column, type, table) != nil,
        let (ranges, isExact) = condition.indexBounds(type)
      else { continue }
      let added = Bounds(ranges: ranges.filter { !$0.isEmpty }, answered: isExact ? [position] : [])
      bounds[column] = bounds[column]?.intersection(added) ?? added
    }
  }

  /// What is left to test when some of the conditions are known to hold.
  func rest(without answered: [Int]) -> Predicate {
    let answered = Set(answered)
    let rest = parts.indices.filter { !answered.contains($0) }.map { parts[$0] }
    return rest.isEmpty ? .constant(true) : rest.count == 1 ? rest[0] : .and(rest)
  }

  private static let alternativeLimit = 64

  /// The ways to the rows through indexes.
  func lookups(_ table: Table) -> [IndexLookup] {
    var found = lookupsOfBounds(table)
    for (position, part) in parts.enumerated() {
      // One of so many ways is good enough.
      if found.count >= Self.alternativeLimit { break }
      guard case .or(let operands) = part else { continue }
      if let lookup = IndexLookup(alternatives: operands, position, table) { found.append(lookup) }
    }
    return found
  }

  /// Those that do not come from alternatives.
  func lookupsOfBounds(_ table: Table) -> [IndexLookup] {
    var found: [IndexLookup] = []
    let compound = TableIndex.compound(table)
    for column in bounds.keys.sorted() {
      let own = TableIndex(column: column, table.description.columns[column].type, table)
      if let own, let lookup = IndexLookup(own, self) { found.append(lookup) }
      for index in compound where index.columns[0] == column {
        // Of the first column alone an index of its own says as much.
        if own != nil && bounds[index.columns[1]] == nil { continue }
        if let lookup = IndexLookup(index, self) { found.append(lookup) }
      }
    }
    return found
  }
}

extension Predicate {
  /// The conditions all of which must hold.
  fileprivate var conjuncts: [Predicate] {
    if case .and(let operands) = self { return operands.flatMap(\.conjuncts) }
    return [self]
  }
}

extension IndexRange {
  /// The key when the range holds no other.
  var key: IndexKey? {
    guard let lower, lower == upper, includesLower, includesUpper else { return nil }
    return lower
  }
}
