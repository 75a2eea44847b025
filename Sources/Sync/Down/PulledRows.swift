import Storage

/// The rows that a pull has read of one class.
///
/// A pull is applied in one transaction, which must not wait for the network, so that all its rows are in memory at once. They are
/// kept as the server has sent them: decoded ones need several times the memory.
package struct PulledRows: Sendable {
  /// Rows in the format of the server, each with its length in front, in blocks.
  private var blocks: [[UInt8]] = []
  /// The query whose rows are in the blocks.
  private var query: PullQuery?
  /// Rows that were decoded to look at them.
  private var decoded: [PulledRow] = []
  package private(set) var count = 0

  /// Maximum number of bytes of a block with several rows.
  private static let blockSize = 1 << 18

  package init() {}

  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ row: PulledRow) {
    decoded.append(row)
    count += 1
  }

  /// Appends a row as the server has sent it.
  ///
  /// - Parameter query: The query of the row: one for all rows that are appended so.
  mutating func append(_ fields: UnsafeRawBufferPointer, of query: PullQuery) {
    self.query = query
    let size = MemoryLayout<UInt32>.size + fields.count
    if blocks.last.map({ $0.count + size > Self.blockSize }) ?? true {
      blocks.append([])
      blocks[blocks.count - 1].reserveCapacity(max(Self.blockSize, size))
    }
    withUnsafeBytes(of: UInt32(fields.count)) { blocks[blocks.count - 1].append(contentsOf: $0) }
    blocks[blocks.count - 1].append(contentsOf: fields)
    count += 1
  }

  /// Calls the body with each row.
  ///
  /// - Throws: `PostgresError` for a row that is damaged; what the body throws.
  package func read(_ body: (PulledRow) throws -> Void) throws {
    if let query {
      let types = query.rowTypes
      var values: [Value] = []
      for block in blocks {
        try block.withUnsafeBytes { bytes in
          var position = 0
          while position < bytes.count {
            let count = Int(bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
            position += MemoryLayout<UInt32>.size
            var reader = BinaryRowReader(
              UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]), count: types.count)
            position += count
            try reader.read(types, into: &values)
            try reader.finish()
            try body(query.row(values))
          }
        }
      }
    }
    for row in decoded { try body(row) }
  }
}
