import Storage

/// Reads values of single rows, and evaluates predicates on them, one row at a time.
struct RowReader {
  let table: Table
  var snapshot: Snapshot { table.snapshot }

  init(_ table: Table) { self.table = table }

  func reader(table number: Int) -> RowReader { RowReader(snapshot.table(number)) }

  /// The value at the end of a chain of links; null where a link is.
  func value(of property: PropertySource, row: Int) -> Value {
    var reader = self
    var row = row
    for link in property.links {
      guard let linked = reader.table.link(link.column, row) else {
        return property.source.valueBehindNullLink
      }
      reader = reader.reader(table: link.target)
      row = linked
    }
    return reader.value(of: property.source, row: row)
  }

  func value(of source: ScalarSource, row: Int) -> Value {
    switch source {
    case .row(let number): return .link(table: number, row: row)
    case .column(let column, _): return table.value(column, row)
    case .elementCount(let column): return .int(Int64(table.count(column, row)))
    case .backlinkCount(let origin, let column):
      return .int(Int64(targets(of: .backlinks(table: origin, column: column), row: row).count))
    case .elementAggregate(let column, let operation, let type):
      var aggregate = ValueAggregate(operation, type)
      for element in table.elements(column, row) { aggregate.add(element) }
      return aggregate.result
    case .targetAggregate(let links, let operation, let column, let type):
      var aggregate = ValueAggregate(operation, type)
      let target = snapshot.table(links.table)
      let rows = targets(of: links, row: row)
      if !aggregate.addNumbers(rows: rows, of: target, column: column) {
        for row in rows { aggregate.add(target.value(column, row)) }
      }
      return aggregate.result
    case .mapValue(let column, let key, _):
      let (position, isFound) = table.position(column, row, ofKey: key)
      return isFound ? table.element(column, row, at: position) : .null
    case .nested(let column, let steps):
      return nestedValues(table.value(column, row), steps).first ?? .null
    }
  }

  /// The rows that a collection or back link leads to, with repetition, without nulls.
  func targets(of source: LinkSource, row: Int) -> [Int] {
    switch source {
    case .collection(let column, _):
      return elementRows(column, row)
    case .backlinks(let origin, let column):
      return snapshot.backlinks(to: row, of: table.number, from: origin, column: column)
    }
  }

  private func elementRows(_ column: Int, _ row: Int) -> [Int] {
    let collection = table.collection(column, row)
    var rows: [Int] = []
    rows.reserveCapacity(collection.count)
    collection.forEachInteger { row, _ in rows.append(Int(row)) }
    return rows
  }

  /// The values that a path finds inside a mixed value; without a wildcard exactly one, null when nothing is
  /// there.
  func nestedValues(_ value: Value, _ steps: [NestedStep]) -> [Value] {
    var values = [value]
    for step in steps where !values.isEmpty {
      switch step {
      case .key(let key): values = values.map { $0.nested(underKey: key) }
      case .index(let index): values = values.map { $0.nested(at: index) }
      case .anyElement: values = values.flatMap(\.nestedValues)
      }
    }
    return values
  }
}

extension Value {
  /// The value of a key of a dictionary; null for what has none.
  fileprivate func nested(underKey key: String) -> Value {
    guard case .dictionary(let entries) = self else { return .null }
    return entries.first { $0.key == key }?.value ?? .null
  }

  /// An element of a list, -1 for the last one; null for what has none.
  fileprivate func nested(at index: Int) -> Value {
    guard case .list(let elements) = self else { return .null }
    let position = index < 0 ? elements.count + index : index
    return elements.indices.contains(position) ? elements[position] : .null
  }

  /// The elements of a list or the values of a dictionary.
  fileprivate var nestedValues: [Value] {
    switch self {
    case .list(let elements): elements
    case .dictionary(let entries): entries.map(\.value)
    default: []
    }
  }
}

extension ScalarSource {
  /// What a path yields when a link before this is null: a collection that is not there has no elements, and
  /// anything else is null.
  var valueBehindNullLink: Value {
    switch self {
    case .elementCount, .backlinkCount: .int(0)
    default: .null
    }
  }
}

extension Value {
  /// The bytes of a string or data; nil for anything else.
  var textBytes: [UInt8]? {
    switch self {
    case .string(let text): Array(text.utf8)
    case .data(let bytes): bytes
    default: nil
    }
  }
}
