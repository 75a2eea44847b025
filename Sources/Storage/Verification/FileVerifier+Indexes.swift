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
      for index in description.indexes { compare(index, pass, table) }
    }
  }

  /// Whether the catalogue has an index.
  func isKnown(_ index: UInt32) -> Bool {
    let (table, column) = IndexNumber.place(index)
    if !catalogue.tables.indices.contains(table) || catalogue.tables[table].isRemoved { return false }
    if IndexNumber.isCompound(index) { return catalogue.compoundIndex(index) != nil }
    let columns = catalogue.tables[table].columns
    return columns.indices.contains(column) && !columns[column].isRemoved
  }

  private func compare(_ compound: CompoundIndex, _ pass: IndexPass, _ table: Int) {
    let index = IndexNumber.compound(table: table, compound)
    if uncertain.contains(index) || pass.damaged.contains(index) { return }
    let isSound = compound.columns.indices.allSatisfy { position in
      let part = KeyPart(index: index, position: position)
      return (expectedParts[part] ?? PairSum()) == (pass.foundParts[part] ?? PairSum())
        && pass.found[index] == nil
    }
    if !isSound {
      note(
        "\(catalogue.tables[table].name(of: compound)) has other pairs than the values", .nothing,
        table: table)
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
  /// What is in each place of keys over several columns.
  private(set) var foundParts: [KeyPart: PairSum] = [:]
  /// The indexes that cannot be compared.
  private(set) var damaged: Set<UInt32> = []
  /// How often a value of a primary key comes again.
  private(set) var repeatedKeys: [UInt32: Int] = [:]

  init(_ verifier: FileVerifier) { self.verifier = verifier }

  mutating func run() {
    var entries = verifier.entries(of: .indexes)
    var integers = LastPair<IntegerPair>()
    var bytes = LastPair<BytesPair>()
    var strays = 0
    while let entry = entries.next() {
      guard entry.key.count > IndexFormat.regionSize, let kind = IndexKeyKind(rawValue: entry.key[4]) else {
        strays += 1
        continue
      }
      let index = UInt32(bigEndian: entry.key.loadUnaligned(as: UInt32.self))
      if !verifier.isKnown(index) {
        strays += 1
        continue
      }
      let value = entry.value
      switch kind {
      case .null:
        check(value, index, kind, &integers) { $2.addNull(row: $0.row, copies: $1) }
      case .integer:
        check(value, index, kind, &integers) { $2.add($0.key, row: $0.row, copies: $1) }
      case .bytes where IndexNumber.isCompound(index):
        check(value, index, kind, &bytes) { _, _, _ in }
      case .bytes:
        check(value, index, kind, &bytes) { pair, copies, sum in
          sum.add(
            UnsafeRawBufferPointer(start: pair.start, count: pair.length), row: pair.row, copies: copies)
        }
      }
    }
    for (index, count) in repeatedKeys.sorted(by: { $0.key < $1.key }) {
      let isKey = UniqueRule(index, verifier.catalogue)?.isKey == true
      let what = isKey ? "the primary key of another one" : "a value that only one may have"
      report("\(count) objects have \(what)", index)
    }
    if strays > 0 { verifier.note("\(strays) blocks belong to no index", .nothing) }
    verifier.noteFaults(of: .indexes, entries)
  }

  private mutating func note(_ reason: String, _ index: UInt32) {
    damaged.insert(index)
    report(reason, index)
  }

  /// A fault of an index, with the columns that it is over.
  private func report(_ reason: String, _ index: UInt32) {
    let (table, column) = IndexNumber.place(index)
    let compound = verifier.catalogue.compoundIndex(index)
    let place = compound.map { "\(verifier.catalogue.tables[table].name(of: $0)): " } ?? ""
    verifier.note(place + reason, .nothing, table: table, column: column)
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
    if kind == .bytes, IndexNumber.isCompound(index) {
      for place in 0..<block.count {
        addParts(block.key(place), block.row(place), isSingle ? 1 : copies[place], index)
      }
    } else {
      found[index] = sum
    }
    countRepeated(pairs, block, index, kind, last)
    if verifier.soundValues != nil, let lost = verifier.lostChunks[index] {
      for place in 0..<block.count {
        giveBack(block.key(place), Int(clamping: block.row(place)), index, lost)
      }
    }
    last = LastPair(index: index, kind: kind, pair: pairs.last, arena: arena)
  }
}

extension IndexPass {
  private mutating func addParts(_ key: IndexKey, _ row: UInt64, _ copies: UInt64, _ index: UInt32) {
    let compound = verifier.catalogue.compoundIndex(index)
    guard let parts = key.parts, parts.count == compound?.columns.count else {
      return note("a key cannot be read", index)
    }
    for (position, part) in parts.enumerated() {
      foundParts[KeyPart(index: index, position: position), default: PairSum()]
        .add(part, row: row, copies: copies)
    }
  }

  /// What only one row may have is there once.
  private mutating func countRepeated<Pair: IndexPair>(
    _ pairs: [Pair], _ block: Pair.Block, _ index: UInt32, _ kind: IndexKeyKind, _ last: LastPair<Pair>
  ) {
    guard let rule = UniqueRule(index, verifier.catalogue) else { return }
    if kind == .null && !rule.isKey { return }
    var previous = last.index == index && last.kind == kind ? last.pair : nil
    for (place, pair) in pairs.enumerated() {
      if let previous, previous.with(row: 0) == pair.with(row: 0),
        rule.isKey || rule.columns.count == 1 || block.key(place).parts?.contains(.null) == false
      {
        repeatedKeys[index, default: 0] += 1
      }
      previous = pair
    }
  }

  /// Gives a value that the column has lost.
  private func giveBack(_ key: IndexKey, _ row: Int, _ index: UInt32, _ lost: Set<Int>) {
    let (table, column) = IndexNumber.place(index)
    guard index & 1 == 0, lost.contains(row / chunkCapacity), verifier.isAlive(table, row),
      let value = key.value(of: verifier.catalogue.tables[table].columns[column].type)
    else { return }
    verifier.soundValues?.take(value, table: table, column: column, row: row)
  }
}

extension IndexKey {
  /// The value that has the key; nil where the key does not say all of it.
  fileprivate func value(of type: ValueType) -> Value? {
    switch (self, type) {
    case (.integer(let key), .int): .int(Int64(bitPattern: key ^ 1 << 63))
    case (.integer(let key), .bool): .bool(key != 0)
    case (.bytes(let bytes), .string): .string(String(decoding: bytes, as: UTF8.self))
    case (.bytes(let bytes), .data): .data(bytes)
    case (.bytes(let bytes), .objectId) where bytes.count == 12:
      bytes.withUnsafeBytes { .objectId(Fixed12($0.baseAddress!)) }
    case (.bytes(let bytes), .uuid) where bytes.count == 16:
      bytes.withUnsafeBytes { .uuid(Fixed16($0.baseAddress!)) }
    default: nil
    }
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
