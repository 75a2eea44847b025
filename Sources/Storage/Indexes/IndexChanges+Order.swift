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

  /// Calls the body with the rows of a range, ordered by key and row, and with whether the row's key, or as many of
  /// its values as are named, differs from that of the row before, until it returns false; the changes taken into
  /// account.
  package func forEachGroupedRow(
    in range: IndexRange = .all, partCount: Int? = nil, base: IndexReader?, ascending: Bool,
    _ body: (_ row: Int, _ startsGroup: Bool) -> Bool
  ) {
    IndexReader.forEachKind(of: range, ascending) { region in
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
        let startsGroup =
          last.map { partCount == nil ? $0.compareKey(pair) != 0 : !pair.begins(with: $0) } ?? true
        if startsGroup {
          kept.removeAll()
          let length = partCount.map { CompoundKey.length(ofParts: $0, in: pair.bytes) } ?? pair.length
          last = BytesPair(kept.copy(pair.start, length), length, row: 0)
        }
        return body(Int(pair.row), startsGroup)
      }
    }
  }
}

extension BytesPair {
  fileprivate var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: length) }

  /// Whether a key has the values of which another one is made.
  fileprivate func begins(with values: BytesPair) -> Bool {
    commonPrefix(values, atMost: values.length) == values.length
      && (length == values.length || bytes[values.length] != CompoundKey.escape)
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
