import LibC
public import Synchronization

/// One table as one snapshot sees it; valid as long as the snapshot lives.
///
/// Columns are numbered as in the catalogue. Rows must exist; values read as zero where nothing was written.
@frozen public struct Table {
  /// Where the state is that all users of the table share.
  public let state: UnsafeMutablePointer<TableState>

  /// The table with a state, which must outlive it.
  @inlinable @inline(__always) public init(_ state: UnsafeMutablePointer<TableState>) { self.state = state }

  /// The number of the only thread that may use the table, or 0 when that has to be asked of the upper layer, or
  /// `TableState.anyThread`.
  @inlinable @inline(__always) public var thread: UInt { ConfinedMemory.thread(of: state) }
  /// The snapshot that it is a table of.
  @inlinable public var snapshot: Snapshot { state.pointee.snapshot.takeUnretainedValue() }
  /// Its number in the catalogue.
  @inlinable public var number: Int { state.pointee.number }
  /// Whether a write transaction is open.
  @inlinable @inline(__always) public var isWriting: Bool { state.pointee.shared.pointee.isWriting }
  /// All rows are below it.
  @inlinable public var rowLimit: Int { state.pointee.rowLimit }
  /// The chunks that each column can have.
  @inlinable public var chunkCount: Int { (state.pointee.rowLimit + chunkCapacity - 1) / chunkCapacity }

  @inlinable @inline(__always) static func chunkIndex(_ row: Int) -> Int {
    Int(truncatingIfNeeded: UInt(bitPattern: row) / UInt(chunkCapacity))
  }
  @inlinable @inline(__always) static func indexInChunk(_ row: Int) -> Int {
    Int(truncatingIfNeeded: UInt(bitPattern: row) % UInt(chunkCapacity))
  }

  /// A chunk of a column; -1 for the presence bitmaps.
  @inlinable @inline(__always) public func chunk(_ column: Int, number: Int) -> Chunk {
    assert(column >= -1 && column < state.pointee.columnCount && number < state.pointee.capacity)
    if let base = Self.load(state.pointee.columns[column] + number) { return Chunk(base) }
    return Chunk(snapshot.loadChunk(self, column, number))
  }

  // The instructions of a plain access. What lies behind the address never changes while several threads use it, and
  // was written before the address was; the address leads the reader there.
  @inlinable @inline(__always)
  static func load(_ slot: UnsafeMutablePointer<UnsafeRawPointer?>) -> UnsafeRawPointer? {
    let slot = UnsafeRawPointer(slot).assumingMemoryBound(to: Atomic<UnsafeRawPointer?>.self)
    #if THREAD_SANITIZER
      // The sanitizer does not know that a read through an address comes after the read of the address.
      return slot.pointee.load(ordering: .acquiring)
    #else
      return slot.pointee.load(ordering: .relaxed)
    #endif
  }

  static func store(_ address: UnsafeRawPointer?, _ slot: UnsafeMutablePointer<UnsafeRawPointer?>) {
    UnsafeRawPointer(slot).assumingMemoryBound(to: Atomic<UnsafeRawPointer?>.self).pointee
      .store(address, ordering: .releasing)
  }

  /// Whether a chunk was read before.
  package func isTouched(_ column: Int, chunk: Int) -> Bool { Self.load(slot(column, chunk)) != nil }

  /// Returns what the body reads from the chunk of a row. The chunk is not used any more when the body has returned, so that the
  /// caller need not be inside (see `ReadersInside`).
  @inlinable @inline(__always)
  public func read<Value>(_ column: Int, _ row: Int, _ body: (Chunk, Int) -> Value) -> Value {
    assert(
      column >= -1 && column < state.pointee.columnCount && Self.chunkIndex(row) < state.pointee.capacity)
    if let base = Self.load(state.pointee.columns[column] + Self.chunkIndex(row)) {
      return body(Chunk(base), Self.indexInChunk(row))
    }
    return readSlowly(column, row, body)
  }

  @inlinable @inline(never)
  func readSlowly<Value>(_ column: Int, _ row: Int, _ body: (Chunk, Int) -> Value) -> Value {
    state.pointee.snapshot._withUnsafeGuaranteedRef { snapshot in
      body(Chunk(snapshot.loadChunk(self, column, Self.chunkIndex(row))), Self.indexInChunk(row))
    }
  }

  /// Whether the row is there.
  @inlinable public func isAlive(_ row: Int) -> Bool {
    guard row >= 0, row < state.pointee.rowLimit else { return false }
    return read(-1, row) { $0.bit($1) }
  }

  /// Whether there is an object in each row below `rowLimit`. The live-row bitmap need not be read then, except to detect that
  /// it is damaged.
  @inlinable @inline(__always) public var hasAllRows: Bool {
    state.pointee.liveCount == state.pointee.rowLimit
  }

  /// Number of live rows in a range. The live-row bitmap is read only if rows of the table were deleted.
  package func liveCount(in rows: Range<Int>) -> Int {
    let rows = rows.clamped(to: 0..<state.pointee.rowLimit)
    if hasAllRows { return rows.count }
    var count = 0
    var row = rows.lowerBound
    while row < rows.upperBound {
      let first = Self.indexInChunk(row)
      let last = min(first + rows.upperBound - row, chunkCapacity)
      count += read(-1, row) { chunk, _ in (first..<last).count(where: chunk.bit) }
      row += last - first
    }
    return count
  }

  /// Whether a value is null.
  @inlinable @inline(__always) public func isNull(_ column: Int, _ row: Int) -> Bool {
    read(column, row) { $0.isNull($1) }
  }
  /// An integer; of no meaning where it is null.
  @inlinable @inline(__always) public func integer(_ column: Int, _ row: Int) -> Int64 {
    read(column, row) { $0.integer($1) }
  }
  /// A Boolean; of no meaning where it is null.
  @inlinable @inline(__always) public func bool(_ column: Int, _ row: Int) -> Bool {
    read(column, row) { $0.bit($1) }
  }
  /// A number of 32 bits; of no meaning where it is null.
  @inlinable @inline(__always) public func float(_ column: Int, _ row: Int) -> Float {
    read(column, row) { $0.float($1) }
  }
  /// A number of 64 bits; of no meaning where it is null.
  @inlinable @inline(__always) public func double(_ column: Int, _ row: Int) -> Double {
    read(column, row) { $0.double($1) }
  }
  /// Where the 12 bytes of a value are.
  @inlinable @inline(__always) public func fixed12(_ column: Int, _ row: Int) -> UnsafeRawPointer {
    chunk(column, number: Self.chunkIndex(row)).fixed12(Self.indexInChunk(row))
  }
  /// Where the 16 bytes of a value are.
  @inlinable @inline(__always) public func fixed16(_ column: Int, _ row: Int) -> UnsafeRawPointer {
    chunk(column, number: Self.chunkIndex(row)).fixed16(Self.indexInChunk(row))
  }
  /// The bytes of a string, data or mixed value; valid until the snapshot's content stamp changes, or for who is inside.
  @inlinable @inline(__always) public func bytes(_ column: Int, _ row: Int) -> UnsafeRawBufferPointer {
    if let bytes = chunk(column, number: Self.chunkIndex(row)).bytes(Self.indexInChunk(row)) { return bytes }
    return snapshot.longValue(table: number, column: column, row: row)
  }
  /// A text, copied; of no meaning where it is null.
  @inlinable @inline(__always) public func string(_ column: Int, _ row: Int) -> String {
    let buildsShortStrings = state.pointee.buildsShortStrings
    return withBytes(column, row) { bytes in
      if buildsShortStrings, let short = String(shortASCII: bytes) { return short }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
  /// What is made of the bytes of a string, data or mixed value.
  @inlinable @inline(__always)
  public func withBytes<Value>(
    _ column: Int, _ row: Int, _ body: (UnsafeRawBufferPointer) -> Value
  ) -> Value {
    read(column, row) { chunk, index in
      body(chunk.bytes(index) ?? snapshot.longValue(table: number, column: column, row: row))
    }
  }
  /// The row that a link points to, or nil.
  @inlinable public func link(_ column: Int, _ row: Int) -> Int? {
    read(column, row) { $0.isNull($1) ? nil : Int($0.integer($1)) }
  }

  /// The value of a column that is not a collection, with its type known only at run time.
  public func value(_ column: Int, _ row: Int) -> Value {
    // The description is not copied as a whole, with references that would have to be counted.
    let columns = snapshot.catalogue.tables[number].columns
    return value(column, row, columns[column].type, target: columns[column].target)
  }

  /// Returns the value of a row in a column whose description the caller knows.
  func value(_ column: Int, _ row: Int, _ type: ValueType, target: Int) -> Value {
    read(column, row) { chunk, index in
      if chunk.isNull(index) { return .null }
      if type.layout == .bytes { return Value(type, bytes: bytes(column, row)) }
      return chunk.storedValue(index, type, target: target)
    }
  }

  /// Calls the body with every row that is there, ascending. The body may change values, and delete rows.
  package func forEachRow(_ body: (Int) -> Void) {
    for row in 0..<rowLimit where isAlive(row) { body(row) }
  }
}

extension Chunk {
  /// A value of a type that is not kept as bytes; bits are read by their layout, so segments of Bool differ.
  public func storedValue(_ index: Int, _ type: ValueType, target: Int) -> Value {
    if isNull(index) { return .null }
    switch type {
    case .int: return .int(integer(index))
    case .bool: return .bool(encoding == .bits ? bit(index) : integer(index) != 0)
    case .float: return .float(float(index))
    case .double: return .double(double(index))
    case .date: return .date(double(index))
    case .link: return .link(table: target, row: Int(integer(index)))
    case .objectId: return .objectId(Fixed12(fixed12(index)))
    case .uuid: return .uuid(Fixed16(fixed16(index)))
    case .decimal128: return .decimal128(Fixed16(fixed16(index)))
    case .string, .data, .mixed: return bytes(index).map { Value(type, bytes: $0) } ?? .null
    }
  }
}

extension Value {
  /// A string, data or mixed value from its bytes.
  public init(_ type: ValueType, bytes: UnsafeRawBufferPointer) {
    switch type {
    case .string: self = .string(String(decoding: bytes, as: UTF8.self))
    case .data: self = .data(Array(bytes))
    default: self.init(mixed: bytes)
    }
  }
}
