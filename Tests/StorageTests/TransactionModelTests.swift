import Foundation
import Testing

@testable import Storage

/// Random operations on a file, compared with plain dictionaries after every transaction.
@Suite struct TransactionModelTests {
  private typealias Row = [Int: Cell]

  private enum Cell: Equatable {
    case value(Value)
    case elements([Value])
    case entries([String: Value])
  }

  private struct Model: Equatable {
    var rows: [Int: Row] = [:]
    var children: Set<Int> = []
  }

  private static let types: [ValueType] = [
    .int, .bool, .string, .data, .date, .float, .double, .mixed, .objectId, .decimal128, .uuid, .link,
  ]

  /// Columns of every type: required, optional, list, optional list, set, map; then an embedded link and list.
  private static let catalogue: Catalogue = {
    var columns: [Column] = [Column(name: "id", type: .int, isIndexed: true, isPrimaryKey: true)]
    for type in types {
      let always = type == .mixed || type == .link
      let target = type == .link ? 0 : -1
      for nullable in always ? [true] : [false, true] {
        columns.append(
          Column(
            name: "\(type)-\(nullable)", type: type, isNullable: nullable,
            isIndexed: [.int, .string, .date, .uuid].contains(type), target: target))
      }
      for collection in [CollectionType.list, .set, .map] {
        columns.append(
          Column(
            name: "\(type)-\(collection)", type: type, collection: collection,
            isNullable: collection == .map || (collection == .list && type != .link), target: target))
      }
    }
    columns.append(Column(name: "child", type: .link, isNullable: true, target: 1))
    columns.append(Column(name: "children", type: .link, collection: .list, target: 1))
    return Catalogue(
      schemaVersion: 1,
      tables: [
        TableDescription(name: "Thing", columns: columns),
        TableDescription(name: "Child", isEmbedded: true, columns: [Column(name: "n", type: .int)]),
      ])
  }()

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func randomOperations(seed: UInt64) throws { try run(seed: seed, stages: false) }

  /// The same with transactions that become a version together with later ones.
  @Test(arguments: [5, 6, 7, 8] as [UInt64])
  func stagedOperations(seed: UInt64) throws { try run(seed: seed, stages: true) }

  private func run(seed: UInt64, stages: Bool) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let path = NSTemporaryDirectory() + "openrealm-model-\(UUID().uuidString).realm"
    defer { for suffix in ["", "-lock"] { unlink(path + suffix) } }
    var snapshot = try Snapshot(file: DatabaseFile.open(path: path))
    try snapshot.beginWrite()
    snapshot.writing!.isCatalogueChanged = true
    snapshot.install(Self.catalogue)
    try snapshot.commitWrite(durability: .relaxed)
    var committed = Model()
    // What the snapshot sees: also what is staged.
    var visible = Model()
    let other = try Snapshot(file: snapshot.file)
    var groups = 0
    for _ in 0..<(stages ? 40 : 60) {
      let hasStaged = snapshot.hasStagedWrites
      if hasStaged { try snapshot.openWrite() } else { try snapshot.beginWrite() }
      var model = visible
      // Some transactions are large, so that chunks fill and split.
      let steps = Int.random(in: 0..<8, using: &random) == 0 ? 700 : 30
      for _ in 0..<steps { step(snapshot, &model, &random) }
      check(snapshot, model)
      let end = Int.random(in: 0..<(stages ? 12 : 4), using: &random)
      if end == 0 || (stages && end < 3) {
        snapshot.cancelWrite()
      } else if stages && end < 9 {
        try snapshot.stageWrite(durability: .relaxed)
        visible = model
        if hasStaged { groups += 1 }
      } else {
        try snapshot.commitWrite(durability: .relaxed)
        visible = model
        committed = model
      }
      check(snapshot, visible)
      if snapshot.hasStagedWrites {
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          snapshot.discardStagedWrites()
          visible = committed
        case 1:
          try snapshot.commitStagedWrites(durability: .relaxed)
          committed = visible
        case 2, 3:
          // While the next one is open.
          try snapshot.openWrite()
          var model = visible
          for _ in 0..<Int.random(in: 0..<20, using: &random) { step(snapshot, &model, &random) }
          try snapshot.commitStagedWrites(durability: .relaxed)
          committed = visible
          check(snapshot, model)
          for _ in 0..<Int.random(in: 0..<20, using: &random) { step(snapshot, &model, &random) }
          check(snapshot, model)
          if Bool.random(using: &random) {
            snapshot.cancelWrite()
          } else {
            try snapshot.commitWrite(durability: .relaxed)
            (visible, committed) = (model, model)
          }
        default: break
        }
        check(snapshot, visible)
      }
      try other.advance()
      check(other, committed)
      if !snapshot.hasStagedWrites, Int.random(in: 0..<5, using: &random) == 0 {
        snapshot = try Snapshot(file: snapshot.file)
        check(snapshot, committed)
      }
    }
    #expect(!stages || groups > 1)
    if snapshot.hasStagedWrites { try snapshot.commitStagedWrites(durability: .relaxed) }
    snapshot = try Snapshot(file: snapshot.file)
    check(snapshot, visible)
    #expect(!visible.rows.isEmpty)
  }

  // MARK: Steps

  private func step(_ snapshot: Snapshot, _ model: inout Model, _ random: inout SeededGenerator) {
    let table = snapshot.table(0)
    let columns = Self.catalogue.tables[0].columns
    let choice = Int.random(in: 0..<100, using: &random)
    if model.rows.count < 3 || choice < 25 {
      let row = table.insertRow()
      var cells: Row = [:]
      for (column, description) in columns.enumerated() {
        if description.collection != .none {
          cells[column] = description.collection == .map ? .entries([:]) : .elements([])
        } else if column == 0 {
          table.setInteger(0, row, Int64(row) * 3)
          cells[0] = .value(.int(Int64(row) * 3))
        } else if description.target == 1 {
          cells[column] = .value(.null)
        } else {
          let value = randomValue(description, model, &random)
          table.setValue(column, row, value)
          cells[column] = .value(value)
        }
      }
      model.rows[row] = cells
      return
    }
    let row = model.rows.keys.sorted().randomElement(using: &random)!
    if choice < 30 {
      table.deleteRow(row)
      delete(row, &model)
      return
    }
    let column = Int.random(in: 1..<columns.count, using: &random)
    let description = columns[column]
    if description.target == 1 {
      changeChildren(snapshot, column, row, description, &model, &random)
    } else if description.collection == .none {
      let value = randomValue(description, model, &random)
      table.setValue(column, row, value)
      model.rows[row]![column] = .value(value)
    } else {
      changeCollection(table, column, row, description, &model, &random)
    }
  }

  private func delete(_ row: Int, _ model: inout Model) {
    for cell in model.rows[row]!.values {
      for case .link(1, let child) in values(cell) { model.children.remove(child) }
    }
    model.rows[row] = nil
    for (other, cells) in model.rows {
      for (column, cell) in cells {
        let description = Self.catalogue.tables[0].columns[column]
        switch cell {
        case .value(let value):
          model.rows[other]![column] = .value(value.removingLinks(table: 0, row: row))
        case .elements(let elements):
          model.rows[other]![column] = .elements(
            description.type == .link && description.target == 0
              ? elements.filter { $0 != .link(table: 0, row: row) }
              : removeDuplicates(elements.map { $0.removingLinks(table: 0, row: row) }, description))
        case .entries(let entries):
          model.rows[other]![column] = .entries(entries.mapValues { $0.removingLinks(table: 0, row: row) })
        }
      }
    }
  }

  private func removeDuplicates(_ elements: [Value], _ description: Column) -> [Value] { elements }

  private func values(_ cell: Cell) -> [Value] {
    switch cell {
    case .value(let value): [value]
    case .elements(let elements): elements
    case .entries(let entries): Array(entries.values)
    }
  }

  private func changeChildren(
    _ snapshot: Snapshot, _ column: Int, _ row: Int, _ description: Column, _ model: inout Model,
    _ random: inout SeededGenerator
  ) {
    let table = snapshot.table(0)
    func newChild() -> Value {
      let child = snapshot.table(1).insertRow()
      snapshot.table(1).setInteger(0, child, Int64(child))
      model.children.insert(child)
      return .link(table: 1, row: child)
    }
    func forget(_ value: Value) {
      if case .link(1, let child) = value { model.children.remove(child) }
    }
    if description.collection == .none {
      guard case .value(let old)? = model.rows[row]![column] else { return }
      let new = Bool.random(using: &random) ? newChild() : .null
      table.setValue(column, row, new)
      forget(old)
      model.rows[row]![column] = .value(new)
      return
    }
    guard case .elements(var elements)? = model.rows[row]![column] else { return }
    if elements.isEmpty || Bool.random(using: &random) {
      let child = newChild()
      table.appendElement(column, row, child)
      elements.append(child)
    } else {
      let position = Int.random(in: 0..<elements.count, using: &random)
      table.removeElements(column, row, position..<position + 1)
      forget(elements.remove(at: position))
    }
    model.rows[row]![column] = .elements(elements)
  }

  private func changeCollection(
    _ table: Table, _ column: Int, _ row: Int, _ description: Column, _ model: inout Model,
    _ random: inout SeededGenerator
  ) {
    switch model.rows[row]![column]! {
    case .entries(var entries):
      let key = "k\(Int.random(in: 0..<20, using: &random))"
      if Int.random(in: 0..<3, using: &random) == 0 {
        let (position, isFound) = table.position(column, row, ofKey: key)
        #expect(isFound == (entries[key] != nil))
        if isFound { table.removeElements(column, row, position..<position + 1) }
        entries[key] = nil
      } else {
        let value = randomValue(description, model, &random)
        table.setMapValue(column, row, key: key, value)
        entries[key] = value
      }
      model.rows[row]![column] = .entries(entries)
    case .elements(var elements) where description.collection == .set:
      let value = randomValue(description, model, &random)
      let index = elements.firstIndex { Value.order($0, value) == 0 }
      let (position, isFound) = table.position(column, row, ofElement: value)
      #expect(isFound == (index != nil))
      if Int.random(in: 0..<3, using: &random) == 0 {
        if isFound {
          table.removeElements(column, row, position..<position + 1)
          elements.remove(at: index!)
        }
      } else {
        #expect(table.insertIntoSet(column, row, value) == (index == nil))
        if index == nil { elements.append(value) }
      }
      model.rows[row]![column] = .elements(elements)
    case .elements(var elements):
      let count = elements.count
      switch Int.random(in: 0..<7, using: &random) {
      case 0:
        // Sometimes beyond a segment.
        let added = (0..<(Int.random(in: 0..<20, using: &random) == 0 ? 1500 : 3)).map { _ in
          randomValue(description, model, &random)
        }
        let position = Int.random(in: 0...count, using: &random)
        table.insertElements(column, row, at: position, added)
        elements.insert(contentsOf: added, at: position)
      case 1 where count > 0:
        let position = Int.random(in: 0..<count, using: &random)
        let value = randomValue(description, model, &random)
        table.replaceElement(column, row, at: position, value)
        elements[position] = value
      case 2 where count > 0:
        let lower = Int.random(in: 0..<count, using: &random)
        let upper = Int.random(in: lower...count, using: &random)
        table.removeElements(column, row, lower..<upper)
        elements.removeSubrange(lower..<upper)
      case 3 where count > 1:
        let from = Int.random(in: 0..<count, using: &random)
        let to = Int.random(in: 0..<count, using: &random)
        table.moveElement(column, row, from: from, to: to)
        elements.insert(elements.remove(at: from), at: to)
      case 4 where count > 1:
        let first = Int.random(in: 0..<count, using: &random)
        let second = Int.random(in: 0..<count, using: &random)
        table.swapElements(column, row, first, second)
        elements.swapAt(first, second)
      case 5:
        table.removeAllElements(column, row)
        elements = []
      default:
        let value = randomValue(description, model, &random)
        table.appendElement(column, row, value)
        elements.append(value)
      }
      model.rows[row]![column] = .elements(elements)
    case .value: break
    }
  }

  private func randomValue(_ column: Column, _ model: Model, _ random: inout SeededGenerator) -> Value {
    let mayBeNull = column.isNullable && (column.type != .link || column.collection != .list)
    if mayBeNull && Int.random(in: 0..<5, using: &random) == 0 { return .null }
    switch column.type {
    case .int:
      return .int(
        [
          Int64.min, .max, 0, -1, Int64.random(in: -5...5, using: &random),
          Int64.random(in: 0...70000, using: &random),
        ]
        .randomElement(using: &random)!)
    case .bool: return .bool(Bool.random(using: &random))
    case .string: return .string(randomText(&random))
    case .data: return .data(Array(randomText(&random).utf8))
    case .date: return .date(Double(Int.random(in: -9...9, using: &random)) * 1e6 + 0.125)
    case .float: return .float(Float(Int.random(in: -9...9, using: &random)) / 3)
    case .double:
      return .double(
        [Double.infinity, -0.0, 1e300, Double(Int.random(in: 0..<9, using: &random))].randomElement(
          using: &random)!)
    case .objectId: return .objectId(Fixed12(high: random.next() % 5, low: UInt32(random.next() % 5)))
    case .uuid: return .uuid(Fixed16(high: random.next() % 5, low: random.next() % 5))
    case .decimal128:
      // The bytes of a small whole number: low word first, biased exponent in the upper word.
      return .decimal128(
        Fixed16(high: UInt64(random.next() % 9).byteSwapped, low: UInt64(0x3040_0000_0000_0000).byteSwapped))
    case .link:
      return .link(table: 0, row: model.rows.keys.sorted().randomElement(using: &random) ?? 0)
    case .mixed:
      // In sets a link that becomes null would need the set to be sorted anew; see `mixedSetsKeepLinks`.
      let types: [ValueType] =
        column.collection == .set
        ? [.int, .string, .data, .bool, .uuid] : [.int, .string, .data, .bool, .uuid, .link, .decimal128]
      let type = types.randomElement(using: &random)!
      if type == .link && model.rows.isEmpty { return .int(1) }
      var plain = column
      plain.type = type
      plain.isNullable = false
      if column.collection == .none && Int.random(in: 0..<4, using: &random) == 0 {
        return .list([
          randomValue(plain, model, &random),
          .dictionary([.init(key: "a", value: randomValue(plain, model, &random))]),
        ])
      }
      return randomValue(plain, model, &random)
    }
  }

  private func randomText(_ random: inout SeededGenerator) -> String {
    let words = ["", "a", "Wolfie", "ñandú", "日本語", "🐕‍🦺", "same", "same"]
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return String(repeating: "long ", count: Int.random(in: 20..<2000, using: &random))
    case 1...4: return "n\(random.next() % 100000)"
    default: return words.randomElement(using: &random)!
    }
  }

  // MARK: Comparing

  private func check(_ snapshot: Snapshot, _ model: Model, sourceLocation: SourceLocation = #_sourceLocation)
  {
    let table = snapshot.table(0)
    let columns = Self.catalogue.tables[0].columns
    let alive = (0..<table.rowLimit).filter(table.isAlive)
    #expect(alive == model.rows.keys.sorted(), sourceLocation: sourceLocation)
    #expect(snapshot.liveCount(table: 0) == model.rows.count, sourceLocation: sourceLocation)
    let children = snapshot.table(1)
    #expect(
      (0..<children.rowLimit).filter(children.isAlive) == model.children.sorted(),
      sourceLocation: sourceLocation)
    var backlinks: [Int: [Int: [Int]]] = [:]
    var indexed: [Int: [Value: [Int]]] = [:]
    for (row, cells) in model.rows.sorted(by: { $0.key < $1.key }) {
      for (column, cell) in cells {
        let found: Cell
        switch columns[column].collection {
        case .none: found = .value(table.value(column, row))
        case .list: found = .elements(table.elements(column, row))
        case .set:
          found = .elements(table.elements(column, row))
        case .map:
          let keys = (0..<table.count(column, row)).map { table.key(column, row, at: $0) }
          #expect(keys == keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
          found = .entries(Dictionary(uniqueKeysWithValues: zip(keys, table.elements(column, row))))
        }
        var expected = cell
        if columns[column].collection == .set, case .elements(let elements) = cell {
          expected = .elements(elements.sorted { Value.order($0, $1) < 0 })
        }
        if found != expected {
          Issue.record(
            "row \(row) \(columns[column].name): \(found) is not \(expected)", sourceLocation: sourceLocation)
        }
        if columns[column].isIndexed, case .value(let value) = cell {
          indexed[column, default: [:]][value, default: []].append(row)
        }
        for case .link(0, let target) in values(cell) where columns[column].type == .link {
          backlinks[column, default: [:]][target, default: []].append(row)
        }
      }
    }
    for (column, rowsByValue) in indexed {
      for (value, rows) in rowsByValue {
        #expect(
          snapshot.rows(table: 0, column: column, equalTo: IndexKey(value)) == rows,
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
