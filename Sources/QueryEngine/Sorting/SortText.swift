import Storage

/// The strings of a sort key, of which the first sixteen bytes are at hand as numbers.
///
/// Invariants: the pointers lead to values of the table's snapshot, whose content stamp does not change while this is
/// used.
struct SortText {
  private let first: [UInt64]
  private let second: [UInt64]
  private let all: [UnsafeRawBufferPointer]

  /// - Parameter rows: Negative for null.
  init(_ rows: [Int], _ table: Table, _ column: Int) {
    var first = [UInt64](repeating: 0, count: rows.count)
    var second = first
    var all = [UnsafeRawBufferPointer](
      repeating: UnsafeRawBufferPointer(start: nil, count: 0), count: rows.count)
    Self.forEach(rows, table, column) { position, bytes in
      first[position] = Self.word(bytes, at: 0)
      second[position] = Self.word(bytes, at: 8)
      all[position] = bytes
    }
    self.first = first
    self.second = second
    self.all = all
  }

  /// The first eight bytes of each row's string as a big-endian number; 0 for null.
  static func firstWords(_ rows: [Int], _ table: Table, _ column: Int) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: rows.count)
    forEach(rows, table, column) { words[$0] = word($1, at: 0) }
    return words
  }

  /// Calls `body` with the position and the bytes of each row that is not null.
  @inline(__always) private static func forEach(
    _ rows: [Int], _ table: Table, _ column: Int, _ body: (Int, UnsafeRawBufferPointer) -> Void
  ) {
    var position = 0
    while position < rows.count {
      let row = rows[position]
      if row < 0 {
        position += 1
        continue
      }
      let number = row / chunkCapacity
      let chunk = table.chunk(column, number: number)
      let end = min(rows.count, position + chunkCapacity)
      if chunk.encoding == .heap, chunk.count == chunkCapacity, end - position == chunkCapacity,
        row == number * chunkCapacity, isConsecutive(rows, position)
      {
        // All rows of a chunk in order: the values lie one after the other.
        var next = chunk.heap
        for index in 0..<chunkCapacity {
          let length = chunk.values.load(fromByteOffset: index, as: UInt8.self)
          if length == longValueMark {
            body(position + index, table.bytes(column, row + index))
            continue
          }
          if !chunk.isNull(index) {
            body(position + index, UnsafeRawBufferPointer(start: next, count: Int(length)))
          }
          next += Int(length)
        }
        position += chunkCapacity
        continue
      }
      if !chunk.isNull(row % chunkCapacity) { body(position, table.bytes(column, row)) }
      position += 1
    }
  }

  private static func isConsecutive(_ rows: [Int], _ position: Int) -> Bool {
    let first = rows[position]
    for offset in 1..<chunkCapacity where rows[position + offset] != first + offset { return false }
    return true
  }

  @inline(__always) func bytes(_ position: Int) -> UnsafeRawBufferPointer { all[position] }

  /// Eight bytes from a place as a big-endian number; those beyond the end are 0.
  @inline(__always) func word(_ position: Int, _ number: Int) -> UInt64 {
    switch number {
    case 0: first[position]
    case 1: second[position]
    default: Self.word(all[position], at: number &* 8)
    }
  }

  /// Eight bytes from a place as a big-endian number; those beyond the end are 0.
  @inline(__always) static func word(_ bytes: UnsafeRawBufferPointer, at place: Int) -> UInt64 {
    let rest = bytes.count &- place
    guard let base = bytes.baseAddress, rest > 0 else { return 0 }
    return firstWord(of: base + place, count: rest)
  }

  /// The first eight of so many bytes as a big-endian number; those beyond the end are 0.
  @inline(__always) static func firstWord(of bytes: UnsafeRawPointer, count: Int) -> UInt64 {
    count >= 8 ? UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) : shortWord(bytes, count)
  }

  // Of its own, so that loops over longer ones stay small.
  @inline(never) private static func shortWord(_ bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<count {
      word |= UInt64(bytes.load(fromByteOffset: index, as: UInt8.self)) << UInt64(56 &- index &* 8)
    }
    return word
  }
}
