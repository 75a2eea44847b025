import Testing

@testable import Storage

extension TransactionModelTests {
  /// Whether a snapshot shows just what the model has, by rows, by indexes and by backlinks; or only in some rows.
  func check(
    _ snapshot: Snapshot, _ model: Model, rows some: Set<Int>? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let table = snapshot.table(0)
    let columns = Self.catalogue.tables[0].columns
    let alive = (0..<table.rowLimit).filter(table.isAlive)
    #expect(alive == model.numbers, sourceLocation: sourceLocation)
    #expect(snapshot.liveCount(table: 0) == model.rows.count, sourceLocation: sourceLocation)
    let children = snapshot.table(1)
    #expect(
      (0..<children.rowLimit).filter(children.isAlive) == model.children.sorted(),
      sourceLocation: sourceLocation)
    var backlinks: [Int: [Int: [Int]]] = [:]
    var indexed: [Int: [Value: [Int]]] = [:]
    for row in model.numbers where some?.contains(row) != false {
      for (column, cell) in model.rows[row]!.enumerated() {
        let description = columns[column]
        let found: Cell
        switch description.collection {
        case .none: found = .value(table.value(column, row))
        case .list, .set: found = .elements(table.elements(column, row))
        case .map:
          let keys = (0..<table.count(column, row)).map { table.key(column, row, at: $0) }
          #expect(keys == keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
          found = .entries(Dictionary(uniqueKeysWithValues: zip(keys, table.elements(column, row))))
        }
        if found != cell {
          Issue.record(
            "row \(row) \(description.name): \(found) is not \(cell)", sourceLocation: sourceLocation)
        }
        if some != nil { continue }
        if description.isIndexed, case .value(let value) = cell {
          indexed[column, default: [:]][value, default: []].append(row)
        }
        if description.type != .link { continue }
        for case .link(0, let target) in values(cell) {
          backlinks[column, default: [:]][target, default: []].append(row)
        }
      }
    }
    for (column, rowsByValue) in indexed {
      for (value, rows) in rowsByValue {
        #expect(
          snapshot.rows(.column(column, ofTable: 0), equalTo: IndexKey(value)) == rows,
          "index of \(columns[column].name)", sourceLocation: sourceLocation)
      }
    }
    for (column, sources) in backlinks {
      for (target, rows) in sources {
        #expect(
          snapshot.backlinks(to: target, of: 0, from: 0, column: column) == rows.sorted(),
          "backlinks of \(columns[column].name)", sourceLocation: sourceLocation)
      }
    }
  }
}
