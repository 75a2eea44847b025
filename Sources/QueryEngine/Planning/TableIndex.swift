import Storage

/// An index of a table, of one column or over several.
struct TableIndex: Hashable {
  let value: ValueIndex
  /// In their order.
  let columns: [Int]

  /// Whether a column has an index whose order is that of its values.
  static func exists(_ column: Int, _ type: ValueType, _ table: Table) -> Bool {
    switch type {
    case .mixed, .decimal128, .data: false
    default: table.snapshot.hasIndex(table: table.number, column: column)
    }
  }

  /// The index of a column, if it has such a one.
  init?(column: Int, _ table: Table) {
    let type = table.snapshot.catalogue.tables[table.number].columns[column].type
    guard Self.exists(column, type, table) else { return nil }
    value = .column(column, ofTable: table.number)
    columns = [column]
  }

  init(_ index: CompoundIndex, _ table: Table) {
    value = .compound(index, ofTable: table.number)
    columns = index.columns
  }

  var isCompound: Bool { columns.count > 1 }
}

extension Table {
  var compoundIndexes: [CompoundIndex] { snapshot.catalogue.tables[number].indexes }
}
