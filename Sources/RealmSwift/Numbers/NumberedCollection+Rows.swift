import QueryEngine
import Storage

extension NumberedCollection {
  /// What copies the rows of objects.
  func rowCopier() -> RowCopier {
    let table = realm.core.snapshot.table(classNumber)
    switch content {
    case .backing(let backing):
      return RowCopier(source: .stored(backing.stored.unsafelyUnwrapped), table: table)
    case .snapshot(let rows): return RowCopier(source: .fixed(rows.rows), table: table)
    case .results(let query):
      // All rows of a table, none missing, are their own positions.
      let isDense =
        query.onlyFilters?.isEmpty ?? false && table.state.pointee.liveCount == table.rowLimit
      return RowCopier(source: isDense ? .dense : .query(query), table: table)
    }
  }
}

/// Copies rows of a collection into memory that is given, without a list of all of them.
struct RowCopier {
  enum Source {
    /// Links of a list, set or map.
    case stored(StoredCollection)
    case fixed([Int])
    case dense
    case query(ResultsCore)
  }

  let source: Source
  let table: Table

  /// Copies rows from a position on, -1 for null and for objects that do not exist. Returns how many there were.
  func copy(from start: Int, to target: UnsafeMutableBufferPointer<Int64>) -> Int {
    let capacity = target.count
    if capacity == 0 { return 0 }
    switch source {
    case .stored(let stored):
      let count = Self.count(stored.count, start, capacity)
      for index in 0..<count {
        target[index] = stored.read(start &+ index) { $0.isNull($1) ? -1 : $0.integer($1) }
      }
      return count
    case .fixed(let rows):
      let count = Self.count(rows.count, start, capacity)
      for index in 0..<count {
        let row = rows[start &+ index]
        target[index] = table.isAlive(row) ? Int64(row) : -1
      }
      return count
    case .dense:
      let count = Self.count(table.rowLimit, start, capacity)
      for index in 0..<count { target[index] = Int64(start &+ index) }
      return count
    case .query(let query):
      // Asked first, so that the rows are found once, and not counted before.
      guard let first = query.row(ifAt: start) else { return 0 }
      target[0] = Int64(first)
      let count = Self.count(query.count, start, capacity)
      for index in 1..<max(count, 1) { target[index] = Int64(query.row(at: start &+ index)) }
      return count
    }
  }

  private static func count(_ all: Int, _ start: Int, _ capacity: Int) -> Int {
    start >= all ? 0 : min(all - start, capacity)
  }
}
