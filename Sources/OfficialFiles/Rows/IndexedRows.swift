/// The objects of a table before format 10, whose keys are their numbers.
struct IndexedRows: RowSource {
  static let blockCount = 1_000

  private let columns: [IndexedColumn]
  private let space: NodeSpace
  let count: Int

  init(_ columns: [IndexedColumn], _ space: NodeSpace) throws {
    self.columns = columns
    self.space = space
    count = try columns.first.map { try $0.makeValues().count } ?? 0
  }

  func forEachBlock(_ body: (any RowBlock) throws -> Void) throws {
    let values = try columns.map { column in
      try column.layout.context.place.locating { try column.makeValues() }
    }
    for (column, values) in zip(columns, values) where values.count != count {
      throw column.layout.context.place.error(Damage("\(values.count) values for \(count) objects"))
    }
    for first in stride(from: 0, to: count, by: Self.blockCount) {
      let rows = first..<min(first + Self.blockCount, count)
      try body(IndexedBlock(rows: rows, columns: columns, values: values))
    }
  }
}

struct IndexedColumn {
  let root: Int
  let layout: IndexedLayout

  init(root: Int, _ layout: IndexedLayout) {
    self.root = root
    self.layout = layout
  }

  func makeValues() throws -> IndexedValues { try IndexedValues(root, layout) }
}

private struct IndexedBlock: RowBlock {
  let rows: Range<Int>
  let columns: [IndexedColumn]
  let values: [IndexedValues]

  var count: Int { rows.count }

  func key(at row: Int) -> Int64 {
    precondition(row >= 0 && row < count)
    return Int64(rows.lowerBound + row)
  }

  func forEachValue(ofColumn column: Int, _ body: (_ row: Int, _ value: OfficialValue) throws -> Void) throws
  {
    try columns[column].layout.context.place.locating {
      var values = values[column]
      for row in 0..<count { try body(row, values.value(at: rows.lowerBound + row)) }
    }
  }
}
