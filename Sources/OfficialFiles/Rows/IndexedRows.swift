/// The objects of a table before format 10, whose keys are their numbers.
struct IndexedRows: RowSource {
  static let blockCount = 1_000

  private let columns: [IndexedColumn]
  private let losses: Losses?
  let count: Int

  init(_ columns: [IndexedColumn], _ losses: Losses?) throws {
    self.columns = columns
    self.losses = losses
    if losses == nil {
      count = try columns.first.map { try $0.makeValues().count } ?? 0
    } else {
      count = Self.commonCount(columns)
    }
  }

  /// The number of values that most of the columns have.
  private static func commonCount(_ columns: [IndexedColumn]) -> Int {
    var columnsByCount: [Int: Int] = [:]
    for column in columns {
      if let count = try? column.makeValues().count { columnsByCount[count, default: 0] += 1 }
    }
    return columnsByCount.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
  }

  func forEachBlock(_ body: (any RowBlock) throws -> Void) throws {
    let values = try columns.map { column in
      let place = column.layout.context.place
      func read() throws -> IndexedValues {
        let values = try column.makeValues()
        guard values.count == count else { throw Damage("\(values.count) values for \(count) objects") }
        return values
      }
      return try place.locating { try losses.noting(.values, place, count: count, read) }
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
  /// Nil for a damaged column.
  let values: [IndexedValues?]

  var count: Int { rows.count }

  func key(at row: Int) -> Int64 {
    precondition(row >= 0 && row < count)
    return Int64(rows.lowerBound + row)
  }

  func forEachValue(ofColumn column: Int, _ body: (_ row: Int, _ value: OfficialValue) throws -> Void) throws
  {
    let context = columns[column].layout.context
    try context.place.locating {
      guard var values = values[column] else { return }
      for row in 0..<count {
        let index = rows.lowerBound + row
        let value = try context.losses.noting(.values, context.place, count: 1, at: index) {
          try values.value(at: index)
        }
        if let value { try body(row, value) }
      }
    }
  }
}
