import QueryEngine
import Storage

/// What a query's answer depends on.
struct QueryDependencies {
  /// The columns read, by table.
  private(set) var columns: [Int: Set<Int>] = [:]
  /// Whether each row's answer depends on this row alone.
  private(set) var isLocal = true
  /// Whether anything may matter.
  private(set) var isUnknown = false

  init(_ steps: [ResultsCore.Step], source: ResultsCore.Source, table: Int) {
    columns[table] = []
    if case .table = source {} else { isUnknown = true }
    for step in steps {
      switch step {
      case .filter(let predicate): add(predicate, table)
      case .sort(let keys), .distinct(let keys): for key in keys { add(key.source, table) }
      case .sortValues, .distinctValues: isUnknown = true
      }
    }
  }

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

  /// Whether the answer may be another one after some changes.
  func areTouched(by changes: VersionChanges, table: Int) -> Bool {
    if isUnknown { return true }
    return columns.contains { number, columns in
      guard let changed = changes.tables[number] else { return false }
      return !changed.deleted.isEmpty || !changed.insertedRange.isEmpty
        || columns.contains { changed.modified[$0] != nil }
    }
  }

  /// The rows whose answer may be another one, for a query that only depends on each row.
  func candidates(in changes: VersionChanges, table: Int) -> IndexRanges? {
    guard isLocal, !isUnknown, let changed = changes.tables[table] else { return nil }
    var rows = changed.deleted
    for column in columns[table] ?? [] {
      if let modified = changed.modified[column] { rows.formUnion(modified) }
    }
    rows.formUnion(IndexRanges(changed.insertedRange))
    return rows
  }
}

extension ResultsCore {
  var dependencies: QueryDependencies {
    QueryDependencies(steps, source: source, table: classTable.table.number)
  }

  /// The filter of all rows of the class, when the query is nothing else.
  var onlyFilter: Predicate? {
    guard case .table = source, !steps.isEmpty else { return nil }
    var predicates: [Predicate] = []
    for step in steps {
      guard case .filter(let predicate) = step else { return nil }
      predicates.append(predicate)
    }
    return predicates.count == 1 ? predicates[0] : .and(predicates)
  }
}
