import Storage

/// Rows of one query as the server has sent them: decoded ones need several times the memory.
struct EncodedRows {
  private let blocks: PulledBlocks
  private let types: [ServerType]
  private var full: [PulledBlocks.Block] = []
  /// The block that is being filled: rows, each with its length in front.
  private var open: [UInt8] = []
  private(set) var count = 0

  /// Maximum number of bytes of a block with several rows.
  private static let blockSize = 1 << 18

  /// - Parameter types: The types of the columns.
  init(_ types: [ServerType], in blocks: PulledBlocks) { (self.types, self.blocks) = (types, blocks) }

  /// Appends a row.
  ///
  /// - Parameter fields: The fields, each with its length in front.
  mutating func append(_ fields: UnsafeRawBufferPointer) {
    let size = MemoryLayout<UInt32>.size + fields.count
    if !open.isEmpty && open.count + size > Self.blockSize {
      full.append(blocks.keep(open))
      open.removeAll(keepingCapacity: true)
    }
    if open.isEmpty && !full.isEmpty { open.reserveCapacity(max(Self.blockSize, size)) }
    withUnsafeBytes(of: UInt32(fields.count)) { open.append(contentsOf: $0) }
    open.append(contentsOf: fields)
    count += 1
  }

  /// Calls the body with the fields of each row.
  ///
  /// - Throws: `PostgresError` for a row that is damaged; `StorageError` for rows that cannot be read back; what the body throws.
  func read(_ body: ([Value]) throws -> Void) throws {
    var values: [Value] = []
    for block in full { try blocks.read(block) { try read($0, &values, body) } }
    try open.withUnsafeBytes { try read($0, &values, body) }
  }

  private func read(
    _ bytes: UnsafeRawBufferPointer, _ values: inout [Value], _ body: ([Value]) throws -> Void
  ) throws {
    var position = 0
    while position < bytes.count {
      let size = Int(bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
      position += MemoryLayout<UInt32>.size
      let fields = UnsafeRawBufferPointer(rebasing: bytes[position..<position + size])
      position += size
      try Self.decode(fields, types, into: &values)
      try body(values)
    }
  }

  /// Reads the fields of a row as values, in the place of what the array has.
  static func decode(
    _ fields: UnsafeRawBufferPointer, _ types: [ServerType], into values: inout [Value]
  ) throws(PostgresError) {
    var reader = BinaryRowReader(fields, count: types.count)
    try reader.read(types, into: &values)
    try reader.finish()
  }
}
