import Foundation
import TestSupport
import Testing

@testable import Storage

/// What one transaction does to the rows that were there before, as its log should say it.
struct ElementsTransaction {
  /// An element of a list.
  struct Item {
    var value: Value
    /// Where it was before; nil for an inserted element.
    var old: Int?
    var isWritten = false
    var hasLostLinks = false
  }

  struct Cell: Hashable {
    var column: Int
    var row: Int
  }

  var oldRows: Set<Int> = []
  var written: Set<Cell> = []
  var severed: Set<Cell> = []
  /// Lists as they are now.
  var lists: [Cell: [Item]] = [:]
  var oldCounts: [Cell: Int] = [:]
  var severedDeletions: [Cell: Set<Int>] = [:]
  var touched: [Cell: Set<ExactValue>] = [:]
  var severedElements: [Cell: Set<ExactValue>] = [:]
  var origin = ChangeOrigin.user

  init(_ snapshot: Snapshot) {
    snapshot.table(0).forEachRow { row in
      oldRows.insert(row)
      for column in ElementsModel.lists {
        let elements = snapshot.table(0).elements(column, row)
        let cell = Cell(column: column, row: row)
        lists[cell] = elements.enumerated().map { Item(value: $1, old: $0) }
        oldCounts[cell] = elements.count
      }
    }
  }

  /// What the log should say of the table.
  func change(_ snapshot: Snapshot) -> SyncTableChange {
    var change = SyncTableChange(table: 0)
    func isKept(_ cell: Cell) -> Bool {
      oldRows.contains(cell.row) && snapshot.isAlive(table: 0, row: cell.row)
    }
    for cell in written.filter(isKept) {
      change.written[cell.column, default: IndexRanges()].insert(cell.row)
    }
    for cell in severed.subtracting(written).filter(isKept) {
      change.severed[cell.column, default: IndexRanges()].insert(cell.row)
    }
    for (cell, elements) in touched where isKept(cell) && !elements.isEmpty {
      change.touched[cell.column, default: [:]][cell.row] = elements
    }
    for (cell, elements) in severedElements where isKept(cell) {
      let rest = elements.subtracting(touched[cell] ?? [])
      if rest.isEmpty { continue }
      change.severedElements[cell.column, default: [:]][cell.row] = rest
      change.severed[cell.column, default: IndexRanges()].insert(cell.row)
    }
    for (cell, items) in lists where isKept(cell) {
      var list = SyncListChange()
      let kept = Set(items.compactMap(\.old))
      list.positions.deletions = IndexRanges((0..<oldCounts[cell]!).filter { !kept.contains($0) })
      func positions(_ isMember: (Item) -> Bool) -> IndexRanges {
        IndexRanges(items.indices.filter { isMember(items[$0]) })
      }
      list.positions.insertions = positions { $0.old == nil }
      list.positions.modifications = positions { $0.old != nil && ($0.isWritten || $0.hasLostLinks) }
      list.severedDeletions = IndexRanges(severedDeletions[cell] ?? [])
      list.severedModifications = positions { $0.old != nil && $0.hasLostLinks && !$0.isWritten }
      if !list.severedDeletions.isEmpty || !list.severedModifications.isEmpty {
        change.severed[cell.column, default: IndexRanges()].insert(cell.row)
      }
      if !list.positions.isEmpty { change.lists[cell.column, default: [:]][cell.row] = list }
    }
    return change
  }
}

/// A synced file with collections of all kinds, and what its log should say.
struct ElementsRun {
  private var random: SeededGenerator
  let path = TemporaryFile.path()
  private var writer: Snapshot
  private var begin: UInt64
  private var expected: [(origin: ChangeOrigin, change: SyncTableChange)] = []
  private(set) var counts = (severed: 0, touched: 0, groups: 0)
  private var nextKey = 100

  init(seed: UInt64) throws {
    random = SeededGenerator(printing: seed)
    writer = try ElementsModel.file(path, people: 6, dogs: 8)
    begin = writer.version
  }

  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  func check() throws {
    let entries = try Snapshot(file: writer.file).syncEntries(after: begin)
    try #require(entries.count == expected.count)
    for (entry, expected) in zip(entries, expected) {
      var change = entry.tables.first { $0.table == 0 } ?? SyncTableChange(table: 0)
      (change.created, change.deleted) = (IndexRanges(), [])
      // Collections whose changes cancelled each other out may be there.
      change.lists = change.lists.mapValues { $0.filter { !$0.value.positions.isEmpty } }.filter {
        !$0.value.isEmpty
      }
      let collections = 4...12
      for (column, rows) in change.written where collections.contains(column) {
        let severed = change.severed[column] ?? IndexRanges()
        for row in rows.members where severed.contains(row) {
          #expect(change.touched[column]?[row] != nil || change.lists[column]?[row]?.isWritten == true)
        }
      }
      change.written = change.written.filter { !collections.contains($0.key) }
      #expect(entry.origin == expected.origin)
      #expect(change == expected.change)
    }
  }

  mutating func transaction() throws {
    let number = below(5) == 0 ? 2 + below(2) : 1
    var staged: [(ChangeOrigin, SyncTableChange)] = []
    for _ in 0..<number {
      if writer.hasStagedWrites { try Writer(writer).open() } else { try Writer(writer).begin() }
      var log = ElementsTransaction(writer)
      log.origin = number == 1 && below(5) == 0 ? .sync : .user
      writer.writing?.origin = log.origin
      for _ in 0..<1 + below(14) { step(&log) }
      try compareLists(log)
      if below(12) == 0 || number > 1 && !writer.hasStagedWrites && !writer.hasUnstagedChanges {
        Writer(writer).cancel()
        continue
      }
      let hasChanged = writer.hasUnstagedChanges
      let change = log.change(writer)
      counts.severed += change.severed.count
      counts.touched += change.touched.count
      if number == 1 {
        try Writer(writer).commit(durability: .relaxed)
      } else {
        try Writer(writer).stage(durability: .relaxed)
      }
      if hasChanged { staged.append((log.origin, change)) }
    }
    if writer.hasStagedWrites {
      try Writer(writer).commitStaged(durability: .relaxed)
      counts.groups += 1
    }
    expected += staged.map { (origin: $0.0, change: $0.1) }
  }

  private func compareLists(_ log: ElementsTransaction) throws {
    for (cell, items) in log.lists where writer.isAlive(table: 0, row: cell.row) {
      try #require(items.map(\.value) == writer.table(0).elements(cell.column, cell.row))
    }
  }

  private mutating func someRow(_ table: Int) -> Int? {
    var rows: [Int] = []
    writer.table(table).forEachRow { rows.append($0) }
    return rows.randomElement(using: &random)
  }

  private mutating func someValue(_ column: Int) -> Value? {
    switch (column, below(4)) {
    case (2, _), (5, _), (8, _), (11, _): return someRow(1).map { .link(table: 1, row: $0) }
    case (4, _), (7, _), (10, _): return .int(Int64(below(9)))
    case (_, 0): return below(2) == 0 ? .null : .string("text \(below(4))")
    case (6, 1), (12, 1), (3, 1):
      return someRow(1).map { .list([.int(1), .link(table: 1, row: $0), .link(table: 1, row: $0)]) }
    case (_, 2): return someRow(1).map { .link(table: 1, row: $0) }
    default: return .int(Int64(below(9)))
    }
  }

  private mutating func step(_ log: inout ElementsTransaction) {
    switch below(20) {
    case 0: ElementsModel.insert(writer, 0, makeKey())
    case 1, 2: ElementsModel.insert(writer, 1, makeKey())
    case 3:
      var people = 0
      writer.table(0).forEachRow { _ in people += 1 }
      if people > 4, let row = someRow(0) { writer.table(0).deleteRow(row) }
    case 4, 5:
      if let row = someRow(1) { deleteDog(row, &log) }
    case 6, 7:
      let column = 2 + below(2)
      guard let row = someRow(0) else { return }
      writer.table(0).setValue(column, row, below(3) == 0 ? .null : someValue(column) ?? .null)
      log.written.insert(.init(column: column, row: row))
    case 8..<14: changeList(&log)
    case 14..<17: changeSet(&log)
    default: changeMap(&log)
    }
  }

  private mutating func makeKey() -> Int {
    nextKey += 1
    return nextKey
  }

  private mutating func deleteDog(_ dog: Int, _ log: inout ElementsTransaction) {
    let link = Value.link(table: 1, row: dog)
    let people = writer.table(0)
    people.forEachRow { row in
      for column in 2...3
      where people.value(column, row).removingLinks(table: 1, row: dog) != people.value(column, row) {
        log.severed.insert(.init(column: column, row: row))
      }
      for column in ElementsModel.sets where people.elements(column, row).contains(link) {
        log.severedElements[.init(column: column, row: row), default: []].insert(ExactValue(link))
      }
      for column in ElementsModel.maps {
        for (position, value) in people.elements(column, row).enumerated()
        where value.removingLinks(table: 1, row: dog) != value {
          let key = Value.string(people.key(column, row, at: position))
          log.severedElements[.init(column: column, row: row), default: []].insert(ExactValue(key))
        }
      }
    }
    for (cell, items) in log.lists {
      var rest: [ElementsTransaction.Item] = []
      for var item in items {
        let value = item.value.removingLinks(table: 1, row: dog)
        if cell.column == 5 && item.value == link {
          if let old = item.old, !item.isWritten { log.severedDeletions[cell, default: []].insert(old) }
          continue
        }
        if value != item.value { (item.value, item.hasLostLinks) = (value, true) }
        rest.append(item)
      }
      log.lists[cell] = rest
    }
    writer.table(1).deleteRow(dog)
  }

  private mutating func changeList(_ log: inout ElementsTransaction) {
    let column = 4 + below(3)
    guard let row = someRow(0), let value = someValue(column) else { return }
    let table = writer.table(0)
    let cell = ElementsTransaction.Cell(column: column, row: row)
    var items = log.lists[cell] ?? []
    let isKnown = log.lists[cell] != nil
    let count = table.count(column, row)
    switch below(8) {
    case 0, 1:
      let position = below(count + 1)
      table.insertElement(column, row, at: position, value)
      if isKnown { items.insert(.init(value: value), at: position) }
    case 2:
      table.insertElements(column, row, at: count, [value, value])
      if isKnown { items += [.init(value: value), .init(value: value)] }
    case 3 where count > 0:
      let position = below(count)
      table.replaceElement(column, row, at: position, value)
      if isKnown { (items[position].value, items[position].isWritten) = (value, true) }
    case 4 where count > 0:
      let first = below(count)
      let range = first..<min(count, first + 1 + below(3))
      table.removeElements(column, row, range)
      if isKnown { items.removeSubrange(range) }
    case 5 where count > 0:
      let (source, target) = (below(count), below(count))
      table.moveElement(column, row, from: source, to: target)
      if isKnown { items.insert(.init(value: items.remove(at: source).value), at: target) }
    case 6 where count > 1:
      let (first, second) = (below(count), below(count))
      table.swapElements(column, row, first, second)
      if isKnown {
        (items[first].value, items[second].value) = (items[second].value, items[first].value)
        (items[first].isWritten, items[second].isWritten) = (true, true)
      }
    default:
      if below(6) == 0 {
        table.removeAllElements(column, row)
        items = []
      }
    }
    if isKnown { log.lists[cell] = items }
  }

  private mutating func changeSet(_ log: inout ElementsTransaction) {
    let column = 7 + below(3)
    guard let row = someRow(0), let value = someValue(column) else { return }
    let table = writer.table(0)
    let cell = ElementsTransaction.Cell(column: column, row: row)
    let count = table.count(column, row)
    switch below(6) {
    case 0, 1:
      if table.insertIntoSet(column, row, value) { log.touched[cell, default: []].insert(ExactValue(value)) }
    case 2:
      let before = Set(table.elements(column, row).map { ExactValue($0) })
      table.insertIntoSet(column, row, [value, .int(3), value].filter { column != 8 || $0 == value })
      log.touched[cell, default: []].formUnion(
        Set(table.elements(column, row).map { ExactValue($0) }).subtracting(before))
    case 3 where below(5) == 0:
      log.touched[cell, default: []].formUnion(table.elements(column, row).map { ExactValue($0) })
      table.removeAllElements(column, row)
    default:
      if count == 0 { return }
      let position = below(count)
      log.touched[cell, default: []].insert(ExactValue(table.element(column, row, at: position)))
      table.removeElements(column, row, position..<position + 1)
    }
  }

  private mutating func changeMap(_ log: inout ElementsTransaction) {
    let column = 10 + below(3)
    guard let row = someRow(0), let value = someValue(column) else { return }
    let table = writer.table(0)
    let cell = ElementsTransaction.Cell(column: column, row: row)
    let count = table.count(column, row)
    if below(3) > 0 || count == 0 {
      let key = ["a", "b", "c", "\u{e9}", "e\u{301}"][below(5)]
      table.setMapValue(column, row, key: key, value)
      log.touched[cell, default: []].insert(ExactValue(.string(key)))
    } else {
      let position = below(count)
      log.touched[cell, default: []].insert(ExactValue(.string(table.key(column, row, at: position))))
      table.removeElements(column, row, position..<position + 1)
    }
  }
}
