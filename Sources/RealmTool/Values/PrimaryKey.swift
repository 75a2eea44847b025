import Storage

/// The primary key of a class: one property, or several in their order.
struct PrimaryKey {
  let columns: [Int]
  private let index: ValueIndex

  /// Nil when the class has none.
  init?(_ description: TableDescription, table: Int) {
    if let column = description.primaryKey {
      columns = [column]
      index = .column(column, ofTable: table)
    } else if let composite = description.compositeKey {
      columns = composite.columns
      index = .compound(composite, ofTable: table)
    } else {
      return nil
    }
  }

  var isComposite: Bool { columns.count > 1 }

  /// The row of the object with these values, in the order of the columns.
  func row(_ values: [Value], in snapshot: Snapshot) -> Int? {
    let keys = values.map { IndexKey($0) }
    return snapshot.firstRow(index, equalTo: isComposite ? CompoundKey(keys).indexKey : keys[0])
  }

  func values(_ table: Table, _ row: Int) -> [Value] { columns.map { table.value($0, row) } }
}
