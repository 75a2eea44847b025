extension IndexReader {
  /// Calls the body with the rows of the pairs in the range, ordered by key and row, until it returns false.
  ///
  /// Does not build the keys, and is the way to read an order.
  package func forEachRow(in range: IndexRange, ascending: Bool = true, _ body: (Int) -> Bool) {
    IndexReader.forEachKind(of: range, ascending) { region in
      scan(region, ascending) { block, index in body(Int(block.row(index))) }
    } bytes: { region in
      scan(region, ascending) { block, index in body(Int(block.row(index))) }
    }
  }

  /// Calls the body with the pairs in the range, in order, until it returns false.
  package func forEach(in range: IndexRange, ascending: Bool = true, _ body: (IndexKey, Int) -> Bool) {
    IndexReader.forEachKind(of: range, ascending) { region in
      scan(region, ascending) { block, index in
        body(region.kind == .null ? .null : block.key(index), Int(block.row(index)))
      }
    } bytes: { region in
      scan(region, ascending) { block, index in body(block.key(index), Int(block.row(index))) }
    }
  }

  // MARK: Scanning

  /// The part of a range that has keys of one kind.
  struct Region<Pair: IndexPair> {
    var kind: IndexKeyKind
    /// The pairs from `lower` and before `upper`; nil for no bound.
    var lower: Pair?
    var upper: Pair?
  }

  /// Calls one of the bodies for each kind of which keys may be in the range, until one returns false.
  static func forEachKind(
    of range: IndexRange, _ ascending: Bool, integers: (Region<IntegerPair>) -> Bool,
    bytes: (Region<BytesPair>) -> Bool
  ) {
    if range.isEmpty { return }
    for kind in ascending ? IndexKeyKind.allCases : IndexKeyKind.allCases.reversed() {
      if let lower = range.lower, lower.kind.rawValue > kind.rawValue { continue }
      if let upper = range.upper, upper.kind.rawValue < kind.rawValue { continue }
      let lowerRow: UInt64 = range.includesLower ? 0 : .max
      let upperRow: UInt64 = range.includesUpper ? .max : 0
      let lower = range.lower?.kind == kind ? range.lower : nil
      let upper = range.upper?.kind == kind ? range.upper : nil
      let goesOn: Bool
      if kind == .bytes {
        goesOn = IndexReader.withPair(lower, lowerRow) { lower in
          IndexReader.withPair(upper, upperRow) { upper in
            bytes(Region(kind: kind, lower: lower, upper: upper))
          }
        }
      } else {
        goesOn = integers(
          Region(
            kind: kind, lower: IntegerPair(lower, row: lowerRow), upper: IntegerPair(upper, row: upperRow)))
      }
      if !goesOn { return }
    }
  }

  private static func withPair(_ key: IndexKey?, _ row: UInt64, _ body: (BytesPair?) -> Bool) -> Bool {
    guard case .bytes(let bytes) = key else { return body(nil) }
    return bytes.withUnsafeBytes { body(BytesPair($0, row: row)) }
  }

  /// Calls the body with the blocks and indices of the region's pairs, in order and with repetition, until it
  /// returns false. Returns what the body returned last, or true.
  @inline(__always)
  func scan<Pair: IndexPair>(
    _ region: Region<Pair>, _ ascending: Bool, _ body: (Pair.Block, Int) -> Bool
  ) -> Bool {
    forEachBlock(region, ascending) { block, range in
      block.forEachIndex(in: range, ascending: ascending) { body(block, $0) }
    }
  }

  /// Calls the body with the blocks, and the ranges of their indices, that hold the region's pairs.
  @inline(__always)
  func forEachBlock<Pair: IndexPair>(
    _ region: Region<Pair>, _ ascending: Bool, _ body: (Pair.Block, Range<Int>) -> Bool
  ) -> Bool {
    stopOnError { () throws(EntryError) in
      guard try moveToStart(region, ascending) else { return true }
      while true {
        let block = blocks.block(Pair.self)
        let count = block.count
        let start = region.lower.map { block.lowerBound($0) } ?? 0
        let end = region.upper.map { block.lowerBound($0) } ?? count
        let place = blocks.place
        let searches = blocks.searches
        if start < end, !body(block, start..<end) { return false }
        if ascending ? end < count : start > 0 { return true }
        // The body may have moved the cursor.
        if blocks.searches != searches { _ = try blocks.move(to: place) }
        guard
          ascending ? try blocks.moveToNext(region.kind) : try blocks.moveToPrevious(region.kind)
        else { return true }
      }
    }
  }

  /// Moves to the first block, or the last one when descending, in which pairs of the region may be.
  private func moveToStart<Pair: IndexPair>(
    _ region: Region<Pair>, _ ascending: Bool
  ) throws(EntryError) -> Bool {
    if let bound = ascending ? region.lower : region.upper {
      if try blocks.moveToLast(notAfter: bound, region.kind) { return true }
      return ascending ? try blocks.moveToFirst(region.kind) : false
    }
    return ascending ? try blocks.moveToFirst(region.kind) : try blocks.moveToLast(region.kind)
  }
}

extension IntegerPair {
  /// A bound of a range: nil for no key.
  init?(_ key: IndexKey?, row: UInt64) {
    switch key {
    case .null: self.init(key: 0, row: row)
    case .integer(let key): self.init(key: key, row: row)
    case .bytes, nil: return nil
    }
  }
}
