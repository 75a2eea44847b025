import Storage

/// An index of a table, of one column or over several.
struct TableIndex: Hashable {
  let value: ValueIndex
  /// In their order.
  let columns: [Int]

  /// The index of a column; nil when it has none whose order is that of its values.
  init?(column: Int, _ type: ValueType, _ table: Table) {
    guard ![.mixed, .decimal128, .data].contains(type),
      table.snapshot.hasIndex(table: table.number, column: column)
    else { return nil }
    value = .column(column, ofTable: table.number)
    columns = [column]
  }

  private init(_ index: CompoundIndex, _ table: Table) {
    value = .compound(index, ofTable: table.number)
    columns = index.columns
  }

  /// Those over several columns.
  static func compound(_ table: Table) -> [TableIndex] {
    table.description.indexes.map { TableIndex($0, table) }
  }

  var isCompound: Bool { columns.count > 1 }
}

extension Table {
  var description: TableDescription { snapshot.catalogue.tables[number] }
}
