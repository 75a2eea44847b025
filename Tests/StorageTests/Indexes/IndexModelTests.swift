import TestSupport
import Testing

@testable import Storage

/// Random changes to an index, compared with a plain sorted array after every few of them.
struct IndexModelTests {
  /// Families of keys that try different parts of the format.
  enum Keys: CaseIterable {
    case dense, sparse, few, withNulls, shortStrings, repeatedStrings, zeros, long, longCut, uuids, copies,
      everything

    func random(_ generator: inout SeededGenerator) -> IndexKey {
      func integer(below limit: UInt64) -> UInt64 { UInt64.random(in: 0..<limit, using: &generator) }
      func text(_ count: Int, _ letters: ClosedRange<UInt8>) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: letters, using: &generator) }
      }
      // Eight at a time.
      func bytes(_ count: Int) -> [UInt8] {
        var word: UInt64 = 0
        return (0..<count).map { place in
          word = place % 8 == 0 ? generator.next() : word >> 8
          return UInt8(truncatingIfNeeded: word)
        }
      }
      switch self {
      case .dense: return .integer(integer(below: 5_000))
      case .sparse:
        // Differences that need every width, and the ends.
        return .integer(
          [0, .max, integer(below: .max), integer(below: 70_000)].randomElement(using: &generator)!)
      case .few: return .integer(integer(below: 3))
      case .withNulls: return integer(below: 2) == 0 ? .null : IndexKey(Int64(integer(below: 100)) - 50)
      case .shortStrings: return .bytes(text(Int(integer(below: 12)), 97...100))
      case .repeatedStrings: return .bytes(Array("country \(integer(below: 9))".utf8))
      case .zeros: return .bytes(text(Int(integer(below: 11)), 0...1))
      case .long: return .bytes(bytes(Int(integer(below: 600))))
      case .longCut:
        // Equal for longer than a block's key is, some of them doubled in length by zeros.
        let beginning = [UInt8](
          repeating: UInt8(integer(below: 2)) * 97, count: 450 + Int(integer(below: 4)) * 20)
        let end = [UInt8](repeating: 7, count: Int(integer(below: 700)))
        return .bytes(beginning + text(Int(integer(below: 5)), 0...3) + end)
      case .uuids:
        return IndexKey(Fixed16(high: integer(below: 300), low: integer(below: .max)))
      case .copies:  // together with few rows
        return [.null, .integer(integer(below: 3)), .bytes([1, 2])].randomElement(using: &generator)!
      case .everything:
        return Keys.allCases[Int(integer(below: UInt64(Keys.allCases.count - 1)))].random(&generator)
      }
    }
  }

  @Test(arguments: Keys.allCases)
  func randomChanges(_ keys: Keys) throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("index model test, keys \(keys), seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let file = try IndexFile()
    var model = IndexModel()
    let neighbour = IndexChanges()
    for row in 0..<3_000 {
      neighbour.insert(.integer(UInt64(row) * 7), row: row)
      neighbour.insert(.bytes(Array("\(row)".utf8)), row: row)
    }
    for index: UInt32 in [6, 8] { try file.merge(neighbour, index: index) }

    for commit in 0..<TestLength.count(15, long: 27) {
      let changes = IndexChanges()
      try file.read(index: 7) { base in
        change(changes, &model, keys, &generator)
        // What is gathered between two looks comes to what was there before.
        if commit % 3 == 0 {
          #expect(collect { changes.forEachRow(in: .all, base: base, $0) } == model.pairs.map(\.row))
          change(changes, &model, keys, &generator)
        }
        for _ in 0..<4 {
          let key = someKey(keys, model, &generator)
          #expect(changes.firstRow(equalTo: key, base: base) == model.rows(equalTo: key).first)
          #expect(collect { changes.forEachRow(equalTo: key, base: base, $0) } == model.rows(equalTo: key))
          let range = someRange(keys, model, &generator)
          let expected = model.pairs(in: range).map(\.row)
          #expect(collect { changes.forEachRow(in: range, base: base, $0) } == expected)
          #expect(
            collect { changes.forEachRow(in: range, base: base, ascending: false, $0) } == expected.reversed()
          )
        }
      }
      if commit % 13 == 12 {
        try file.write { try IndexChanges.dropIndex(7, in: $0, tree: file.tree) }
        model.removeAll()
      } else {
        try file.merge(changes, index: 7)
      }
      if commit % 10 == 0 { try file.reopen() }
      try file.read(index: 7) { try check($0, keys, model, &generator) }
    }
    for index: UInt32 in [6, 8] {
      let result = try file.read(index: index) { $0.verify() }
      #expect(result.problems == [])
      #expect(result.pairs == 6_000)
    }
  }

  private func change(
    _ changes: IndexChanges, _ model: inout IndexModel, _ keys: Keys, _ generator: inout SeededGenerator
  ) {
    // Small commits, bulk commits, growing and shrinking ones.
    let count = [1, 3, 50, 400, 3_000].randomElement(using: &generator)!
    let removals = Int.random(in: 0...10, using: &generator)
    let isAscending = Int.random(in: 0..<4, using: &generator) == 0
    let isGathering = Bool.random(using: &generator)
    var added = (0..<count).map { _ in
      IndexModel.Pair(
        key: keys.random(&generator),
        row: Int.random(in: 0..<(keys == .copies ? 400 : 100_000), using: &generator))
    }
    if isAscending { added.sort() }
    for pair in added {
      if Int.random(in: 0..<10, using: &generator) < removals, !model.pairs.isEmpty {
        // Pairs of the file, and pairs added just before.
        let old = model.pairs.randomElement(using: &generator)!
        changes.remove(old.key, row: old.row)
        model.remove(old)
      } else {
        // Words are gathered, and put in order once somebody looks.
        if case .bytes(let bytes) = pair.key, isGathering {
          bytes.withUnsafeBytes { changes.gather(bytes: $0, row: pair.row) }
        } else {
          changes.insert(pair.key, row: pair.row)
        }
        model.insert(pair)
        if Int.random(in: 0..<20, using: &generator) == 0 {  // the same pair twice
          changes.insert(pair.key, row: pair.row)
          model.insert(pair)
        }
      }
    }
  }

  private func check(
    _ reader: IndexReader, _ keys: Keys, _ model: IndexModel, _ generator: inout SeededGenerator
  ) throws {
    let result = reader.verify()
    #expect(result.problems == [])
    try #require(result.pairs == model.pairs.count)
    var all: [IndexModel.Pair] = []
    reader.forEach(in: .all) { key, row in
      all.append(IndexModel.Pair(key: key, row: row))
      return true
    }
    try #require(all == model.pairs)
    for _ in 0..<6 {
      let key = someKey(keys, model, &generator)
      let rows = model.rows(equalTo: key)
      #expect(reader.firstRow(equalTo: key) == rows.first)
      #expect(collect { reader.forEachRow(equalTo: key, $0) } == rows)
      let range = someRange(keys, model, &generator)
      let expected = model.pairs(in: range)
      #expect(collect { reader.forEachRow(in: range, $0) } == expected.map(\.row))
      var reversed: [IndexModel.Pair] = []
      reader.forEach(in: range, ascending: false) { key, row in
        reversed.append(IndexModel.Pair(key: key, row: row))
        return reversed.count < 2_000
      }
      #expect(reversed == Array(expected.reversed().prefix(2_000)))
    }
  }

  private func collect(_ loop: ((Int) -> Bool) -> Void) -> [Int] {
    var rows: [Int] = []
    loop { row in
      rows.append(row)
      return true
    }
    return rows
  }

  /// A key that is mostly there.
  private func someKey(_ keys: Keys, _ model: IndexModel, _ generator: inout SeededGenerator) -> IndexKey {
    if Bool.random(using: &generator), let pair = model.pairs.randomElement(using: &generator) {
      return pair.key
    }
    return keys.random(&generator)
  }

  private func someRange(
    _ keys: Keys, _ model: IndexModel, _ generator: inout SeededGenerator
  ) -> IndexRange {
    let a = someKey(keys, model, &generator)
    let b = someKey(keys, model, &generator)
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: return IndexRange(from: a, through: nil)
    case 1: return IndexRange(after: a, upTo: nil)
    case 2: return IndexRange(from: nil, upTo: a)
    case 3: return IndexRange(from: nil, through: a)
    case 4: return IndexRange(from: min(a, b), through: max(a, b))
    case 5: return IndexRange(after: min(a, b), upTo: max(a, b))
    case 6: return IndexRange(from: a, upTo: b)
    case 7: return .notNull
    default:
      if case .bytes(let bytes) = a {
        return .prefix(Array(bytes.prefix(Int.random(in: 0...6, using: &generator))))
      }
      return .equal(to: a)
    }
  }
}
