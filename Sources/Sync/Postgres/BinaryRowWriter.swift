package import Storage

/// Writes rows in the binary format of COPY.
///
/// A row is sent whole or not at all: when the closure that writes its fields throws, the row is dropped and the next one
/// can be written.
package final class BinaryRowWriter {
  private let bytes = EncodedBytes(capacity: 1 << 17)
  private let connection: PostgresConnection?
  private let deadline: Deadline
  private var fieldCount = 0
  /// Number of rows written.
  package private(set) var rowCount = 0

  /// Number of bytes that are sent at once.
  private static let blockSize = 1 << 16

  init(to connection: PostgresConnection?, deadline: Deadline) {
    (self.connection, self.deadline) = (connection, deadline)
    BinaryCopy.signature.withUnsafeBytes { bytes.append($0) }
    bytes.append(Int32(0))
    bytes.append(Int32(0))
  }

  /// Writes a row with the fields that the closure writes.
  ///
  /// - Parameter fields: Number of fields that the closure writes.
  /// - Throws: What the closure throws; `UnsendableValue` for a row that is too long; `PostgresError` when the connection
  ///   is lost.
  @inline(__always)
  package func row(fields: Int, _ body: () throws -> Void) throws {
    let position = bytes.count
    fieldCount = 0
    bytes.append(Int16(fields))
    do {
      try body()
    } catch {
      bytes.truncate(to: position)
      throw error
    }
    precondition(fieldCount == fields, "a row has the fields that were announced")
    guard bytes.count - position <= BinaryFormat.longest else {
      bytes.truncate(to: position)
      throw UnsendableValue(.tooLong)
    }
    rowCount += 1
    if bytes.count >= Self.blockSize { try send() }
  }

  /// Writes a field.
  @inline(__always)
  package func value(_ value: Value, as type: ServerType) throws(UnsendableValue) {
    try BinaryFormat.append(value, as: type, to: bytes)
    fieldCount += 1
  }

  /// Writes a null.
  package func null() {
    bytes.append(Int32(-1))
    fieldCount += 1
  }

  /// Writes a field of the type `bigint`.
  package func integer(_ number: Int64) {
    BinaryFormat.append(number, to: bytes)
    fieldCount += 1
  }

  /// Writes a field of the type `"char"`.
  package func character(_ character: UInt8) {
    BinaryFormat.append(character, to: bytes)
    fieldCount += 1
  }

  /// Writes a field of the type `text`.
  package func text(_ text: String) throws(UnsendableValue) {
    try BinaryFormat.append(text, to: bytes)
    fieldCount += 1
  }

  /// Writes a field of the type `bigint[]`.
  package func integers(_ numbers: [Int64?]) {
    bytes.append(Int32(numbers.isEmpty ? 12 : 20 + numbers.reduce(0) { $0 + ($1 == nil ? 4 : 12) }))
    bytes.append(Int32(numbers.isEmpty ? 0 : 1))
    bytes.append(Int32(numbers.contains(nil) ? 1 : 0))
    bytes.append(ServerType.bigint.objectIdentifier)
    if !numbers.isEmpty {
      bytes.append(Int32(numbers.count))
      bytes.append(Int32(1))
    }
    for number in numbers {
      if let number { BinaryFormat.append(number, to: bytes) } else { bytes.append(Int32(-1)) }
    }
    fieldCount += 1
  }

  /// Writes the end of the rows and sends what has not been sent.
  func finish() throws(PostgresError) {
    bytes.append(Int16(-1))
    try send()
  }

  private func send() throws(PostgresError) {
    if let connection {
      try bytes.withBytes { (block) throws(PostgresError) in try connection.putCopyData(block, deadline) }
    }
    bytes.truncate(to: 0)
  }
}
