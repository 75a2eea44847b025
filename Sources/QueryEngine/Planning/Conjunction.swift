import Storage

/// Conditions all of which must hold, and what they say of the columns that are in indexes.
struct Conjunction {
  /// What some of the conditions say of one column.
  struct Bounds {
    let column: Int
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
      return Bounds(column: column, ranges: both.filter { !$0.isEmpty }, answered: answered + other.answered)
    }
  }

  let parts: [Predicate]
  /// One for each column, of which there are few.
  private(set) var bounds: [Bounds] = []

  init(_ predicate: Predicate, _ table: Table) {
    parts = predicate.conjuncts
    let indexes = table.compoundIndexes
    for (position, part) in parts.enumerated() {
      guard case .value(.column(let column, let type), let condition) = part,
        indexes.contains(where: { $0.columns.contains(column) }) || TableIndex.exists(column, type, table),
        let (ranges, isExact) = condition.indexBounds(type)
      else { continue }
      let some = ranges.contains(where: \.isEmpty) ? ranges.filter { !$0.isEmpty } : ranges
      let added = Bounds(column: column, ranges: some, answered: isExact ? [position] : [])
      if let place = bounds.firstIndex(where: { $0.column == column }) {
        bounds[place] = bounds[place].intersection(added)
      } else {
        bounds.append(added)
      }
    }
  }

  func bounds(of column: Int) -> Bounds? { bounds.first { $0.column == column } }

  /// What is left to test when some of the conditions are known to hold.
  func rest(without answered: [Int]) -> Predicate {
    if answered.count == parts.count { return .constant(true) }
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

  /// Returns the index lookups that do not come from alternatives.
  func lookupsOfBounds(_ table: Table) -> [IndexLookup] {
    var found: [IndexLookup] = []
    let compound = table.compoundIndexes
    for bounds in bounds {
      let own = TableIndex(column: bounds.column, table)
      if let own, let lookup = IndexLookup(own, self) { found.append(lookup) }
      for index in compound where index.columns[0] == bounds.column {
        // Of the first column alone an index of its own says as much.
        if own != nil && self.bounds(of: index.columns[1]) == nil { continue }
        if let lookup = IndexLookup(TableIndex(index, table), self) { found.append(lookup) }
      }
    }
    return found
  }
}

extension Predicate {
  /// The conditions all of which must hold.
  fileprivate var conjuncts: [Predicate] {
    guard case .and(let operands) = self else { return [self] }
    return operands.contains(where: \.isConjunction) ? operands.flatMap(\.conjuncts) : operands
  }

  private var isConjunction: Bool {
    if case .and = self { true } else { false }
  }
}

extension IndexRange {
  /// The key when the range holds no other.
  var key: IndexKey? {
    guard let lower, lower == upper, includesLower, includesUpper else { return nil }
    return lower
  }
}
