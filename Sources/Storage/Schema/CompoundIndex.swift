/// An index of a table over several of its columns, in their order.
package struct CompoundIndex: Hashable, Sendable {
  /// What an index promises of the rows.
  package enum Kind: UInt8, Sendable {
    /// Nothing: it is there to find them.
    case plain = 0
    /// No two rows have the same values, unless one of these is null.
    case unique = 1
    /// The values are the primary key: no two rows have the same ones, null being a value like others.
    case primaryKey = 2
  }

  /// Its number among those of the table, which it keeps as long as it is there.
  package var number: Int
  package var kind: Kind
  package var columns: [Int]

  package init(number: Int, kind: Kind, columns: [Int]) {
    self.number = number
    self.kind = kind
    self.columns = columns
  }

  package static let columnLimit = 16

  package var isUnique: Bool { kind != .plain }
}

// After the columns of a table with flag 4:
//
//   u8 number of indexes · each: u8 number · u8 kind · u8 number of columns · each column: u16
extension TableDescription {
  /// Whether a catalogue has to say something of indexes.
  var hasIndexes: Bool { !isRemoved && !indexes.isEmpty }

  func writeIndexes(_ writer: inout ByteWriter) {
    writer.append(UInt8(indexes.count))
    for index in indexes {
      writer.append(UInt8(index.number))
      writer.append(index.kind.rawValue)
      writer.append(UInt8(index.columns.count))
      for column in index.columns { writer.append(UInt16(column)) }
    }
  }

  /// False when the bytes are no such list, or have what this version does not know.
  mutating func readIndexes(_ reader: inout ByteReader) -> Bool {
    guard let count = reader.read(UInt8.self) else { return false }
    for _ in 0..<count {
      guard let number = reader.read(UInt8.self),
        let kind = reader.read(UInt8.self).flatMap(CompoundIndex.Kind.init(rawValue:)),
        let columnCount = reader.read(UInt8.self)
      else { return false }
      var index = CompoundIndex(number: Int(number), kind: kind, columns: [])
      for _ in 0..<columnCount {
        guard let column = reader.read(UInt16.self) else { return false }
        index.columns.append(Int(column))
      }
      indexes.append(index)
    }
    return true
  }

  /// Whether the indexes are over columns that are there and can be in one.
  var hasSoundIndexes: Bool {
    if indexes.isEmpty { return true }
    let keys = indexes.count { $0.kind == .primaryKey } + (primaryKey == nil ? 0 : 1)
    return keys <= 1 && indexes.count <= IndexNumber.compoundLimit
      && Set(indexes.map(\.number)).count == indexes.count
      && indexes.allSatisfy { index in
        0..<IndexNumber.compoundLimit ~= index.number && 2...CompoundIndex.columnLimit ~= index.columns.count
          && Set(index.columns).count == index.columns.count
          && index.columns.allSatisfy { columns.indices.contains($0) && columns[$0].canBeInCompoundIndex }
      }
  }

  /// An index in messages.
  func name(of index: CompoundIndex) -> String {
    "the index of " + index.columns.map { "'\(columns[$0].name)'" }.joined(separator: ", ")
  }

  /// The index that is the primary key, when that has several columns.
  package var compositeKey: CompoundIndex? { indexes.first { $0.kind == .primaryKey } }
}

extension Catalogue {
  /// What an index over several columns is; nil for other indexes, and for numbers of none.
  func compoundIndex(_ index: UInt32) -> CompoundIndex? {
    let (table, column) = IndexNumber.place(index)
    guard index & 1 == 0, tables.indices.contains(table), !tables[table].isRemoved else { return nil }
    return tables[table].indexes.first { $0.number == column - IndexNumber.columnLimit }
  }
}

extension Column {
  /// Whether equal values have equal keys that sort as they do.
  package var canBeInCompoundIndex: Bool {
    if isRemoved || collection != .none { return false }
    return switch type {
    case .int, .bool, .string, .date, .objectId, .uuid: true
    case .float, .double, .data, .decimal128, .link, .mixed: false
    }
  }
}
