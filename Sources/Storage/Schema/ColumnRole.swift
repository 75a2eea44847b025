/// What writing a column concerns besides its chunk; kept as one byte a column beside the pointer tables, so
/// that a plain column costs one test.
@usableFromInline enum ColumnRole {
  @usableFromInline static let isIndexed: UInt8 = 1
  @usableFromInline static let isLink: UInt8 = 2
  @usableFromInline static let isMixed: UInt8 = 4
  @usableFromInline static let isFullText: UInt8 = 8

  /// Rows that it links to are deleted with those that link.
  static let isOwning: UInt8 = 16

  /// It is in an index over several columns.
  static let isInCompound: UInt8 = 32

  static func allocate(_ table: TableDescription) -> UnsafeMutablePointer<UInt8> {
    let columns = table.columns
    let roles = UnsafeMutablePointer<UInt8>.allocate(capacity: max(columns.count, 1))
    roles.initialize(repeating: 0, count: max(columns.count, 1))
    for (number, column) in columns.enumerated() where !column.isRemoved {
      if column.hasValueIndex { roles[number] |= isIndexed }
      if column.type == .link { roles[number] |= isLink }
      if column.type == .mixed { roles[number] |= isMixed }
      if column.linkRule.isOwning { roles[number] |= isOwning }
      if column.isFullText { roles[number] |= isFullText }
    }
    for index in table.indexes {
      for column in index.columns { roles[column] |= isInCompound }
    }
    return roles
  }
}

/// The numbers of the indexes: the value index of a column, and its backlinks or, for strings, its words; and those over
/// several columns, which come after those of all columns.
package enum IndexNumber {
  static let tableLimit = 1 << 16
  static let columnLimit = (1 << 15) - compoundLimit
  /// How many indexes over several columns a table has at most.
  package static let compoundLimit = 64

  static func values(table: Int, column: Int) -> UInt32 { UInt32(table << 16 | column << 1) }
  /// Keys are target rows; for mixed columns the target table is in the key's upper 16 bits.
  static func backlinks(table: Int, column: Int) -> UInt32 { UInt32(table << 16 | column << 1 | 1) }
  /// Keys are those of `CompoundKey`.
  static func compound(table: Int, _ index: CompoundIndex) -> UInt32 {
    values(table: table, column: columnLimit + index.number)
  }
  /// Whether an index is over several columns: `Catalogue.compoundIndex` knows which.
  static func isCompound(_ index: UInt32) -> Bool { place(index).column >= columnLimit }
  /// What an index is of. The column of one over several is beyond all others.
  static func place(_ index: UInt32) -> (table: Int, column: Int) {
    (Int(index >> 16), Int(index & 0xFFFF) >> 1)
  }
  /// The number of no index.
  static let none = UInt32.max
  /// Keys are folded words, each once for a row. Strings have no backlinks.
  static func words(table: Int, column: Int) -> UInt32 { UInt32(table << 16 | column << 1 | 1) }
}
