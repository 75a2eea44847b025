import Testing

@testable import Storage

/// Searching and walking collections of all sizes, compared with plain sorted arrays.
@Suite struct CollectionSearchTests {
  private static let catalogue = Catalogue(tables: [
    TableDescription(
      name: "Thing",
      columns: [
        Column(name: "numbers", type: .int, collection: .set, isNullable: true),
        Column(name: "names", type: .string, collection: .set, isNullable: true),
        Column(name: "doubles", type: .double, collection: .set),
        Column(name: "links", type: .link, collection: .set, target: 0),
        Column(name: "mixed", type: .mixed, collection: .set, isNullable: true),
        Column(name: "map", type: .int, collection: .map, isNullable: true),
      ])
  ])

  /// Not in order; between two there is room for one that is not there.
  private static func value(_ column: Int, _ number: Int) -> Value {
    switch column {
    case 0: .int(Int64(number) * 2 - 1_000)
    case 1: .string("name \(number * 2)")
    case 2: .double(Double(number) * 2)
    case 3: .link(table: 0, row: number * 2)
    default: number % 2 == 0 ? .int(Int64(number * 2)) : .string("\(number * 2)")
    }
  }

  private static func neighbour(_ value: Value) -> Value {
    switch value {
    case .int(let number): .int(number + 1)
    case .string(let text): .string(text + "!")
    case .double(let number): .double(number + 1)
    case .link(let table, let row): .link(table: table, row: row + 1)
    default: value
    }
  }

  @Test func elementsAreFoundInSetsOfAllSizes() throws {
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    for count in [
      0, 1, 2, 100, chunkCapacity - 1, chunkCapacity, chunkCapacity + 1, 2 * chunkCapacity + 5,
      3 * chunkCapacity,
    ] {
      try Writer(snapshot).begin()
      Writer(snapshot).setCatalogue(Self.catalogue)
      let table = snapshot.table(0)
      while table.rowLimit < 2 * count + 2 { _ = table.insertRow() }
      let row = table.rowLimit - 1
      var models: [[Value]] = []
      for column in 0..<5 {
        var model = (0..<count).map { Self.value(column, $0) }
        if count > 1, Self.catalogue.tables[0].columns[column].isNullable { model[0] = .null }
        model.sort { Value.order($0, $1) < 0 }
        table.insertElements(column, row, at: 0, model)
        models.append(model)
      }
      let keys = (0..<count).map { "key \($0 * 2)" }.sorted()
      for key in keys.shuffled() { table.setMapValue(5, row, key: key, .int(Int64(key.utf8.count))) }
      check(table, row, models, keys)
      try Writer(snapshot).commit(durability: .relaxed)
      check(snapshot.table(0), row, models, keys)
    }
  }

  private func check(_ table: Table, _ row: Int, _ models: [[Value]], _ keys: [String]) {
    for (column, model) in models.enumerated() {
      #expect(table.elements(column, row) == model)
      for (place, value) in model.enumerated() {
        #expect(
          table.position(column, row, ofElement: value) == (place, true), "\(value) in column \(column)")
        if value.isNull { continue }
        #expect(table.position(column, row, ofElement: Self.neighbour(value)) == (place + 1, false))
      }
      let hasNull = model.first?.isNull ?? false
      #expect(table.position(column, row, ofElement: .null) == (0, hasNull))
      // Before all others.
      if column < 2 {
        let smallest: Value = column == 0 ? .int(.min) : .string("")
        #expect(table.position(column, row, ofElement: smallest) == (hasNull ? 1 : 0, false))
      }
      let segments = Array(table.collection(column, row).segments)
      #expect(segments.map(\.first) == Array(stride(from: 0, to: model.count, by: chunkCapacity)))
      #expect(segments.reduce(0) { $0 + $1.count } == model.count)
    }
    #expect((0..<keys.count).map { table.key(5, row, at: $0) } == keys)
    for (place, key) in keys.enumerated() {
      #expect(table.position(5, row, ofKey: key) == (place, true))
      #expect(table.position(5, row, ofKey: key + "!") == (place + 1, false))
    }
    #expect(table.position(5, row, ofKey: "") == (0, false))
  }
}
