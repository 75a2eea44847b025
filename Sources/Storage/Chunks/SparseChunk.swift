import LibC

/// The stored form of a chunk most of whose rows are gone, which takes space in proportion to those that are there.
///
///   offset  size  content
///        0     1  14, which no chunk begins with
///        1     1  0
///        2     2  number of rows that are covered
///        4    28  0
///       32   120  a set bit for each row whose value is kept
///      152     …  a chunk (ChunkFormat.swift) with as many values, in the order of their rows
///
/// It is not read where it lies: when it is first touched it is spread out in memory (see `Snapshot.padded`). Rows whose
/// values are kept may have been deleted since. Chunks with values outside do not get this form.
struct SparseChunk {
  static let mark = ChunkEncoding.sparse.rawValue
  private static let bitmapOffset = ChunkHeader.size
  private static let headerSize = ChunkHeader.size + chunkBitmapSize

  private let base: UnsafeRawPointer

  /// Nil when it is a chunk like others.
  init?(_ base: UnsafeRawPointer) {
    guard base.load(as: UInt8.self) == Self.mark else { return nil }
    self.base = base
  }

  /// The number of values of the chunk that it represents.
  var count: Int { Chunk(base).count }
  private var rows: UnsafeRawPointer { base + Self.bitmapOffset }
  /// The values that are kept.
  private var inner: Chunk { Chunk(base + Self.headerSize) }

  /// Whether any of the values is null.
  var hasNulls: Bool { inner.nullBitmap != nil }

  // MARK: Reading

  /// What is wrong with it, or nil. Everything else may be called only when nothing is.
  func fault(size: Int, layout: ChunkLayout) -> String? {
    guard size >= Self.headerSize + ChunkHeader.size else { return "its header is cut off" }
    let count = count
    if count == 0 || count > chunkCapacity { return "it has \(count) values" }
    if Chunk(base).flags != 0 { return "its flags are unknown" }
    let kept = bitCount(rows, chunkCapacity)
    if kept != bitCount(rows, count) { return "it has values beyond its end" }
    let check = ChunkCheck(layout: layout, allowsLongValues: false)
    if let fault = check.fault(in: UnsafeRawBufferPointer(start: inner.base, count: size - Self.headerSize)) {
      return fault
    }
    return inner.count == kept ? nil : "it has not the values that it should"
  }

  /// What is wrong with the values for the rows that are there, or nil.
  ///
  /// - Parameter presence: Those rows; a bitmap of the chunk's capacity.
  func fault(presence: UnsafeRawPointer, isNullable: Bool) -> String? {
    for row in 0..<chunkCapacity where bitIsSet(presence, row) && !bitIsSet(rows, row) {
      return "it has no value \(row)"
    }
    if isNullable || !hasNulls { return nil }
    var fault: String?
    Self.forEach(rows, below: count) { row, position in
      if bitIsSet(presence, row) && inner.isNull(position) { fault = "value \(row) is null" }
    }
    return fault
  }

  /// Copies the values to their rows in a chunk that is new: all others stay zero or null there.
  func spread(to wide: WideChunk, layout: ChunkLayout) {
    let kept = inner
    let values = WideChunk.allocate(layout, isNullable: wide.nullBitmap != nil, capacity: kept.count)
    defer { values.deallocate() }
    values.copy(kept, layout: layout) { _ in UnsafeRawBufferPointer(start: nil, count: 0) }
    Self.forEach(rows, below: min(count, wide.chunk.count)) { row, position in
      wide.copyValue(row, from: values, position, layout)
    }
  }

  /// Calls the body with each row of a bitmap, and how many there are before it.
  private static func forEach(_ rows: UnsafeRawPointer, below limit: Int, _ body: (Int, Int) -> Void) {
    var position = 0
    for word in 0..<(limit + 63) / 64 {
      var bits = rows.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
      while bits != 0 {
        let row = word * 64 + bits.trailingZeroBitCount
        if row >= limit { return }
        body(row, position)
        position += 1
        bits &= bits - 1
      }
    }
  }

  // MARK: Writing

  /// How much smaller than a whole chunk this form is to be, as a step: each is half as large as the one before, and 0
  /// stands for a whole chunk. A chunk whose rows are deleted one by one is rewritten once for each step.
  static func step(present: Int, of count: Int) -> Int {
    if present * 4 > count || present == 0 { return 0 }
    return (count / (4 * present)).bitWidth - (count / (4 * present)).leadingZeroBitCount
  }

  /// Turns a wide chunk into this form: first it is known how many bytes that takes, then they are written.
  final class Encoder {
    private let values: WideChunk
    private let encoder: ChunkEncoder
    private let presence: UnsafeRawPointer
    private let count: Int

    /// Nil when it would be no smaller, or has values that are to be stored outside.
    ///
    /// - Parameters:
    ///   - count: How many rows it covers.
    ///   - presence: Those that are there.
    init?(_ source: WideChunk, layout: ChunkLayout, count: Int, presence: UnsafeRawPointer) {
      let present = bitCount(presence, count)
      guard SparseChunk.step(present: present, of: count) > 0 else { return nil }
      let values = WideChunk.allocate(layout, isNullable: source.nullBitmap != nil, capacity: present)
      SparseChunk.forEach(presence, below: count) { row, position in
        values.copyValue(position, from: source, row, layout)
      }
      let encoder = ChunkEncoder(
        values, layout: layout, count: present, presence: nil, keepsLongValuesOutside: true)
      if encoder.hasLongValues {
        values.deallocate()
        return nil
      }
      self.values = values
      self.encoder = encoder
      self.presence = presence
      self.count = count
    }

    deinit { values.deallocate() }

    var size: Int { SparseChunk.headerSize + encoder.size }

    func write(to target: UnsafeMutableRawPointer) {
      memset(target, 0, SparseChunk.headerSize)
      target.storeBytes(of: SparseChunk.mark, as: UInt8.self)
      target.storeBytes(of: UInt16(count), toByteOffset: ChunkHeader.valueCount, as: UInt16.self)
      for row in 0..<count where bitIsSet(presence, row) { setBit(target + SparseChunk.bitmapOffset, row) }
      encoder.write(to: target + SparseChunk.headerSize)
    }
  }
}

extension WideChunk {
  /// Copies one value, or null, of another wide chunk of the same layout.
  fileprivate func copyValue(_ index: Int, from other: WideChunk, _ position: Int, _ layout: ChunkLayout) {
    if let nulls = other.nullBitmap, bitIsSet(nulls, position) { return setNull(index) }
    setNotNull(index)
    if layout == .bits { return setBool(index, other.chunk.bit(position)) }
    let unit = Self.unit(layout)
    memcpy(values + index * unit, other.values + position * unit, unit)
  }
}
