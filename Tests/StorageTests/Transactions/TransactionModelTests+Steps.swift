import TestSupport
import Testing

@testable import Storage

// Random changes, to the file and to the model alike.
extension TransactionModelTests {
  func step(_ snapshot: Snapshot, _ model: inout Model, _ random: inout SeededGenerator) {
    let table = snapshot.table(0)
    let columns = Self.catalogue.tables[0].columns
    let choice = Int.random(in: 0..<100, using: &random)
    if model.rows.count < 3 || choice < 25 {
      let row = table.insertRow()
      var cells: Row = []
      for (column, description) in columns.enumerated() {
        if description.collection != .none {
          cells.append(description.collection == .map ? .entries([:]) : .elements([]))
        } else if column == 0 {
          table.setInteger(0, row, Int64(row) * 3)
          cells.append(.value(.int(Int64(row) * 3)))
        } else if description.target == 1 {
          cells.append(.value(.null))
        } else {
          let value = newValue(description, row, &model, &random)
          table.setValue(column, row, value)
          cells.append(.value(value))
        }
      }
      model.rows[row] = cells
      model.numbers.append(row)
      model.changed.insert(row)
      return
    }
    let row = model.numbers.randomElement(using: &random)!
    model.changed.insert(row)
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
      let value = newValue(description, row, &model, &random)
      table.setValue(column, row, value)
      model.rows[row]![column] = .value(value)
    } else {
      changeCollection(table, column, row, description, &model, &random)
    }
  }

  /// A random value that a row gets.
  private func newValue(
    _ description: Column, _ row: Int, _ model: inout Model, _ random: inout SeededGenerator
  ) -> Value {
    var value = randomValue(description, model, &random)
    // The first row can link to itself only, whichever number it has.
    if model.rows.isEmpty, case .link = value { value = .link(table: 0, row: row) }
    for target in value.targets { model.linking[target, default: []].insert(row) }
    return value
  }

  func delete(_ row: Int, _ model: inout Model) {
    for cell in model.rows[row]! {
      for case .link(1, let child) in values(cell) { model.children.remove(child) }
    }
    model.rows[row] = nil
    model.numbers.remove(at: model.numbers.firstIndex(of: row)!)
    let link = Value.link(table: 0, row: row)
    let linking = (model.linking.removeValue(forKey: row) ?? []).filter { model.rows[$0] != nil }
    for (column, description) in Self.catalogue.tables[0].columns.enumerated()
    where description.target == 0 || description.type == .mixed {
      for other in linking {
        let cell = model.rows[other]![column]
        guard values(cell).contains(where: { $0.mayHold(link) }) else { continue }
        model.changed.insert(other)
        model.rows[other]![column] =
          switch cell {
          case .value(let value): .value(value.removingLinks(table: 0, row: row))
          case .elements(let elements):
            .elements(
              description.type == .link
                ? elements.filter { $0 != link } : elements.map { $0.removingLinks(table: 0, row: row) })
          case .entries(let entries):
            .entries(entries.mapValues { $0.removingLinks(table: 0, row: row) })
          }
      }
    }
  }

  func values(_ cell: Cell) -> [Value] {
    switch cell {
    case .value(let value): [value]
    case .elements(let elements): elements
    case .entries(let entries): Array(entries.values)
    }
  }

  func changeChildren(
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
      guard case .value(let old) = model.rows[row]![column] else { return }
      let new = Bool.random(using: &random) ? newChild() : .null
      table.setValue(column, row, new)
      forget(old)
      model.rows[row]![column] = .value(new)
      return
    }
    guard case .elements(var elements) = model.rows[row]![column] else { return }
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

  func changeCollection(
    _ table: Table, _ column: Int, _ row: Int, _ description: Column, _ model: inout Model,
    _ random: inout SeededGenerator
  ) {
    switch model.rows[row]![column] {
    case .entries(var entries):
      let key = "k\(Int.random(in: 0..<20, using: &random))"
      if Int.random(in: 0..<3, using: &random) == 0 {
        let (position, isFound) = table.position(column, row, ofKey: key)
        #expect(isFound == (entries[key] != nil))
        if isFound { table.removeElements(column, row, position..<position + 1) }
        entries[key] = nil
      } else {
        let value = newValue(description, row, &model, &random)
        table.setMapValue(column, row, key: key, value)
        entries[key] = value
      }
      model.rows[row]![column] = .entries(entries)
    case .elements where description.collection == .set:
      changeSet(table, column, row, description, &model, &random)
    case .elements: changeList(table, column, row, description, &model, &random)
    case .value: break
    }
  }

  private func changeSet(
    _ table: Table, _ column: Int, _ row: Int, _ description: Column, _ model: inout Model,
    _ random: inout SeededGenerator
  ) {
    guard case .elements(var elements) = model.rows[row]![column] else { return }
    let value = newValue(description, row, &model, &random)
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
      if index == nil {
        elements.insert(value, at: elements.firstIndex { Value.order($0, value) > 0 } ?? elements.count)
      }
    }
    model.rows[row]![column] = .elements(elements)
  }

  private func changeList(
    _ table: Table, _ column: Int, _ row: Int, _ description: Column, _ model: inout Model,
    _ random: inout SeededGenerator
  ) {
    guard case .elements(var elements) = model.rows[row]![column] else { return }
    let count = elements.count
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      // Sometimes beyond a segment.
      let added = (0..<(Int.random(in: 0..<20, using: &random) == 0 ? 1500 : 3)).map { _ in
        newValue(description, row, &model, &random)
      }
      let position = Int.random(in: 0...count, using: &random)
      table.insertElements(column, row, at: position, added)
      elements.insert(contentsOf: added, at: position)
    case 1 where count > 0:
      let position = Int.random(in: 0..<count, using: &random)
      let value = newValue(description, row, &model, &random)
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
      let value = newValue(description, row, &model, &random)
      table.appendElement(column, row, value)
      elements.append(value)
    }
    model.rows[row]![column] = .elements(elements)
  }
}

extension Value {
  /// Whether the value is a link or has others in it.
  fileprivate func mayHold(_ link: Value) -> Bool {
    switch self {
    case .list, .dictionary: true
    default: self == link
    }
  }

  /// The rows of the first table to which links in it lead.
  fileprivate var targets: [Int] {
    switch self {
    case .link(0, let row): [row]
    case .list(let elements): elements.flatMap(\.targets)
    case .dictionary(let entries): entries.flatMap(\.value.targets)
    default: []
    }
  }
}
