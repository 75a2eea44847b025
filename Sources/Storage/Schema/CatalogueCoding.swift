// The catalogue's form in the file: numbers little-endian, names with a 4-byte length.
//
//   u64 stamp, raised by each change · u64 schema version · u32 tables
//   table: name · u8 flags (1 embedded, 2 removed, 4 compound indexes) · u32 columns
//          · with flag 4, behind the columns: indexes (see `CompoundIndex.swift`)
//   column: name · u8 type · u8 collection · u8 flags (1 nullable, 2 indexed, 4 primary key, 8 removed,
//           16 word index, 32 attributes)
//           · i32 target table · u64 row limit when it was added · with flag 16: u8 rule of the word index
//           · with flag 32: attributes (see `ColumnAttributes.swift`)
//   at the end of a synced file's catalogue: u8 1
//
// The first files of format 2 have no row limits.
extension Catalogue {
  static let key = Array("catalogue".utf8)

  func encoded(stamp: UInt64) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(stamp)
    writer.append(schemaVersion)
    writer.append(UInt32(tables.count))
    for table in tables {
      writer.append(table.name)
      writer.append(
        UInt8((table.isEmbedded ? 1 : 0) | (table.isRemoved ? 2 : 0) | (table.hasIndexes ? 4 : 0)))
      writer.append(UInt32(table.columns.count))
      for column in table.columns {
        writer.append(column.name)
        writer.append(column.type.rawValue)
        writer.append(column.collection.rawValue)
        var flags: UInt8 = column.isNullable ? 1 : 0
        if column.isIndexed { flags |= 2 }
        if column.isPrimaryKey { flags |= 4 }
        if column.isRemoved { flags |= 8 }
        if column.wordRule != 0 { flags |= 16 }
        if column.hasAttributes { flags |= 32 }
        writer.append(flags)
        writer.append(Int32(column.target))
        writer.append(UInt64(column.rowsBefore))
        if column.wordRule != 0 { writer.append(column.wordRule) }
        if column.hasAttributes { column.writeAttributes(&writer) }
      }
      if table.hasIndexes { table.writeIndexes(&writer) }
    }
    if isSynced { writer.append(UInt8(1)) }
    return writer.bytes
  }

  /// Nil when the bytes are not a catalogue.
  init?(_ bytes: UnsafeRawBufferPointer) {
    let sound = [true, false].lazy.compactMap { Self(unchecked: bytes, hasRowLimits: $0) }.first(
      where: \.isSound)
    guard let sound else { return nil }
    self = sound
  }

  /// Whether everything that is referred to is there, and names are different.
  var isSound: Bool {
    guard tables.count <= IndexNumber.tableLimit,
      tables.allSatisfy({ $0.columns.count <= IndexNumber.columnLimit })
    else { return false }
    if NameTable(tables.filter { !$0.isRemoved }.map(\.name)).hasRepeats { return false }
    return tables.allSatisfy { table in
      if NameTable(table.columns.filter { !$0.isRemoved }.map(\.name)).hasRepeats { return false }
      for column in table.columns {
        if column.type == .link, !tables.indices.contains(column.target) { return false }
        if column.isRemoved { continue }
        if column.isPrimaryKey && column.collection != .none { return false }
        if column.wordRule != 0 && column.type != .string { return false }
        if column.linkRule != .nullify && column.type != .link && column.type != .mixed { return false }
        if column.isSequence && column.type != .int { return false }
        if column.isUnique && column.collection != .none { return false }
      }
      return table.hasSoundIndexes && table.columns.count(where: { $0.isPrimaryKey && !$0.isRemoved }) <= 1
    }
  }

  private init?(unchecked bytes: UnsafeRawBufferPointer, hasRowLimits: Bool) {
    var reader = ByteReader(bytes)
    guard reader.read(UInt64.self) != nil, let version = reader.read(UInt64.self),
      let tableCount = reader.read(UInt32.self)
    else { return nil }
    self.init(schemaVersion: version)
    for _ in 0..<tableCount {
      guard let name = reader.readString(), let flags = reader.read(UInt8.self), flags < 8,
        let columnCount = reader.read(UInt32.self)
      else { return nil }
      var table = TableDescription(name: name, isEmbedded: flags & 1 != 0, isRemoved: flags & 2 != 0)
      for _ in 0..<columnCount {
        guard let name = reader.readString(),
          let type = reader.read(UInt8.self).flatMap(ValueType.init(rawValue:)),
          let collection = reader.read(UInt8.self).flatMap(CollectionType.init(rawValue:)),
          let flags = reader.read(UInt8.self), flags < 64, let target = reader.read(Int32.self),
          // Without one, any chunk may never have been written.
          let rowsBefore = hasRowLimits ? reader.read(UInt64.self) : UInt64.max
        else { return nil }
        var column = Column(
          name: name, type: type, collection: collection, isNullable: flags & 1 != 0,
          isIndexed: flags & 2 != 0, isPrimaryKey: flags & 4 != 0, target: Int(target),
          isRemoved: flags & 8 != 0)
        column.rowsBefore = Int(clamping: rowsBefore)
        if flags & 16 != 0 {
          guard let rule = reader.read(UInt8.self) else { return nil }
          column.wordRule = rule
        }
        if flags & 32 != 0, !column.readAttributes(&reader) { return nil }
        table.columns.append(column)
      }
      if flags & 4 != 0, !table.readIndexes(&reader) { return nil }
      tables.append(table)
    }
    if !reader.isAtEnd {
      guard reader.read(UInt8.self) == 1 else { return nil }
      isSynced = true
    }
    guard reader.isAtEnd else { return nil }
  }
}
