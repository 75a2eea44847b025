import LibC
import Storage

extension NumberedCollection {
  /// Copies the values of a property of objects from a position on: `Int64` for integers, dates (microseconds since 1970) and
  /// links (the row), one byte for a Boolean, 12 or 16 bytes for identifiers and decimals. Null is 0.
  ///
  /// - Parameter validity: Gets a bit for each value, the lowest first, which is 0 for null.
  package func copyColumn(
    _ column: Int, from start: Int, count: Int, to values: UnsafeMutableRawPointer,
    validity: UnsafeMutablePointer<UInt8>?
  ) throws(Refusal) {
    try check()
    if !isOfObjects { throw needsObjects }
    let kind = try realm.checkedColumn(classNumber, column)
    guard let format = ColumnFormat(kind) else {
      throw realm.wrongType(classNumber, column, asked: "value of fixed size")
    }
    if count < 0 || start < 0 {
      throw Refusal(.outOfBounds, "The position or number of values is larger than any collection.")
    }
    if count == 0 { return }
    realm.core.pause()
    // The last value is there when all are. Results find their rows once, and do not count them before.
    let copier = rowCopier()
    let last = start.addingReportingOverflow(count - 1)
    if last.overflow || !copier.hasRow(at: last.partialValue) {
      throw Refusal(
        .outOfBounds, "\(count) values from position \(UInt(start)) on are more than the collection has.")
    }
    var target = ColumnTarget(
      table: realm.core.snapshot.table(classNumber), column: column, format: format, values: values,
      validity: validity)
    target.clearValidity(count)
    target.fill(count, copier, from: start)
    try realm.checkDamage()
  }
}

/// How the values of a column are laid out for other languages.
enum ColumnFormat {
  case integer
  case double
  case float
  case bool
  case date
  case fixed12
  case uuid
  case decimal128

  /// Nil for values without a fixed size, and for collections.
  init?(_ column: NumberedColumn) {
    if column.collection != .none { return nil }
    switch column.type {
    case .int, .link: self = .integer
    case .bool: self = .bool
    case .date: self = .date
    case .float: self = .float
    case .double: self = .double
    case .objectId: self = .fixed12
    case .uuid: self = .uuid
    case .decimal128: self = .decimal128
    case .string, .data, .mixed: return nil
    }
  }
}

extension RowCopier {
  func hasRow(at position: Int) -> Bool {
    switch source {
    case .stored(let stored): position < stored.count
    case .fixed(let rows): position < rows.count
    case .dense: position < table.rowLimit
    case .query(let query): query.row(ifAt: position) != nil
    }
  }
}

/// Memory that the values of a column are copied to. It is filled by runs of rows that are in the same chunk, without a list
/// of all rows.
private struct ColumnTarget {
  let table: Table
  let column: Int
  let format: ColumnFormat
  let values: UnsafeMutableRawPointer
  let validity: UnsafeMutablePointer<UInt8>?

  func clearValidity(_ count: Int) {
    guard let validity else { return }
    memset(validity, 0xFF, (count + 7) / 8)
    // Bits behind the last value are 0.
    if count & 7 != 0 { validity[count >> 3] = 0xFF >> UInt8(8 - count & 7) }
  }

  mutating func fill(_ count: Int, _ copier: RowCopier, from start: Int) {
    if case .dense = copier.source { return fillDense(count, from: start) }
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: chunkCapacity) { rows in
      var offset = 0
      while offset < count {
        let block = UnsafeMutableBufferPointer(rebasing: rows[..<min(chunkCapacity, count - offset)])
        let copied = copier.copy(from: start + offset, to: block)
        fill(UnsafeBufferPointer(rebasing: block[..<copied]), at: offset)
        if copied < block.count { return }
        offset += copied
      }
    }
  }

  private func fillDense(_ count: Int, from start: Int) {
    var offset = 0
    while offset < count {
      let number = (start + offset) / chunkCapacity
      let first = start + offset - number * chunkCapacity
      let run = min(chunkCapacity - first, count - offset)
      fill(table.chunk(column, number: number), run, at: offset) { first &+ $0 }
      offset += run
    }
  }

  private func fill(_ rows: UnsafeBufferPointer<Int64>, at offset: Int) {
    var position = 0
    while position < rows.count {
      if rows[position] < 0 {
        setNull(offset + position)
        position += 1
        continue
      }
      let number = Int(rows[position]) / chunkCapacity
      let base = Int64(number * chunkCapacity)
      var end = position + 1
      while end < rows.count, rows[end] >= base, rows[end] < base + Int64(chunkCapacity) { end += 1 }
      let first = position
      fill(table.chunk(column, number: number), end - first, at: offset + first) {
        Int(rows[first &+ $0] &- base)
      }
      position = end
    }
  }

  /// Copies a run of values of one chunk.
  @inline(__always)
  private func fill(_ chunk: Chunk, _ run: Int, at offset: Int, _ index: (Int) -> Int) {
    switch format {
    case .integer: copy(run, at: offset) { chunk.integer(index($0)) }
    case .double: copy(run, at: offset) { chunk.double(index($0)) }
    case .float: copy(run, at: offset) { chunk.float(index($0)) }
    case .bool: copy(run, at: offset) { chunk.bit(index($0)) ? 1 : 0 as UInt8 }
    case .date: copy(run, at: offset) { Self.microseconds(chunk.double(index($0))) }
    case .fixed12:
      for place in 0..<run {
        (values + (offset &+ place) &* 12).copyMemory(from: chunk.fixed12(index(place)), byteCount: 12)
      }
    case .uuid, .decimal128:
      // A decimal is stored with its least significant byte first, as it is laid out here.
      for place in 0..<run {
        (values + (offset &+ place) &* 16).copyMemory(from: chunk.fixed16(index(place)), byteCount: 16)
      }
    }
    if chunk.nullBitmap == nil { return }
    for place in 0..<run where chunk.isNull(index(place)) { setNull(offset &+ place) }
  }

  @inline(__always)
  private func copy<Value>(_ run: Int, at offset: Int, _ value: (Int) -> Value) {
    let target = values.assumingMemoryBound(to: Value.self) + offset
    for place in 0..<run { target[place] = value(place) }
  }

  private static func microseconds(_ seconds: Double) -> Int64 {
    let microseconds = ((seconds + 978_307_200) * 1e6).rounded()
    return Int64(exactly: microseconds) ?? (microseconds > 0 ? .max : microseconds < 0 ? .min : 0)
  }

  private func setNull(_ position: Int) {
    let size =
      switch format {
      case .bool: 1
      case .float: 4
      case .integer, .double, .date: 8
      case .fixed12: 12
      case .uuid, .decimal128: 16
      }
    memset(values + position * size, 0, size)
    if let validity { validity[position >> 3] &= ~(1 << UInt8(position & 7)) }
  }
}
