// Reading value indexes in their order: ranges, prefixes and sorts. What an open write transaction has changed is
// taken into account.
extension Snapshot {
  /// Whether the rows of a column can be found by their values.
  package func hasIndex(table: Int, column: Int) -> Bool {
    let description = catalogue.tables[table].columns[column]
    return description.collection == .none && description.hasValueIndex
  }

  /// Calls the body with the rows whose values are in a range, ordered by value and row, until it returns false.
  ///
  /// The column must have an index.
  package func forEachRow(
    table: Int, column: Int, in range: IndexRange, ascending: Bool = true, _ body: (Int) -> Bool
  ) {
    let index = IndexNumber.values(table: table, column: column)
    let reader = indexReader(index)
    if let changes = writing?.indexChanges[index], !changes.isEmpty {
      changes.forEachRow(in: range, base: reader, ascending: ascending, body)
    } else {
      reader.forEachRow(in: range, ascending: ascending, body)
    }
  }

  /// Likewise for all rows; the body also learns whether the row's value differs from that of the row before.
  package func forEachGroupedRow(
    table: Int, column: Int, ascending: Bool = true, _ body: (_ row: Int, _ startsGroup: Bool) -> Bool
  ) {
    let index = IndexNumber.values(table: table, column: column)
    let changes = writing?.indexChanges[index] ?? IndexChanges()
    changes.forEachGroupedRow(base: indexReader(index), ascending: ascending, body)
  }

  /// The number of rows whose values are in a range. Complexity: O(rows in the range / a few hundred).
  package func rowCount(table: Int, column: Int, in range: IndexRange) -> Int {
    let index = IndexNumber.values(table: table, column: column)
    let stored = indexReader(index).count(in: range)
    return stored + (writing?.indexChanges[index]?.countDifference(in: range) ?? 0)
  }

  /// Roughly that number, in microseconds: exact for a few thousand rows.
  package func estimatedRowCount(table: Int, column: Int, in range: IndexRange) -> Int {
    let index = IndexNumber.values(table: table, column: column)
    let stored = indexReader(index).estimatedCount(in: range)
    return max(0, stored + (writing?.indexChanges[index]?.countDifference(in: range) ?? 0))
  }
}

extension IndexReader {
  /// The number of pairs in a range. Reads the headers of the blocks only, but for the first and the last.
  package func count(in range: IndexRange) -> Int {
    var total = 0
    IndexReader.forEachKind(of: range, true) { region in
      forEachBlock(region, true) { block, range in
        total += block.total(range)
        return true
      }
    } bytes: { region in
      forEachBlock(region, true) { block, range in
        total += block.total(range)
        return true
      }
    }
    return total
  }
}

extension IndexChanges {
  /// How many more pairs of a range there are with the changes than without them.
  func countDifference(in range: IndexRange) -> Int {
    var difference = 0
    IndexReader.forEachKind(of: range, true) { region in
      difference += (region.kind == .null ? nulls : integers).countDifference(in: region)
      return true
    } bytes: { region in
      difference += bytes.countDifference(in: region)
      return true
    }
    return difference
  }

  /// Calls the body with all rows, ordered by key and row, and with whether the row's key differs from that of the
  /// row before, until it returns false; the changes taken into account.
  package func forEachGroupedRow(
    base: IndexReader?, ascending: Bool, _ body: (_ row: Int, _ startsGroup: Bool) -> Bool
  ) {
    IndexReader.forEachKind(of: .all, ascending) { region in
      var last: IntegerPair?
      return (region.kind == .null ? nulls : integers).scan(region, base, ascending: ascending) { pair in
        let startsGroup = last?.key != pair.key
        last = pair
        return body(Int(pair.row), startsGroup)
      }
    } bytes: { region in
      // The pairs' bytes are gone with the next pair.
      let kept = KeyArena()
      var last: BytesPair?
      return bytes.scan(region, base, ascending: ascending) { pair in
        let startsGroup = last?.with(row: pair.row) != pair
        if startsGroup {
          kept.removeAll()
          last = BytesPair(kept.copy(pair.start, pair.length), pair.length, row: 0)
        }
        return body(Int(pair.row), startsGroup)
      }
    }
  }
}

extension PairChanges {
  /// Removed pairs are in the file, and added ones are not.
  func countDifference(in region: IndexReader.Region<Pair>) -> Int {
    added.count(from: region.lower, to: region.upper) - removed.count(from: region.lower, to: region.upper)
  }
}

extension SortedPairs {
  /// The number of pairs that are not before `lower` and are before `upper`; nil for no bound.
  func count(from lower: Pair?, to upper: Pair?) -> Int {
    if isEmpty { return 0 }
    return place(of: upper.map(lowerBound) ?? end) - place(of: lower.map(lowerBound) ?? start)
  }
}
