import QueryEngine
import Storage

/// Follows a query for objects: it remembers the rows that it found.
///
/// After a change that cannot concern it, nothing is evaluated. When only few rows have changed that a filter looks
/// at, these alone are tested again.
final class QueryTracker: CollectionTracker {
  let keyPaths: ObservedKeyPaths
  private let core: ResultsCore
  private(set) var rows: [Int] = []
  private let dependencies: QueryDependencies
  /// The filter, when there is nothing else: then rows are ascending.
  private let filter: Predicate?

  /// More changed rows than this share of those found are not looked up one by one.
  private static let fewRowsShare = 8
  /// Up to so many rows are tested without preparing the column-wise evaluation.
  private static let fewRows = 64

  init(_ core: ResultsCore, _ keyPaths: ObservedKeyPaths) {
    self.core = core
    dependencies = core.dependencies
    filter = core.onlyFilter
    self.keyPaths = keyPaths
  }

  func start() { rows = core.allRows }

  func update(_ context: ChangeContext) -> CollectionChangeSet {
    let number = core.classTable.table.number
    let modified = context.modifiedRows(table: number, keyPaths)
    let old = rows
    var result = CollectionChangeSet()
    if dependencies.areTouched(by: context.changes) {
      if let filter, dependencies.isLocal,
        let candidates = dependencies.candidates(in: context.changes),
        candidates.count <= max(256, old.count / Self.fewRowsShare)
      {
        result = test(candidates, filter, table: number)
      } else {
        rows = core.allRows
        if rows != old {
          // Those that were written are those that have moved, whatever the observer wants to know of them.
          lazy var written = context.modifiedRows(table: number, .everything)
          let difference = SequenceDifference(from: old, to: rows) { written.contains($0) }
          result.deletions = difference.deletions
          result.insertions = difference.insertions
        }
      }
    }
    if !modified.isEmpty {
      result.modifications = positions(of: modified, in: old).subtracting(result.deletions)
    }
    return result
  }

  /// Tests some rows again: those that have changed, are new or are gone.
  private func test(_ candidates: IndexRanges, _ filter: Predicate, table: Int) -> CollectionChangeSet {
    var result = CollectionChangeSet()
    let members = candidates.members
    let snapshot = core.realm.snapshot
    let matching = IndexRanges(
      members.count <= Self.fewRows
        ? members.filter { snapshot.matches(filter, table: table, row: $0) }
        : snapshot.evaluate(filter, table: table, rows: members))
    var leaving: [Int] = []
    var entering: [Int] = []
    for row in members {
      let (position, isFound) = position(of: row)
      if isFound, !matching.contains(row) { leaving.append(position) }
      if !isFound, matching.contains(row) { entering.append(row) }
    }
    result.deletions = IndexRanges(leaving)
    if leaving.count == 1 {
      rows.remove(at: leaving[0])
    } else if !leaving.isEmpty {
      rows = result.deletions.removed(from: rows)
    }
    if entering.count == 1 {
      rows.insert(entering[0], at: position(of: entering[0]).position)
    } else if let first = entering.first {
      if first > rows.last ?? -1 {
        rows.append(contentsOf: entering)
      } else {
        rows = Self.merge(rows, entering)
      }
    }
    result.insertions = IndexRanges(entering.map { position(of: $0).position })
    return result
  }

  private static func merge(_ left: [Int], _ right: [Int]) -> [Int] {
    var merged: [Int] = []
    merged.reserveCapacity(left.count + right.count)
    var next = 0
    for row in left {
      while next < right.count, right[next] < row {
        merged.append(right[next])
        next += 1
      }
      merged.append(row)
    }
    merged.append(contentsOf: right[next...])
    return merged
  }

  /// Where a row is, or would be, among ascending rows.
  private func position(of row: Int) -> (position: Int, isFound: Bool) {
    let position = (0..<rows.count).partitioningIndex { rows[$0] >= row }
    return (position, position < rows.count && rows[position] == row)
  }

  /// The positions of modified rows.
  private func positions(of modified: IndexRanges, in rows: [Int]) -> IndexRanges {
    var positions = IndexRanges()
    guard let first = modified.first, let last = modified.last else { return positions }
    if filter != nil {
      // Ascending rows: only those between the first and the last modified one are looked at.
      for range in modified.ranges {
        var position = (0..<rows.count).partitioningIndex { rows[$0] >= range.lowerBound }
        while position < rows.count, rows[position] < range.upperBound {
          positions.append(position..<position + 1)
          position += 1
        }
      }
      return positions
    }
    for (position, row) in rows.enumerated() where row >= first && row <= last && modified.contains(row) {
      positions.append(position..<position + 1)
    }
    return positions
  }
}
