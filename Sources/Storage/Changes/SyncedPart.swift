/// What an entry of the change log says beyond other files' entries when the file is synced:
///
///   u64 0 · u8 flags (2: elements follow) · u8 origin · u64 stamp
///   number of tables, for each: table · u8 type of its primary key, or 255 when the key changed, and nothing more
///   · number of keys that left it, for each: row · u8 form (0 null, 1 integer, 2 bytes) · u64, or size and bytes
///   what `LoggedElements` says, if flag 2 is set
/// Numbers without a size are of variable length. Keys are written as the index of the primary key has them. Entries that were
/// written before format 7 begin with a checksum of all values, and have flag 1 if it is known.
struct SyncedPart {
  /// The keys that left a table.
  struct RemovedKeys {
    var isKeyChanged = false
    var removed: [DeletedKey] = []
  }

  private static let sumIsKnown: UInt8 = 1
  private static let elementsFollow: UInt8 = 2
  private static let changedKey: UInt8 = 255

  /// The checksum of all values in a file of an earlier format; nil when it is not known.
  let sum: UInt64?
  let origin: ChangeOrigin
  let stamp: UInt64
  private let hasElements: Bool
  private(set) var keys: [Int: RemovedKeys] = [:]
  private(set) var elements = LoggedElements()

  // MARK: Writing

  static func append(_ transaction: WriteTransaction, _ snapshot: Snapshot, to writer: inout ByteWriter) {
    let elements = LoggedElements.bytes(transaction, snapshot)
    writer.append(UInt64(0))
    writer.append(elements.isEmpty ? 0 : elementsFollow)
    writer.append(transaction.origin.rawValue)
    writer.append(transaction.storedStamp)
    var count: UInt64 = 0
    var tables = ByteWriter()
    if transaction.mayHaveRemovedKeys {
      for number in snapshot.catalogue.tables.indices
      where append(table: number, transaction, snapshot, to: &tables) {
        count += 1
      }
    }
    writer.appendVariable(count)
    writer.bytes += tables.bytes
    writer.bytes += elements
  }

  /// Writes the keys that left a table. Returns false, and writes nothing, when none did.
  private static func append(
    table number: Int, _ transaction: WriteTransaction, _ snapshot: Snapshot, to writer: inout ByteWriter
  ) -> Bool {
    let before = transaction.catalogueAtBegin.tables
    let table = snapshot.catalogue.tables[number]
    if table.isRemoved || number >= before.count { return false }
    guard let column = table.primaryKey, before[number].primaryKey == column,
      !transaction.droppedIndexes.contains(IndexNumber.values(table: number, column: column))
    else {
      if table.primaryKey == nil && before[number].primaryKey == nil { return false }
      writer.appendVariable(UInt64(number))
      writer.append(changedKey)
      return true
    }
    let changes = transaction.indexChanges[IndexNumber.values(table: number, column: column)]
    guard let changes else { return false }
    let (nulls, integers, bytes) = (changes.nulls.removed, changes.integers.removed, changes.bytes.removed)
    let count = nulls.count + integers.count + bytes.count
    if count == 0 { return false }
    writer.appendVariable(UInt64(number))
    writer.append(table.columns[column].type.rawValue)
    writer.appendVariable(UInt64(count))
    forEachPair(nulls) { append(row: $0.row, form: 0, to: &writer) }
    forEachPair(integers) {
      append(row: $0.row, form: 1, to: &writer)
      writer.append($0.key)
    }
    forEachPair(bytes) {
      append(row: $0.row, form: 2, to: &writer)
      writer.appendVariable(UInt64($0.length))
      writer.bytes.append(contentsOf: UnsafeRawBufferPointer(start: $0.start, count: $0.length))
    }
    return true
  }

  private static func append(row: UInt64, form: UInt8, to writer: inout ByteWriter) {
    writer.appendVariable(row)
    writer.append(form)
  }

  private static func forEachPair<Pair: IndexPair>(_ pairs: SortedPairs<Pair>, _ body: (Pair) -> Void) {
    var position = pairs.start
    while position != pairs.end {
      body(pairs[position])
      pairs.advance(&position)
    }
  }

  // MARK: Reading

  /// Whether the rest of an entry is that of a synced file, and not just a checksum.
  static func follows(_ reader: ByteReader) -> Bool { reader.remaining > 8 }

  /// Reads what comes before the keys; nil when it is damaged.
  init?(_ reader: inout ByteReader) {
    guard let sum = reader.read(UInt64.self), let flags = reader.read(UInt8.self),
      flags <= Self.sumIsKnown | Self.elementsFollow,
      let origin = reader.read(UInt8.self).flatMap(ChangeOrigin.init(rawValue:)),
      let stamp = reader.read(UInt64.self)
    else { return nil }
    self.sum = flags & Self.sumIsKnown != 0 ? sum : nil
    hasElements = flags & Self.elementsFollow != 0
    self.origin = origin
    self.stamp = stamp
  }

  /// Reads the keys, and the elements; false when they are damaged.
  mutating func readRest(_ reader: inout ByteReader) -> Bool {
    guard let count = reader.readInteger() else { return false }
    for _ in 0..<count {
      guard let table = reader.readInteger(), let type = reader.read(UInt8.self), keys[table] == nil else {
        return false
      }
      guard let removed = Self.readTable(type, &reader) else { return false }
      keys[table] = removed
    }
    if hasElements && !elements.read(&reader) { return false }
    return reader.isAtEnd
  }

  private static func readTable(_ type: UInt8, _ reader: inout ByteReader) -> RemovedKeys? {
    if type == changedKey { return RemovedKeys(isKeyChanged: true) }
    guard let type = ValueType(rawValue: type), let count = reader.readInteger() else { return nil }
    var table = RemovedKeys()
    for _ in 0..<count {
      guard let row = reader.readInteger(), let key = readKey(type, &reader) else { return nil }
      table.removed.append(DeletedKey(key: key, row: row))
    }
    return table
  }

  private static func readKey(_ type: ValueType, _ reader: inout ByteReader) -> Value? {
    switch (reader.read(UInt8.self), type) {
    case (0, _): return .null
    case (1, .int):
      return reader.read(UInt64.self).map { .int(Int64(bitPattern: $0 ^ 1 << 63)) }
    case (2, .string):
      return reader.readInteger().flatMap { reader.readBytes($0) }.map {
        .string(String(decoding: $0, as: UTF8.self))
      }
    case (2, .objectId):
      guard reader.readInteger() == 12, let bytes = reader.readBytes(12) else { return nil }
      return .objectId(Fixed12(bytes.baseAddress!))
    case (2, .uuid):
      guard reader.readInteger() == 16, let bytes = reader.readBytes(16) else { return nil }
      return .uuid(Fixed16(bytes.baseAddress!))
    default: return nil
    }
  }
}

extension WriteTransaction {
  /// Whether keys may have left a table. Most transactions change values without an index, and look at no table for that.
  fileprivate var mayHaveRemovedKeys: Bool {
    isCatalogueChanged || !indexChanges.isEmpty || !droppedIndexes.isEmpty
  }
}
