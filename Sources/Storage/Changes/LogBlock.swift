/// Entries of the log that were put together.
///
/// While a reader keeps an old version, the log keeps what every commit since then has changed. As entries of their own
/// they would make the main tree grow, of which every commit would then write several nodes instead of one. So
/// those of 16 versions become one entry, 16 of these become one again, and so on; and the value is kept long enough
/// for it to be stored outside of the node of its key.
///
///   u32 number of entries · u32 size of all of them · for each: version, size, bytes
/// Numbers without a size are of variable length. The rest of the value means nothing.
struct LogBlock {
  /// How many versions the smallest blocks hold, and how many blocks the next larger ones.
  static let factor: UInt64 = 16
  private static let largestSpan: UInt64 = 65_536
  /// Shorter values are stored beside their keys.
  private static let shortestSize = 2048

  private var count = 0
  private var entries = ByteWriter()

  /// Puts the entries of the versions before one together that is a multiple of the factor.
  static func pack(
    _ target: EntryTransaction, _ tree: EntryTree, before version: UInt64
  ) throws(EntryError) {
    var span = factor
    while span < largestSpan && version % (span * factor) == 0 { span *= factor }
    let cursor = try LogCursor(target, tree)
    defer { cursor.close() }
    var block = LogBlock()
    while let logged = try cursor.seek(version - span), logged.version < version {
      try block.append(logged, logged.value)
      try cursor.delete()
    }
    if block.count == 0 { return }
    let size = 8 + block.entries.bytes.count
    try LogKey(version - 1, part: LogKey.block).withBytes { (key, keySize) throws(EntryError) in
      try target.store(tree, key, keySize, size: max(size, shortestSize)) { place in
        place.storeBytes(of: UInt32(block.count).littleEndian, as: UInt32.self)
        place.storeBytes(of: UInt32(size - 8).littleEndian, toByteOffset: 4, as: UInt32.self)
        block.entries.bytes.withUnsafeBytes {
          (place + 8).copyMemory(from: $0.baseAddress!, byteCount: $0.count)
        }
        if size < shortestSize {
          (place + size).initializeMemory(as: UInt8.self, repeating: 0, count: shortestSize - size)
        }
      }
    }
  }

  private mutating func append(
    _ logged: LogCursor.Logged, _ value: UnsafeRawBufferPointer
  ) throws(EntryError) {
    if !logged.isBlock {
      entries.appendVariable(logged.version)
      entries.appendVariable(UInt64(value.count))
      entries.bytes.append(contentsOf: value)
      count += 1
      return
    }
    var reader = ByteReader(value)
    guard let number = reader.read(UInt32.self), let size = reader.read(UInt32.self),
      let bytes = reader.readBytes(Int(size))
    else { throw EntryError.corrupted }
    entries.bytes.append(contentsOf: bytes)
    count += Int(number)
  }

  /// Calls the body with the versions and the bytes of a block's entries, in their order, until it returns false. False
  /// also when the block is damaged.
  static func forEachEntry(
    _ value: UnsafeRawBufferPointer, _ body: (UInt64, UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    var reader = ByteReader(value)
    guard let count = reader.read(UInt32.self), reader.read(UInt32.self) != nil else { return false }
    for _ in 0..<count {
      guard let version = reader.readVariable(), let size = reader.readInteger(),
        let bytes = reader.readBytes(size)
      else { return false }
      if !body(version, bytes) { return false }
    }
    return true
  }
}

/// A position among the log's entries in the main tree.
struct LogCursor {
  private let transaction: EntryTransaction
  private let cursor: EntryCursor

  struct Logged {
    /// The version of the entry, or the last version that a block has room for.
    var version: UInt64
    var isBlock: Bool
    /// The key, in the map.
    var key: UnsafeRawBufferPointer { entry.key }
    /// What it says. Valid until the transaction ends or writes.
    var value: UnsafeRawBufferPointer { entry.value }
    fileprivate let entry: EntryCursor.Entry
  }

  init(_ transaction: EntryTransaction, _ tree: EntryTree) throws(EntryError) {
    self.transaction = transaction
    cursor = try transaction.openCursor(tree)
  }

  func close() { cursor.close() }

  /// The first entry, or block, of this version or a later one.
  func seek(_ version: UInt64) throws(EntryError) -> Logged? {
    try LogKey(version).withBytes { (bytes, size) throws(EntryError) in
      logged(try cursor.entry(atOrAfter: UnsafeRawBufferPointer(start: bytes, count: size)))
    }
  }

  func next() throws(EntryError) -> Logged? { logged(try cursor.nextEntry()) }

  /// Deletes the entry, or block, that was found last.
  func delete() throws(EntryError) { try cursor.delete() }

  private func logged(_ entry: EntryCursor.Entry?) -> Logged? {
    guard let entry, let version = LogKey.version(entry.key) else { return nil }
    return Logged(version: version, isBlock: LogKey.isBlock(entry.key), entry: entry)
  }
}
