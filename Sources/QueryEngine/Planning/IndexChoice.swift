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
  /// What the index gives.
  private(set) lazy var rows = lookup.rows(table)

  private init(_ lookup: IndexLookup, rest: Predicate, estimate: Int, _ table: Table) {
    self.lookup = lookup
    self.rest = rest
    self.estimate = estimate
    self.table = table
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
    return lookup.count(table)
  }

  /// The way through the index that leaves the fewest rows to test, if any index helps.
  static func mostSelective(_ predicate: Predicate, _ table: Table) -> IndexChoice? {
    let parts = predicate.conjuncts
    var best: (lookup: IndexLookup, answered: Set<Int>, estimate: Int)?
    for (lookup, answered) in lookups(parts, table) {
      if best != nil, lookup.entries.count > 1000 { continue }
      let estimate = lookup.estimate(table)
      if best.map({ estimate < $0.estimate }) ?? true { best = (lookup, answered, estimate) }
      // Nothing can be much better than a few rows.
      if estimate <= 16 { break }
    }
    guard let best else { return nil }
    let rest = parts.indices.filter { !best.lookup.isExact || !best.answered.contains($0) }.map { parts[$0] }
    return IndexChoice(
      best.lookup, rest: rest.isEmpty ? .constant(true) : rest.count == 1 ? rest[0] : .and(rest),
      estimate: best.estimate, table)
  }

  private static let lookupLimit = 64

  /// What the parts of a conjunction come down to on indexes, and which parts these are.
  private static func lookups(
    _ parts: [Predicate], _ table: Table
  ) -> [(lookup: IndexLookup, answered: Set<Int>)] {
    var found: [(lookup: IndexLookup, answered: Set<Int>)] = []
    for (position, part) in parts.enumerated() {
      // One of so many ways is good enough.
      if found.count == lookupLimit { break }
      guard let lookup = IndexLookup(part, table) else { continue }
      // Two bounds of one property are one range.
      let merged = found.indices.lazy.compactMap { place in
        found[place].lookup.intersection(lookup).map { (place, $0) }
      }
      if let (place, both) = merged.first {
        found[place].lookup = both
        found[place].answered.insert(position)
      } else {
        found.append((lookup, [position]))
      }
    }
    // One range costs less to estimate than many.
    return found.sorted { $0.lookup.entries.count < $1.lookup.entries.count }
  }

  // MARK: Cost

  private static let seek = 1500.0
  private static let perRow = 6.0
  private static let perBlock = 60.0

  /// In nanoseconds, like the cost of a scan.
  private var cost: Double {
    let costs = ScanCost(table)
    let chunks = min(estimate, table.chunkCount)
    return Double(lookup.entries.count) * Self.seek + Double(estimate) * Self.perRow
      + costs.test(rest, rows: min(chunks * chunkCapacity, table.rowLimit))
  }

  private var countCost: Double {
    Double(lookup.entries.count) * Self.seek + Double(estimate) / 250 * Self.perBlock
  }
}

extension Predicate {
  /// The conditions all of which must hold.
  fileprivate var conjuncts: [Predicate] {
    if case .and(let operands) = self { return operands.flatMap(\.conjuncts) }
    return [self]
  }
}
