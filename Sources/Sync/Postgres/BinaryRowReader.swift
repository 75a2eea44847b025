package import Storage

/// The fields of one row in the binary format of COPY, which are read one after the other.
///
/// Invariant: `bytes` is valid only within the closure that the reader was given to; the reader is `~Copyable` and
/// borrowed, so that it does not outlive the closure.
package struct BinaryRowReader: ~Copyable {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  /// Number of fields not yet read.
  package private(set) var remaining: Int

  /// - Parameters:
  ///   - bytes: The fields, each with its length in front.
  ///   - count: Number of fields.
  init(_ bytes: UnsafeRawBufferPointer, count: Int) { (self.bytes, remaining) = (bytes, count) }

  /// Reads the next field and calls the body with its bytes, nil for null.
  @inline(__always)
  package mutating func next<Result>(
    _ body: (UnsafeRawBufferPointer?) throws(PostgresError) -> Result
  ) throws(PostgresError) -> Result {
    guard remaining > 0, bytes.count - position >= 4 else { throw Self.damaged() }
    let length = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self)))
    position += 4
    remaining -= 1
    if length == -1 { return try body(nil) }
    guard length >= 0, length <= bytes.count - position else { throw Self.damaged() }
    defer { position += length }
    return try body(UnsafeRawBufferPointer(rebasing: bytes[position..<position + length]))
  }

  /// Reads the next field as a value.
  @inline(__always)
  package mutating func value(as type: ServerType) throws(PostgresError) -> Value {
    try next { (field) throws(PostgresError) in
      guard let field else { return .null }
      return try BinaryFormat.value(field, as: type)
    }
  }

  /// Reads the next fields as values, in the place of what the array has.
  @inline(__always)
  package mutating func read(_ types: [ServerType], into values: inout [Value]) throws(PostgresError) {
    values.removeAll(keepingCapacity: true)
    for type in types { values.append(try value(as: type)) }
  }

  /// Reads over all fields. Returns the bytes of those that have not been read, for a reader that verifies them.
  mutating func takeRest() -> UnsafeRawBufferPointer {
    defer { (position, remaining) = (bytes.count, 0) }
    return UnsafeRawBufferPointer(rebasing: bytes[position...])
  }

  /// Reads the next field of the type `bigint` or `xid8`.
  package mutating func integer() throws(PostgresError) -> Int64? {
    try next { (field) throws(PostgresError) in
      guard let field else { return nil }
      return try BinaryFormat.number(field)
    }
  }

  /// Reads the next field of the type `text`.
  package mutating func text() throws(PostgresError) -> String? {
    try next { (field) throws(PostgresError) in
      guard let field else { return nil }
      return try BinaryFormat.text(field)
    }
  }

  /// Reads the next field of the type `bigint[]`.
  package mutating func integers() throws(PostgresError) -> [Int64?]? {
    try next { (field) throws(PostgresError) in
      guard let field else { return nil }
      return try BinaryFormat.integers(field)
    }
  }

  /// Reads over the next field.
  package mutating func skip() throws(PostgresError) {
    try next { (_: UnsafeRawBufferPointer?) throws(PostgresError) in }
  }

  /// Verifies that nothing stands behind the last field.
  mutating func finish() throws(PostgresError) {
    while remaining > 0 { try skip() }
    guard position == bytes.count else { throw Self.damaged() }
  }

  @inline(never)
  static func damaged() -> PostgresError { PostgresError("The server sent a damaged row.") }
}

/// Takes apart what COPY sends in the binary format: a header, rows, an end. Each message holds whole rows.
package struct BinaryCopy {
  package static let signature: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]

  private let fieldCount: Int
  private var hasHeader = false
  private var hasEnded = false
  package private(set) var rowCount = 0

  /// - Parameter fields: Number of fields that each row must have.
  package init(fields: Int) { fieldCount = fields }

  /// Calls the body for the rows of a message.
  package mutating func read(
    _ message: UnsafeRawBufferPointer, _ body: (inout BinaryRowReader) throws -> Void
  ) throws {
    var rest = message
    if !hasHeader {
      rest = try withoutHeader(message)
      hasHeader = true
      if rest.isEmpty { return }
    }
    guard !hasEnded, rest.count >= 2 else { throw BinaryRowReader.damaged() }
    let count = Int(Int16(bigEndian: rest.loadUnaligned(as: Int16.self)))
    let fields = UnsafeRawBufferPointer(rebasing: rest[2...])
    if count == -1 {
      guard fields.isEmpty else { throw BinaryRowReader.damaged() }
      hasEnded = true
      return
    }
    guard count == fieldCount else {
      throw PostgresError("The server sent a row of \(count) fields where \(fieldCount) were expected.")
    }
    var reader = BinaryRowReader(fields, count: count)
    try body(&reader)
    try reader.finish()
    rowCount += 1
  }

  /// Verifies that the end has been read.
  package func finish() throws(PostgresError) {
    guard hasEnded else { throw PostgresError("The server's rows end too early.") }
  }

  private func withoutHeader(
    _ message: UnsafeRawBufferPointer
  ) throws(PostgresError) -> UnsafeRawBufferPointer {
    let unknown = PostgresError("The server's answer is not in the binary format of COPY.")
    let size = Self.signature.count
    guard message.count >= size + 8, message.prefix(size).elementsEqual(Self.signature) else { throw unknown }
    let flags = UInt32(bigEndian: message.loadUnaligned(fromByteOffset: size, as: UInt32.self))
    let extra = UInt32(bigEndian: message.loadUnaligned(fromByteOffset: size + 4, as: UInt32.self))
    // The upper half says what a reader must know to understand the rest.
    guard flags >> 16 == 0, Int(extra) <= message.count - size - 8 else { throw unknown }
    return UnsafeRawBufferPointer(rebasing: message[(size + 8 + Int(extra))...])
  }
}
