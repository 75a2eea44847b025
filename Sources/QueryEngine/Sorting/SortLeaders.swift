import Storage

/// Finds the rows that can be among the first of a sort, in one pass and without sorting: those whose first digit is
/// not above that of the last one wanted.
///
/// A digit is a number for a row that never puts it behind a row which sorts after it.
struct SortLeaders {
  private let column: Int
  private let type: ValueType
  private let flip: UInt64

  /// nil when the key has no digits.
  init?(_ key: SortKey) {
    guard case .column(let column, let type) = key.source.source else { return nil }
    switch type {
    case .decimal128, .mixed: return nil
    default: break
    }
    self.column = column
    self.type = type
    flip = key.isAscending ? 0 : ~0
  }

  /// At least the first `limit` of the selected rows, ascending; not for single rows.
  func rows(_ limit: Int, of selection: RowSelection, _ table: Table) -> [Int] {
    let nearest = NearestEntries(limit)
    table.forEachMask(selection) { number, mask in
      let chunk = table.chunk(column, number: number)
      if canSkip(chunk, nearest.threshold) { return }
      let first = number &* chunkCapacity
      switch type {
      case .int, .link:
        offer(mask, chunk, first, nearest) { IndexKey.ordered(chunk.integer($0)) }
      case .bool: offer(mask, chunk, first, nearest) { chunk.bit($0) ? 1 : 0 }
      case .float: offer(mask, chunk, first, nearest) { IndexKey.ordered(Double(chunk.float($0))) }
      case .double, .date: offer(mask, chunk, first, nearest) { IndexKey.ordered(chunk.double($0)) }
      case .objectId: offer(mask, chunk, first, nearest) { Fixed12(chunk.fixed12($0)).high }
      case .uuid: offer(mask, chunk, first, nearest) { Fixed16(chunk.fixed16($0)).high }
      case .string, .data: offerText(mask, table, number, nearest)
      case .decimal128, .mixed: break
      }
    }
    return nearest.finish()
  }

  /// The positions of at least the first `limit` of some rows, ascending.
  func positions(_ limit: Int, of rows: [Int], _ key: SortKey, _ table: Table) -> [Int] {
    let (rows, table) = key.source.followLinks(rows, table)
    var digits: [UInt64]
    switch type {
    case .int, .link: digits = table.digits(column, rows) { IndexKey.ordered($0.integer($1)) }
    case .bool: digits = table.digits(column, rows) { $0.bit($1) ? 1 : 0 }
    case .float: digits = table.digits(column, rows) { IndexKey.ordered(Double($0.float($1))) }
    case .double, .date: digits = table.digits(column, rows) { IndexKey.ordered($0.double($1)) }
    case .objectId: digits = table.digits(column, rows) { Fixed12($0.fixed12($1)).high }
    case .uuid: digits = table.digits(column, rows) { Fixed16($0.fixed16($1)).high }
    case .string, .data: digits = SortText.firstWords(rows, table, column)
    case .decimal128, .mixed: return Array(rows.indices)
    }
    // Rows with a null link on the way come last.
    for position in rows.indices where rows[position] < 0 { digits[position] = .max }
    let nearest = NearestEntries(limit)
    for position in digits.indices { nearest.offer(digits[position] ^ flip, position) }
    return nearest.finish()
  }

  /// Whether the least and the greatest value tell that no row of a chunk can be among the first.
  private func canSkip(_ chunk: Chunk, _ threshold: UInt64) -> Bool {
    guard threshold != .max, chunk.hasStatistics else { return false }
    // Nulls have the digit 0.
    if flip == 0 && chunk.nullBitmap != nil { return false }
    switch type {
    case .int, .link:
      return IndexKey.ordered(flip == 0 ? chunk.minimumInteger : chunk.maximumInteger) ^ flip > threshold
    case .float, .double, .date:
      return IndexKey.ordered(flip == 0 ? chunk.minimumDouble : chunk.maximumDouble) ^ flip > threshold
    default: return false
    }
  }

  @inline(__always) private func offer(
    _ mask: ChunkMask, _ chunk: Chunk, _ first: Int, _ nearest: NearestEntries, _ digit: (Int) -> UInt64
  ) {
    let isNullable = chunk.nullBitmap != nil
    mask.forEachIndex { index in
      nearest.offer((isNullable && chunk.isNull(index) ? 0 : digit(index)) ^ flip, first &+ index)
    }
  }

  private func offerText(_ mask: ChunkMask, _ table: Table, _ number: Int, _ nearest: NearestEntries) {
    let chunk = table.chunk(column, number: number)
    let first = number &* chunkCapacity
    if chunk.encoding == .dictionary {
      let words = (0..<chunk.dictionaryCount).map { SortText.word(chunk.dictionaryEntry($0), at: 0) }
      let codes = chunk.values
      offer(mask, chunk, first, nearest) { words[Int(codes.load(fromByteOffset: $0, as: UInt8.self))] }
      return
    }
    // Reads the values in order, which is quicker than looking each one up.
    let isNullable = chunk.nullBitmap != nil
    let rows = BytesIteration(chunk: chunk) { table.bytes(column, first &+ $0) }
    var threshold = nearest.threshold
    rows.forEachFirstWord(mask) { index, word in
      let digit = (isNullable && chunk.isNull(index) ? 0 : word) ^ flip
      if digit <= threshold {
        nearest.offer(digit, first &+ index)
        threshold = nearest.threshold
      }
    }
  }
}

/// Keeps the entries with the lowest digits of all that are offered: at least so many as wanted, and all that equal
/// the last of these.
final class NearestEntries {
  private struct Entry {
    var digit: UInt64
    var row: Int
  }

  private let wanted: Int
  private var entries: UnsafeMutablePointer<Entry>
  private var capacity: Int
  private var count = 0
  /// What has a greater digit is not kept any more.
  private(set) var threshold = UInt64.max

  init(_ wanted: Int) {
    self.wanted = wanted
    capacity = max(wanted * 2, 4096)
    entries = .allocate(capacity: capacity)
  }

  deinit { entries.deallocate() }

  @inline(__always) func offer(_ digit: UInt64, _ row: Int) {
    if digit > threshold { return }
    (entries + count).initialize(to: Entry(digit: digit, row: row))
    count &+= 1
    if count == capacity { makeRoom() }
  }

  @inline(never) private func makeRoom() {
    shrink()
    if count <= capacity / 2 { return }
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: entries, count: count)
    entries.deallocate()
    entries = larger
    capacity *= 2
  }

  private func shrink() {
    guard wanted > 0 else {
      count = 0
      return
    }
    guard count > wanted else { return }
    threshold = digit(at: wanted)
    var kept = 0
    for index in 0..<count where entries[index].digit <= threshold {
      entries[kept] = entries[index]
      kept += 1
    }
    count = kept
  }

  /// The rows in the order in which they were offered.
  func finish() -> [Int] {
    shrink()
    return (0..<count).map { entries[$0].row }
  }

  /// The digit that would be at a place, counted from 1, if all were sorted; found byte by byte from the most
  /// significant.
  private func digit(at place: Int) -> UInt64 {
    var candidates = (0..<count).map { entries[$0].digit }
    var place = place
    var found: UInt64 = 0
    for byte in (0..<8).reversed() {
      let shift = UInt64(byte * 8)
      var occurrences = [Int](repeating: 0, count: 256)
      for candidate in candidates { occurrences[Int((candidate >> shift) & 0xFF)] += 1 }
      var value: UInt64 = 0
      while place > occurrences[Int(value)] {
        place -= occurrences[Int(value)]
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
