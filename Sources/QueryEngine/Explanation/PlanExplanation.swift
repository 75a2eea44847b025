import Storage

/// How a predicate is evaluated, in lines for people to read, and what it selects.
package struct PlanExplanation {
  package private(set) var lines: [String] = []
  package let rows: RowSet

  init(_ predicate: Predicate, table number: Int, in snapshot: Snapshot) {
    let text = PredicateExplanation(catalogue: snapshot.catalogue)
    let table = snapshot.table(number)
    let plan = QueryPlan(predicate, table: number, in: snapshot)
    rows = plan.evaluate()
    lines.append("filter: " + text.text(predicate, table: number))
    var estimate = SelectivityEstimate(table).rows(predicate)
    var tested = predicate
    if let access = plan.access {
      lines.append(
        "  index: \(text.text(access.lookup, table)), \(Self.rows(access.estimate)) estimated, "
          + "\(access.rows.count.grouped) found")
      tested = access.rest
      if tested == .constant(true) {
        estimate = access.estimate
      } else {
        lines.append("  then tested: " + text.text(tested, table: number))
        estimate = min(estimate, access.estimate)
      }
    } else {
      lines.append("  scan: " + Self.scan(plan, table))
    }
    lines += Self.otherTables(tested, snapshot).map { "  " + $0 }
    lines.append("  rows: \(estimate.grouped) estimated, \(rows.count.grouped) actual")
  }

  private static func rows(_ count: Int) -> String { count == 1 ? "1 row" : count.grouped + " rows" }

  /// What minimum and maximum tell of the chunks, without the rows being read.
  private static func scan(_ plan: QueryPlan, _ table: Table) -> String {
    var skipped = 0
    var taken = 0
    var skippedRows = 0
    for number in 0..<table.chunkCount {
      switch plan.answerForAll(chunk: number) {
      case false:
        skipped += 1
        skippedRows += min(chunkCapacity, table.rowLimit - number * chunkCapacity)
      case true: taken += 1
      case nil: break
      }
    }
    let read = table.chunkCount - skipped - taken
    return
      "\(table.chunkCount.grouped) chunks of \(chunkCapacity) rows, \(skipped.grouped) skipped by minimum "
      + "and maximum (\(skippedRows.grouped) rows), \(taken.grouped) taken whole, \(read.grouped) read"
  }

  /// What is evaluated on other tables first.
  private static func otherTables(_ predicate: Predicate, _ snapshot: Snapshot) -> [String] {
    func explain(_ inner: Predicate, _ table: Int) -> [String] {
      if inner == .constant(true) { return [] }
      let lines = PlanExplanation(inner, table: table, in: snapshot).lines
      return ["first, of \(snapshot.catalogue.tables[table].name):"] + lines.map { "  " + $0 }
    }
    switch predicate {
    case .and(let operands), .or(let operands): return operands.flatMap { otherTables($0, snapshot) }
    case .not(let operand): return otherTables(operand, snapshot)
    case .throughLink(_, let target, let inner, _): return explain(inner, target)
    case .someTarget(let source, let inner), .targetCount(let source, let inner, _):
      return explain(inner, source.table)
    default: return []
    }
  }
}

extension Snapshot {
  /// A predicate with the names of properties, for people to read.
  package func text(of predicate: Predicate, table: Int) -> String {
    PredicateExplanation(catalogue: catalogue).text(predicate, table: table)
  }

  /// How a predicate is evaluated. Evaluates it.
  package func explain(_ predicate: Predicate, table: Int) -> PlanExplanation {
    PlanExplanation(predicate, table: table, in: self)
  }
}
