package import Storage

/// The values that a property path leads to from a row, of which there can be any number.
package struct PathSource: Sendable, Hashable {
  package enum Step: Sendable, Hashable {
    case link(column: Int, target: Int)
    case links(LinkSource)
  }

  package enum End: Sendable, Hashable {
    case scalar(ScalarSource)
    /// The elements of a collection of plain values, or links taken as values, or a map's keys.
    case elements(column: Int, ElementPart)
    /// The rows that a back link leads to, as values.
    case backlinks(table: Int, column: Int)
    case nestedAny(column: Int, [NestedStep])
  }

  package var steps: [Step]
  package var end: End

  /// Whether the path leads through a collection, or to one.
  var isToMany: Bool {
    if steps.contains(where: { if case .links = $0 { true } else { false } }) { return true }
    switch end {
    case .scalar, .nestedAny: return false
    case .elements, .backlinks: return true
    }
  }
}

/// A comparison of the values that two paths lead to, one of which leads through a collection: some value of one with some
/// value of the other.
package struct PathComparison: Sendable, Hashable {
  package enum Test: Sendable, Hashable {
    case relation(RelationalOperator, ValueType)
    case text(TextOperator, StringOptions)
  }

  package var left: PathSource
  package var test: Test
  package var right: PathSource
  /// Whether each value has to pass, instead of one.
  package var isUniversal: Bool
}

extension PathComparison {
  func matches(_ reader: RowReader, row: Int) -> Bool {
    let rightValues = reader.values(of: right, row: row)
    let leftValues = reader.values(of: left, row: row)
    switch test {
    case .relation(let comparison, let type):
      return satisfies(leftValues, rightValues) {
        ValueComparison.compare($0, comparison, $1, type: type)
      }
    case .text(let operation, let options):
      // A pattern is prepared once.
      let patterns = rightValues.map { TextCondition(operation, $0.textBytes, options: options) }
      return satisfies(leftValues, patterns) { $1.matches($0) }
    }
  }

  private func satisfies<Left, Right>(
    _ left: [Left], _ right: [Right], _ isMatching: (Left, Right) -> Bool
  ) -> Bool {
    isUniversal
      ? left.allSatisfy { first in right.allSatisfy { isMatching(first, $0) } }
      : left.contains { first in right.contains { isMatching(first, $0) } }
  }
}

extension RowReader {
  /// The values that a path leads to from a row. Behind a null link is null when the path leads to one value, and otherwise
  /// nothing.
  func values(of path: PathSource, row: Int) -> [Value] {
    let (reader, rows) = rows(behind: path.steps, row: row)
    if rows.isEmpty, !path.isToMany, case .scalar(let source) = path.end {
      return [source.valueBehindNullLink]
    }
    return rows.flatMap { reader.values(of: path.end, row: $0) }
  }

  /// Returns the rows that steps lead to from a row, each once, with a reader of their table.
  ///
  /// Without that, each step through a collection would multiply the rows where objects link to each other in circles.
  func rows(behind steps: [PathSource.Step], row: Int) -> (reader: RowReader, rows: [Int]) {
    var reader = self
    var rows = [row]
    for step in steps {
      switch step {
      case .link(let column, let target):
        rows = rows.compactMap { reader.table.link(column, $0) }
        reader = reader.reader(table: target)
      case .links(let source):
        rows = rows.flatMap { reader.targets(of: source, row: $0) }
        reader = reader.reader(table: source.table)
      }
      if rows.count > 1 {
        var found = Set<Int>(minimumCapacity: rows.count)
        rows = rows.filter { found.insert($0).inserted }
      }
    }
    return (reader, rows)
  }

  private func values(of end: PathSource.End, row: Int) -> [Value] {
    switch end {
    case .scalar(let source): [value(of: source, row: row)]
    case .elements(let column, .values): table.elements(column, row)
    case .elements(let column, .keys):
      (0..<table.count(column, row)).map { .string(table.key(column, row, at: $0)) }
    case .backlinks(let origin, let column):
      targets(of: .backlinks(table: origin, column: column), row: row).map { .link(table: origin, row: $0) }
    case .nestedAny(let column, let steps): nestedValues(table.value(column, row), steps)
    }
  }
}
