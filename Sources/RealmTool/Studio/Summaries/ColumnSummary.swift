import QueryEngine
import RealmSwift
import Storage

/// What a view's objects have in one property: how many nulls and different values, the most frequent ones, and aggregates.
struct ColumnSummary {
  private let scan: RowScan
  private let number: Int
  private let column: Column
  private var count = 0
  private var nulls = 0
  /// The number of objects of each value, and the first of them.
  private var values: [ValueDigest: (row: Int, count: Int)] = [:]
  private var hasMore = false

  static let distinctLimit = 10_000
  private static let topLimit = 20

  init(_ scan: RowScan, _ number: Int) throws {
    self.scan = scan
    self.number = number
    column = try scan.reader.requestedColumn(number)
    let (table, isCollection, type) = (scan.reader.table, column.collection != .none, column.type)
    scan.forEachRow { row in
      count += 1
      if isCollection {
        add(ValueDigest(word: UInt64(table.count(number, row))), row)
      } else if table.isNull(number, row) {
        nulls += 1
      } else {
        add(ValueDigest(table, number, row, type), row)
      }
    }
  }

  private mutating func add(_ value: ValueDigest, _ row: Int) {
    if let place = values.index(forKey: value) {
      values.values[place].count += 1
    } else if values.count < Self.distinctLimit {
      values[value] = (row, 1)
    } else {
      hasMore = true
    }
  }

  /// The summary as an answer. Of collections the numbers of elements are summarised.
  ///
  /// With more values than are counted, `top` has the most frequent ones of those that occur first.
  var json: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append("{\"count\":\(count),\"nulls\":\(nulls),\"distinct\":")
    bytes.append(hasMore ? "null" : "\(values.count)")
    var writer = CellWriter(scan.reader.snapshot)
    let names: [(String, AggregateOperation)] = [
      ("minimum", .minimum), ("maximum", .maximum), ("sum", .sum), ("average", .average),
    ]
    for (name, operation) in names {
      bytes.append(",\"\(name)\":")
      let value = aggregate(operation)
      writer.append(value.value, value.type, to: &bytes)
    }
    bytes.append(",\"top\":")
    let top = values.values.sorted { ($0.count, $1.row) > ($1.count, $0.row) }.prefix(Self.topLimit)
    bytes.appendArray(top) { entry, bytes in
      bytes.append("[")
      if column.collection != .none {
        bytes.append(decimal: scan.reader.table.count(number, entry.row))
      } else {
        writer.append(entry.row, number, column, scan.reader.table, to: &bytes)
      }
      bytes.append(",\(entry.count)]")
    }
    bytes.append("}")
    return bytes
  }

  private func aggregate(_ operation: AggregateOperation) -> (value: Value, type: ValueType) {
    let reader = scan.reader
    if column.collection != .none {
      var aggregate = ValueAggregate(operation, .int)
      let table = reader.table
      scan.forEachRow { aggregate.add(.int(Int64(table.count(number, $0)))) }
      return (aggregate.reported, .int)
    }
    guard operation.propertyTypes.contains(column.type), count > nulls || column.type != .mixed else {
      return (.null, column.type)
    }
    let value = reader.snapshot.aggregate(
      operation, table: reader.number, column: number, over: scan.selection)
    return (value, operation.isExtreme ? column.type : .double)
  }
}
