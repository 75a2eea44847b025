import Storage

/// The values of one sort key for all rows that are sorted, in a form that compares quickly: as one or more unsigned
/// numbers, compared one after the other, or as bytes, eight at a time.
///
/// Positions are places in the array of rows that is sorted.
struct SortColumn {
  /// Numbers by position; the first array that differs decides.
  private(set) var digits: [[UInt64]] = []
  private(set) var text: SortText?
  /// Whether the first digit tells where links are null.
  private var hasMissing = false
  /// All ones for descending order.
  let flip: UInt64

  init(_ key: SortKey, rows: [Int], table: Table) {
    flip = key.isAscending ? 0 : ~0
    let (rows, table) = key.source.followLinks(rows, table)
    switch key.source.source {
    case .column(let column, let type): load(column, type, rows, table)
    case .elementCount(let column): loadDigit(rows, table, column) { IndexKey.ordered($0.integer($1)) }
    case let source:
      let reader = RowReader(table)
      loadRanks(rows.map { $0 < 0 ? .null : reader.value(of: source, row: $0) })
    }
    loadMissing(rows)
  }

  /// Puts a digit in front that tells where a link on the way is null, if it is anywhere: such rows come after all others,
  /// those with null at the end of the way included.
  private mutating func loadMissing(_ rows: [Int]) {
    guard let first = rows.firstIndex(where: { $0 < 0 }) else { return }
    var missing = [UInt64](repeating: 0, count: rows.count)
    for position in first..<rows.count where rows[position] < 0 { missing[position] = 1 }
    digits.insert(missing, at: 0)
    hasMissing = true
  }

  /// Whether a link on the way to the value at a position is null.
  func isMissing(_ position: Int) -> Bool { hasMissing && digits[0][position] != 0 }

  private mutating func load(_ column: Int, _ type: ValueType, _ rows: [Int], _ table: Table) {
    switch type {
    case .int, .link:
      loadDigit(rows, table, column) { IndexKey.ordered($0.integer($1)) }
    case .bool: loadDigit(rows, table, column) { $0.bit($1) ? 1 : 0 }
    case .float: loadDigit(rows, table, column) { IndexKey.ordered(Double($0.float($1))) }
    case .double, .date: loadDigit(rows, table, column) { IndexKey.ordered($0.double($1)) }
    case .objectId:
      loadDigit(rows, table, column) { Fixed12($0.fixed12($1)).high }
      loadDigit(rows, table, column) { UInt64(Fixed12($0.fixed12($1)).low) }
    case .uuid:
      loadDigit(rows, table, column) { Fixed16($0.fixed16($1)).high }
      loadDigit(rows, table, column) { Fixed16($0.fixed16($1)).low }
    case .string, .data:
      loadNulls(rows, table, column)
      text = SortText(rows, table, column)
      return
    case .decimal128, .mixed:
      loadRanks(rows.map { $0 < 0 ? .null : table.value(column, $0) })
      return
    }
    loadNulls(rows, table, column)
  }

  /// Appends a digit; that of nulls is 0.
  @inline(__always) private mutating func loadDigit(
    _ rows: [Int], _ table: Table, _ column: Int, _ digit: (Chunk, Int) -> UInt64
  ) {
    digits.append(table.digits(column, rows, digit))
  }

  /// Puts a digit in front that tells nulls, which come first, from values, if there are any nulls.
  private mutating func loadNulls(_ rows: [Int], _ table: Table, _ column: Int) {
    var isPresent: [UInt64] = []
    for (position, row) in rows.enumerated() {
      let isNull = row < 0 || table.isNull(column, row)
      if isNull && isPresent.isEmpty { isPresent = [UInt64](repeating: 1, count: rows.count) }
      if isNull { isPresent[position] = 0 }
    }
    if !isPresent.isEmpty { digits.insert(isPresent, at: 0) }
  }

  /// One digit for values whose order no number expresses: their rank among the others.
  private mutating func loadRanks(_ values: [Value]) {
    let order = values.indices.sorted { Value.order(values[$0], values[$1]) < 0 }
    var ranks = [UInt64](repeating: 0, count: values.count)
    var rank: UInt64 = 0
    for (place, position) in order.enumerated() {
      if place > 0, Value.order(values[order[place - 1]], values[position]) != 0 { rank += 1 }
      ranks[position] = rank
    }
    digits.append(ranks)
  }

  /// Negative, zero or positive as the first position sorts before, with or after the second.
  func order(_ a: Int, _ b: Int) -> Int {
    for digit in digits {
      let (first, second) = (digit[a] ^ flip, digit[b] ^ flip)
      if first != second { return first < second ? -1 : 1 }
    }
    guard let text else { return 0 }
    let order = text.bytes(a).order(text.bytes(b))
    return flip == 0 ? order : -order
  }
}

extension PropertySource {
  /// For each row the one at the end of the links, -1 where there is none, and the table of these.
  func followLinks(_ rows: [Int], _ table: Table) -> (rows: [Int], table: Table) {
    var rows = rows
    var table = table
    for link in links {
      for position in rows.indices where rows[position] >= 0 {
        rows[position] = table.link(link.column, rows[position]) ?? -1
      }
      table = table.snapshot.table(link.target)
    }
    return (rows, table)
  }
}

extension Table {
  /// A number for each row; 0 for nulls and negative rows.
  @inline(__always) func digits(
    _ column: Int, _ rows: [Int], _ digit: (Chunk, Int) -> UInt64
  ) -> [UInt64] {
    [UInt64](count: rows.count) { digits in
      for position in 0..<rows.count {
        let row = rows[position]
        if row < 0 {
          digits[position] = 0
          continue
        }
        let chunk = chunk(column, number: row / chunkCapacity)
        let index = row % chunkCapacity
        digits[position] = chunk.isNull(index) ? 0 : digit(chunk, index)
      }
    }
  }
}
