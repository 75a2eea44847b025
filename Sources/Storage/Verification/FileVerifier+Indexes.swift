// Indexes: each block by itself, the order of the blocks, and whether all pairs are those that the columns say.
extension FileVerifier {
  func checkIndexes() {
    var pass = IndexPass(self)
    pass.run()
    for (table, description) in catalogue.tables.enumerated() where !description.isRemoved {
      for (column, description) in description.columns.enumerated() where !description.isRemoved {
        if description.hasValueIndex {
          compare(IndexNumber.values(table: table, column: column), pass, table, column, "index")
        }
        if description.type == .link || description.type == .mixed {
          compare(
            IndexNumber.backlinks(table: table, column: column), pass, table, column, "index of links")
        } else if description.isFullText {
          compare(IndexNumber.words(table: table, column: column), pass, table, column, "index of words")
        }
      }
    }
  }

  private func compare(_ index: UInt32, _ pass: IndexPass, _ table: Int, _ column: Int, _ name: String) {
    if uncertain.contains(index) || pass.damaged.contains(index) { return }
    let (needed, found) = (expected[index] ?? PairSum(), pass.found[index] ?? PairSum())
    if needed == found { return }
    let reason =
      needed.count == found.count
      ? "has other pairs than the values" : "has \(found.count) pairs instead of \(needed.count)"
    note("the \(name) \(reason)", .nothing, table: table, column: column)
  }
}

/// One walk through the blocks of all indexes.
private struct IndexPass {
  private let verifier: FileVerifier
  /// What is in each index.
  private(set) var found: [UInt32: PairSum] = [:]
  /// Those that can not be compared.
  private(set) var damaged: Set<UInt32> = []

  init(_ verifier: FileVerifier) { self.verifier = verifier }

  mutating func run() {
    var entries = verifier.entries(of: "indexes")
    var integers = LastPair<IntegerPair>()
    var bytes = LastPair<BytesPair>()
    var strays = 0
    while let entry = entries.next() {
      guard entry.key.count > IndexFormat.regionSize, let kind = IndexKeyKind(rawValue: entry.key[4]) else {
        strays += 1
        continue
      }
      let index = UInt32(bigEndian: entry.key.loadUnaligned(as: UInt32.self))
      if !isKnown(index) {
        strays += 1
        continue
      }
      guard let value = verifier.opener.open(entry.value, key: entry.key) else {
        note("a block of an index: its checksum is wrong", index)
        continue
      }
      switch kind {
      case .null:
        check(value, index, kind, &integers) { $2.addNull(row: $0.row, copies: $1) }
      case .integer:
        check(value, index, kind, &integers) { $2.add($0.key, row: $0.row, copies: $1) }
      case .bytes:
        check(value, index, kind, &bytes) { pair, copies, sum in
          sum.add(
            UnsafeRawBufferPointer(start: pair.start, count: pair.length), row: pair.row, copies: copies)
        }
      }
      verifier.opener.forget()
    }
    if strays > 0 { verifier.note("\(strays) blocks belong to no index", .nothing) }
    verifier.notePages(of: "indexes", entries, .nothing)
  }

  private func isKnown(_ index: UInt32) -> Bool {
    let (table, column) = Self.place(index)
    let tables = verifier.catalogue.tables
    return tables.indices.contains(table) && tables[table].columns.indices.contains(column)
      && !tables[table].isRemoved && !tables[table].columns[column].isRemoved
  }

  private static func place(_ index: UInt32) -> (table: Int, column: Int) {
    (Int(index >> 16), Int(index & 0xFFFF) >> 1)
  }

  private mutating func note(_ reason: String, _ index: UInt32) {
    damaged.insert(index)
    let (table, column) = Self.place(index)
    verifier.note(reason, .nothing, table: table, column: column)
  }

  private mutating func check<Pair: IndexPair>(
    _ value: UnsafeRawBufferPointer, _ index: UInt32, _ kind: IndexKeyKind, _ last: inout LastPair<Pair>,
    _ add: (Pair, UInt64, inout PairSum) -> Void
  ) {
    if let fault = Pair.Block.fault(in: value) { return note("a block of an index: \(fault)", index) }
    let block = Pair.Block(value.baseAddress!)
    if !block.isSorted { return note("the order of an index", index) }
    let arena = KeyArena()
    var pairs: [Pair] = []
    block.append(to: &pairs, arena)
    guard let first = pairs.first, last.isBefore(first, index, kind) else {
      return note("the order of an index", index)
    }
    let copies = block.copies
    let isSingle = copies.packing == .constant
    var sum = found[index] ?? PairSum()
    for (place, pair) in pairs.enumerated() { add(pair, isSingle ? 1 : copies[place], &sum) }
    found[index] = sum
    last = LastPair(index: index, kind: kind, pair: pairs.last, arena: arena)
  }
}

/// The last pair of the block before, which must come before the next one of the same index.
private struct LastPair<Pair: IndexPair> {
  var index: UInt32?
  var kind = IndexKeyKind.null
  var pair: Pair?
  /// Where the bytes of its key are.
  var arena: KeyArena?

  func isBefore(_ next: Pair, _ index: UInt32, _ kind: IndexKeyKind) -> Bool {
    guard let pair, self.index == index, self.kind == kind else { return true }
    return pair < next
  }
}
