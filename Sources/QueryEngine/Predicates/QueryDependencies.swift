package import Storage

/// What a query's answer depends on: the tables and columns that its predicates and sort keys read.
package struct QueryDependencies: Sendable {
  /// The table whose rows the query is about.
  private let table: Int
  /// The columns read, by table. Of a table without columns it matters which rows there are.
  package private(set) var columns: [Int: Set<Int>] = [:]
  /// Whether each row's answer depends on this row alone.
  package private(set) var isLocal = true
  /// Whether anything may matter.
  package private(set) var isUnknown = false

  /// Creates the dependencies of the rows of a table, without a condition.
  package init(table: Int) {
    self.table = table
    columns[table] = []
  }

  /// Adds what a predicate on the table's rows reads.
  package mutating func add(_ predicate: Predicate) { add(predicate, table) }

  /// Adds what a sort key of the table's rows reads.
  package mutating func add(_ key: SortKey) { add(key.source, table) }

  /// Adds a dependency that cannot be determined.
  package mutating func addUnknown() { isUnknown = true }

  // MARK: Walking

  private mutating func add(_ predicate: Predicate, _ table: Int) {
    switch predicate {
    case .constant: break
    case .and(let operands), .or(let operands): for operand in operands { add(operand, table) }
    case .not(let operand): add(operand, table)
    case .value(let source, _): add(source, table)
    case .someElement(let column, _, _), .someNested(let column, _, _):
      columns[table, default: []].insert(column)
    case .within(let point, _): columns[table, default: []].formUnion([point.type, point.coordinates])
    case .throughLink(let column, let target, let inner, _):
      columns[table, default: []].insert(column)
      columns[target, default: []].formUnion([])
      isLocal = false
      add(inner, target)
    case .someTarget(let source, let inner), .targetCount(let source, let inner, _):
      add(source, table)
      add(inner, source.table)
    case .properties(let left, _, let right), .propertyText(let left, _, _, let right):
      add(left, table)
      add(right, table)
    case .paths(let comparison):
      add(comparison.left, table)
      add(comparison.right, table)
    }
  }

  private mutating func add(_ path: PathSource, _ table: Int) {
    var table = table
    for step in path.steps {
      switch step {
      case .link(let column, let target):
        isLocal = false
        columns[table, default: []].insert(column)
        table = target
      case .links(let source):
        add(source, table)
        table = source.table
      }
    }
    switch path.end {
    case .scalar(let source): add(source, table)
    case .elements(let column, _), .nestedAny(let column, _): columns[table, default: []].insert(column)
    case .backlinks(let origin, let column): add(LinkSource.backlinks(table: origin, column: column), table)
    }
  }

  private mutating func add(_ source: ScalarSource, _ table: Int) {
    switch source {
    case .row: break
    case .column(let column, _), .elementCount(let column), .elementAggregate(let column, _, _),
      .mapValue(let column, _, _), .nested(let column, _):
      columns[table, default: []].insert(column)
    case .backlinkCount(let origin, let column):
      isLocal = false
      columns[origin, default: []].insert(column)
    case .targetAggregate(let links, _, let column, _):
      add(links, table)
      columns[links.table, default: []].insert(column)
    }
  }

  private mutating func add(_ source: LinkSource, _ table: Int) {
    isLocal = false
    switch source {
    case .collection(let column, let target):
      columns[table, default: []].insert(column)
      columns[target, default: []].formUnion([])
    case .backlinks(let origin, let column): columns[origin, default: []].insert(column)
    }
  }

  private mutating func add(_ source: PropertySource, _ table: Int) {
    var table = table
    for link in source.links {
      isLocal = false
      columns[table, default: []].insert(link.column)
      table = link.target
    }
    add(source.source, table)
  }

  // MARK: Changes

  /// Whether the answer may be another one after some changes.
  package func areTouched(by changes: VersionChanges) -> Bool {
    if isUnknown { return true }
    return columns.contains { number, columns in
      guard let changed = changes.tables[number] else { return false }
      return !changed.deleted.isEmpty || !changed.insertedRange.isEmpty
        || columns.contains { changed.modified[$0] != nil }
    }
  }

  /// The rows whose answer may be another one, for a query that only depends on each row.
  package func candidates(in changes: VersionChanges) -> IndexRanges? {
    guard isLocal, !isUnknown, let changed = changes.tables[table] else { return nil }
    var rows = changed.deleted
    for column in columns[table] ?? [] {
      if let modified = changed.modified[column] { rows.formUnion(modified) }
    }
    rows.formUnion(IndexRanges(changed.insertedRange))
    return rows
  }
}
