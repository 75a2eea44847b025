import Storage

/// Finds the rows that can be among the first of a sort, without sorting: those whose first digit is not above that
/// of the last one wanted.
struct SortLeaders {
  private let rows: [Int]
  /// A number by position that never puts a row behind one that sorts after it.
  private let digits: [UInt64]

  /// nil when the key has no such number.
  init?(_ key: SortKey, rows: [Int], table: Table) {
    guard case .column(let column, let type) = key.source.source else { return nil }
    self.rows = rows
    let (linked, table) = key.source.followLinks(rows, table)
    var digits: [UInt64]
    switch type {
    case .int, .link: digits = table.digits(column, linked) { IndexKey.ordered($0.integer($1)) }
    case .float: digits = table.digits(column, linked) { IndexKey.ordered(Double($0.float($1))) }
    case .double, .date: digits = table.digits(column, linked) { IndexKey.ordered($0.double($1)) }
    case .objectId: digits = table.digits(column, linked) { Fixed12($0.fixed12($1)).high }
    case .uuid: digits = table.digits(column, linked) { Fixed16($0.fixed16($1)).high }
    case .string, .data: digits = SortText.firstWords(linked, table, column)
    case .bool, .decimal128, .mixed: return nil
    }
    if !key.isAscending {
      for position in digits.indices { digits[position] = ~digits[position] }
    }
    self.digits = digits
  }

  /// At least the first `limit` rows of the sort, in the order in which they were given.
  func rows(_ limit: Int) -> [Int] {
    if limit == 0 { return [] }
    let last = digit(at: limit)
    return rows.indices.filter { digits[$0] <= last }.map { rows[$0] }
  }

  /// The digit that would be at a place, counted from 1, if all were sorted; found byte by byte from the most
  /// significant.
  private func digit(at place: Int) -> UInt64 {
    var candidates = digits
    var wanted = place
    var found: UInt64 = 0
    for byte in (0..<8).reversed() {
      let shift = UInt64(byte * 8)
      var occurrences = [Int](repeating: 0, count: 256)
      for candidate in candidates { occurrences[Int((candidate >> shift) & 0xFF)] += 1 }
      var value: UInt64 = 0
      while wanted > occurrences[Int(value)] {
        wanted -= occurrences[Int(value)]
        value += 1
      }
      found |= value << shift
      if occurrences[Int(value)] < candidates.count {
        candidates = candidates.filter { ($0 >> shift) & 0xFF == value }
      }
    }
    return found
  }
}
