import Testing

@testable import Storage

/// How blocks are filled, split, joined and found.
struct IndexMergeTests {
  private let file: IndexFile

  init() throws { file = try IndexFile() }

  private func insert(_ pairs: some Sequence<(IndexKey, Int)>, index: UInt32 = 1) throws {
    let changes = IndexChanges()
    for (key, row) in pairs { changes.insert(key, row: row) }
    try file.merge(changes, index: index)
  }

  private func remove(_ pairs: some Sequence<(IndexKey, Int)>) throws {
    let changes = IndexChanges()
    for (key, row) in pairs { changes.remove(key, row: row) }
    try file.merge(changes, index: 1)
  }

  private func blockCounts() throws -> [Int] {
    try file.blockCounts(index: 1, .integer, IntegerPair.self)
  }

  private func expectSound(pairs: Int) throws {
    let result = try file.read(index: 1) { $0.verify() }
    #expect(result.problems == [])
    #expect(result.pairs == pairs)
  }

  private func integers(_ numbers: some Sequence<Int>) -> [(IndexKey, Int)] {
    numbers.map { (.integer(UInt64($0)), $0) }
  }

  @Test func bulkLoadFillsBlocks() throws {
    try insert(integers(0..<100_000))
    let counts = try blockCounts()
    #expect(counts.dropLast().allSatisfy { $0 == IndexFormat.blockCapacity })
    try expectSound(pairs: 100_000)
  }

  @Test func appendingInManyCommitsFillsBlocks() throws {
    for start in stride(from: 0, to: 10_000, by: 100) { try insert(integers(start..<start + 100)) }
    let counts = try blockCounts()
    #expect(counts.dropLast().allSatisfy { $0 == IndexFormat.blockCapacity })
    try expectSound(pairs: 10_000)
  }

  @Test func insertingInTheMiddleSplitsInHalves() throws {
    try insert(integers(0..<3_021))
    #expect(try blockCounts() == [1_007, 1_007, 1_007])
    try insert([(.integer(1_500), 0)])
    #expect(try blockCounts() == [1_007, 504, 504, 1_007])
    try expectSound(pairs: 3_022)
  }

  @Test func smallRestsAreJoined() throws {
    try insert(integers(0..<3_021))
    try remove(integers(0..<1_000))
    #expect(try blockCounts() == [1_014 / 2, 1_014 / 2, 1_007])
    try remove(integers(1_000..<3_000))
    #expect(try blockCounts() == [21])
    try remove(integers(3_000..<3_021))
    #expect(try blockCounts() == [])
    try expectSound(pairs: 0)
    #expect(try file.read(index: 1) { $0.firstRow(equalTo: .integer(3)) } == nil)
  }

  @Test func bulkLoadOfCutKeys() throws {
    // More pairs than are merged at a time, and the place where the first part would end is among cut keys.
    let long = [UInt8](repeating: 120, count: 600)
    let pairs =
      (0..<20_000).map { (IndexKey("\(100_000 + $0)"), $0) }
      + (20_000..<60_000).map { (IndexKey.bytes(long + [UInt8($0 / 1_000)]), $0) }
      + (60_000..<100_000).map { (IndexKey("y\($0 / 100)"), $0) }
    try insert(pairs)
    try expectSound(pairs: 100_000)
    try file.read(index: 1) { reader in
      var next = 0
      reader.forEachRow(in: .all) { row in
        next += row == next ? 1 : 0
        return row == next - 1
      }
      #expect(next == 100_000)
      for row in stride(from: 0, to: 100_000, by: 1_000) {
        #expect(reader.firstRow(equalTo: pairs[row].0) == row)
      }
    }
    try insert([(.bytes(long), 0)])
    try expectSound(pairs: 100_001)
  }

  @Test func removingTheFirstPairMovesTheBlock() throws {
    try insert(integers(10..<20))
    try remove(integers(10..<11))
    try insert(integers(5..<6))
    try expectSound(pairs: 10)
    #expect(try blockCounts() == [10])
  }

  @Test func indexesDoNotTouchEachOther() throws {
    for index: UInt32 in [0, 1, 255, 256, .max] { try insert(integers(0..<2_000), index: index) }
    try file.write { try IndexChanges.dropIndex(255, in: $0, tree: file.tree) }
    for index: UInt32 in [0, 1, 256, .max] {
      #expect(try file.read(index: index) { $0.verify().pairs } == 2_000)
      #expect(try file.read(index: index) { !$0.isEmpty })
    }
    #expect(try file.read(index: 255) { $0.verify() } == IndexVerification())
    #expect(try file.read(index: 255) { $0.isEmpty })
    #expect(try file.read(index: 255) { $0.firstRow(integer: 0) } == nil)
    #expect(try file.read(index: 255) { $0.firstRow(integer: 5) } == nil)
  }

  enum Order: CaseIterable { case descending, ascending, inTheMiddle }

  /// Each key has a block of its own, and all are the same after the cut. Where each new one comes between the
  /// two before, the gap between their ordinals runs out.
  @Test(arguments: Order.allCases)
  func blocksOfCutKeys(_ order: Order) throws {
    var model = IndexModel()
    var low = UInt64.min
    var high = UInt64.max
    let count = order == .inTheMiddle ? 62 : 150
    for row in 0..<count {
      let middle = low + (high - low) / 2
      if row % 2 == 0 { high = middle } else { low = middle }
      let number =
        switch order {
        case .descending: UInt64(1_000 - row)
        case .ascending: UInt64(row)
        case .inTheMiddle: middle
        }
      let key = IndexKey.bytes(
        [UInt8](repeating: 120, count: 600) + withUnsafeBytes(of: number.bigEndian) { Array($0) }
          + [UInt8](repeating: 121, count: 3_000))
      model.insert(IndexModel.Pair(key: key, row: row))
      try insert([(key, row)])
      try file.read(index: 1) { reader in
        #expect(reader.verify().problems == [])
        #expect(reader.firstRow(equalTo: key) == row)
      }
    }
    var rows: [Int] = []
    try file.read(index: 1) { reader in
      reader.forEachRow(in: .all) { row in
        rows.append(row)
        return true
      }
      for pair in model.pairs { #expect(reader.firstRow(equalTo: pair.key) == pair.row) }
    }
    #expect(rows == model.pairs.map(\.row))
    #expect(try file.blockCounts(index: 1, .bytes, BytesPair.self).count == count)
    try remove(model.pairs.filter { $0.row % 3 > 0 }.map { ($0.key, $0.row) })
    try expectSound(pairs: (count + 2) / 3)
  }

  @Test func lookupsThroughADirectory() throws {
    // Enough lookups that a directory is made; key 5 fills several blocks and begins within one.
    let keys = (0..<30_000).map { $0 < 2_000 ? $0 / 600 : $0 < 6_000 ? 5 : $0 * 3 }
    try insert(keys.enumerated().map { (.integer(UInt64($1)), $0) })
    try insert(keys.enumerated().map { (IndexKey("key \($1)"), $0) })
    try insert([(.null, 4), (.null, 3)])
    let firstRows = Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: min)
    try file.read(index: 1) { reader in
      for round in 0..<3 {
        for key in stride(from: 0, to: 90_100, by: 29 - round) {
          let number = round == 2 ? 90_000 - key : key
          if number < 0 { continue }
          #expect(reader.firstRow(integer: UInt64(number)) == firstRows[number])
          #expect(reader.firstRow(equalTo: IndexKey("key \(number)")) == firstRows[number])
        }
        for number in 0..<7 {
          #expect(reader.firstRow(integer: UInt64(number)) == firstRows[number])
          #expect(reader.firstRow(equalTo: IndexKey("key \(number)")) == firstRows[number])
          let rows = keys.indices.filter { keys[$0] == number }
          for key in [.integer(UInt64(number)), IndexKey("key \(number)")] {
            var found: [Int] = []
            reader.forEachRow(equalTo: key) { row in
              found.append(row)
              return true
            }
            #expect(found == rows)
          }
        }
      }
      #expect(reader.firstRow(equalTo: .null) == 3)
    }
  }

  @Test func readersMoveToNewVersions() throws {
    try insert(integers(0..<5_000))
    var first: EntryTransaction?
    let reader: IndexReader = try file.read { transaction in
      first = transaction
      let reader = IndexReader(transaction: transaction, tree: file.tree, index: 1)
      // From block to block, so that a directory is made; and in the end where a removal follows.
      for key in 0..<5_000 {
        #expect(reader.firstRow(integer: UInt64(key * 1_013 % 5_000)) == key * 1_013 % 5_000)
      }
      #expect(reader.firstRow(integer: 1_500) == 1_500)
      return reader
    }
    #expect(first != nil)
    try remove(integers(1_000..<2_000))
    try insert(integers(9_000..<9_010))
    try file.read { transaction in
      reader.renew(transaction: transaction)
      #expect(reader.firstRow(integer: 1_500) == nil)
      #expect(reader.firstRow(integer: 2_500) == 2_500)
      #expect(reader.firstRow(integer: 9_005) == 9_005)
      #expect(!reader.isEmpty && !reader.isEmpty)
    }
    try remove(integers(0..<1_000) + integers(2_000..<5_000) + integers(9_000..<9_010))
    try file.read { transaction in
      reader.renew(transaction: transaction)
      #expect(reader.isEmpty && reader.isEmpty)
    }
    try insert(integers(7..<8))
    try file.read { transaction in
      reader.renew(transaction: transaction)
      #expect(!reader.isEmpty)
    }
  }

  @Test func bodiesMayUseTheReader() throws {
    try insert(integers(0..<5_000))
    try insert((0..<5_000).map { (IndexKey("\($0)"), $0) })
    try file.read(index: 1) { reader in
      for ascending in [true, false] {
        var rows: [Int] = []
        reader.forEachRow(in: IndexRange(from: .integer(0), through: .integer(.max)), ascending: ascending) {
          row in
          rows.append(row)
          #expect(reader.firstRow(equalTo: IndexKey("\(4_999 - row)")) == 4_999 - row)
          return true
        }
        #expect(rows == (ascending ? Array(0..<5_000) : (0..<5_000).reversed()))
      }
    }
  }

  @Test func loopsEndWhenTheBodySaysSo() throws {
    try insert(integers(0..<5_000))
    let changes = IndexChanges()
    changes.insert(integer: 2, row: 1)
    try file.read(index: 1) { reader in
      for limit in [1, 3, 2_000] {
        var count = 0
        let body: (Int) -> Bool = { _ in
          count += 1
          return count < limit
        }
        reader.forEachRow(in: .all, body)
        #expect(count == limit)
        count = 0
        changes.forEachRow(in: .all, base: reader, body)
        #expect(count == limit)
      }
    }
  }

  @Test func additionsAndRemovalsCancelOut() throws {
    try insert(integers(0..<10))
    let changes = IndexChanges()
    changes.insert(integer: 3, row: 8)
    changes.remove(integer: 3, row: 8)
    changes.remove(IndexKey.integer(4), row: 4)
    changes.insert(.integer(4), row: 4)
    changes.insert("ab".key, row: 1)
    changes.remove("ab".key, row: 1)
    changes.insert(.null, row: 1)
    changes.remove(.null, row: 1)
    #expect(changes.isEmpty)
    // One of two equal pairs.
    changes.insert(integer: 5, row: 5)
    #expect(!changes.isEmpty)
    changes.remove(integer: 5, row: 5)
    #expect(changes.isEmpty)
    changes.insert(integer: 5, row: 5)
    try file.merge(changes, index: 1)
    try expectSound(pairs: 11)
    try remove(integers(5..<6))
    #expect(try file.read(index: 1) { $0.firstRow(integer: 5) } == 5)
    try remove(integers(5..<6))
    #expect(try file.read(index: 1) { $0.firstRow(integer: 5) } == nil)
  }

  /// As from a list that holds the same object over and over.
  @Test(arguments: [IndexKey.null, .integer(5), .bytes([5]), .bytes(.init(repeating: 5, count: 700))])
  func manyCopiesOfAPair(_ key: IndexKey) throws {
    try insert([(key, 6), (key, 8)])
    try insert(repeatElement((key, 7), count: 5_000))
    try insert(repeatElement((key, 7), count: 70_000))
    try expectSound(pairs: 75_002)
    #expect(try file.read(index: 1) { $0.estimatedCount(in: .equal(to: key)) } == 75_002)
    try remove(repeatElement((key, 7), count: 74_998))
    let changes = IndexChanges()
    changes.remove(key, row: 7)
    changes.insert(key, row: 6)
    var rows: [[Int]] = [[], []]
    try file.read(index: 1) { reader in
      reader.forEachRow(equalTo: key) { row in
        rows[0].append(row)
        return true
      }
      changes.forEachRow(equalTo: key, base: reader) { row in
        rows[1].append(row)
        return true
      }
    }
    #expect(rows == [[6, 7, 7, 8], [6, 6, 7, 8]])
    try remove([(key, 6), (key, 7), (key, 7), (key, 8)])
    #expect(try file.read(index: 1) { $0.verify() } == IndexVerification())
  }

  @Test func estimates() throws {
    try insert(integers(0..<100_000))
    try insert((0..<100_000).map { (IndexKey("name \(100_000 + $0)"), $0) })
    try file.read(index: 1) { reader in
      func estimate(_ range: IndexRange) -> Int { reader.estimatedCount(in: range) }
      #expect(estimate(.equal(to: .integer(7))) == 1)
      #expect(estimate(.equal(to: .null)) == 0)
      #expect(estimate(IndexRange(from: .integer(10), upTo: .integer(5_010))) == 5_000)
      #expect((45_000...55_000).contains(estimate(IndexRange(from: .integer(50_000), upTo: IndexKey("")))))
      #expect(estimate(.prefix(Array("name 1234".utf8))) == 100)
      #expect((50_000...200_000).contains(estimate(.prefix(Array("name".utf8)))))
    }
  }

  @Test func verificationFindsDamage() throws {
    try insert(integers(0..<3_000))
    try file.write { transaction in
      let cursor = try BlockCursor(transaction: transaction, tree: file.tree, index: 1)
      defer { cursor.close() }
      #expect(try cursor.moveToFirst(.integer))
      let key = cursor.keyBytes
      let value = Array(cursor.content)
      // The first block once more, in the place of the second.
      #expect(try cursor.moveToNext(.integer))
      let second = cursor.keyBytes
      try transaction.store(file.tree, key: second, value)
      // And cut short in its own.
      try transaction.store(file.tree, key: key, Array(value.prefix(19)))
    }
    let problems = try file.read(index: 1) { $0.verify().problems }
    #expect(problems == ["block 0: no header", "block 1: the key is not that of its first pair"])
  }
}

extension String {
  fileprivate var key: IndexKey { IndexKey(self) }
}
