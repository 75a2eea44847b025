import Storage

/// The decision to find rows through an index: which ranges of it, and what is left to test.
///
/// For use at once, as the plan that it belongs to.
final class IndexChoice {
  let lookup: IndexLookup
  let rest: Predicate
  /// About how many rows the index holds in the ranges.
  let estimate: Int
  private let table: Table
  private let few: RowSet?
  /// What the index gives.
  private(set) lazy var rows = few ?? lookup.rows(table)

  private init(_ lookup: IndexLookup, rest: Predicate, _ table: Table) {
    self.lookup = lookup
    self.rest = rest
    self.table = table
    // To find a few rows takes no longer than to guess how many they are.
    few = lookup.fewRows(table)
    estimate = few?.count ?? lookup.estimate(table)
  }

  /// The index and the key that nothing but an equality comes down to; nil for other predicates, and where no index helps.
  static func equality(_ predicate: Predicate, _ table: Table) -> (index: ValueIndex, key: IndexKey)? {
    guard case .value(.column(let column, let type), .compare(.equal, let value)) = predicate,
      TableIndex.exists(column, type, table), let key = IndexKey(equalTo: value)
    else { return nil }
    return (.column(column, ofTable: table.number), key)
  }

  /// The rows of nothing but an equality that few rows satisfy, which are found before a choice would be made.
  static func fewRows(equality predicate: Predicate, _ table: Table) -> RowSet? {
    guard let (index, key) = equality(predicate, table) else { return nil }
    return IndexLookup.fewRows(index, equalTo: key, table)
  }

  /// Whether finding the rows costs less than testing all of them.
  func isCheaper(than predicate: Predicate) -> Bool {
    cost < ScanCost(table).scan(predicate)
  }

  /// The exact number of rows that satisfy the predicate, when the index alone tells, and quicker than counting
  /// otherwise.
  func count(insteadOf predicate: Predicate) -> Int? {
    guard rest == .constant(true), !lookup.canOverlap, countCost < ScanCost(table).scan(predicate) else {
      return nil
    }
    return few?.count ?? lookup.count(table)
  }

  /// The way through an index that costs least, if any index helps.
  static func cheapest(_ predicate: Predicate, _ table: Table) -> IndexChoice? {
    let conjunction = Conjunction(predicate, table)
    var best: IndexChoice?
    // One range costs less to estimate than many.
    let lookups = conjunction.lookups(table).sorted {
      ($0.entries.count, $1.answered.count) < ($1.entries.count, $0.answered.count)
    }
    for lookup in lookups {
      if best != nil, lookup.entries.count > 1000 { continue }
      let choice = IndexChoice(lookup, rest: conjunction.rest(without: lookup.answered), table)
      if best.map({ choice.cost < $0.cost }) ?? true { best = choice }
      // Nothing can be much better than a few rows.
      if choice.estimate <= 16 && lookup.entries.count <= 1 { break }
    }
    return best
  }

  // MARK: Cost

  private static let seek = 1500.0
  private static let perRow = 6.0
  private static let perBlock = 60.0

  /// In nanoseconds, like the cost of a scan.
  private(set) lazy var cost: Double = {
    let costs = ScanCost(table)
    let chunks = min(estimate, table.chunkCount)
    return Double(lookup.entries.count) * Self.seek + Double(estimate) * Self.perRow
      + costs.test(rest, rows: min(chunks * chunkCapacity, table.rowLimit))
  }()

  private var countCost: Double {
    Double(lookup.entries.count) * Self.seek + Double(estimate) / 250 * Self.perBlock
  }
}
