import QueryEngine
import Storage

extension Results {
  /// Returns a description of how these results are computed: the conditions, the index that is used or how
  /// many chunks the scan skips by their minimum and maximum, estimated and actual rows, and the sort
  /// algorithm.
  ///
  /// ```swift
  /// print(huts.where { $0.name.starts(with: "B") }.explain())
  /// ```
  ///
  /// Computes the results, so the call takes as long as they do. The wording is for developers and can change
  /// with any version. An addition to the official SDK.
  public func explain() -> String { core.explain() }
}

extension ResultsCore {
  fileprivate func explain() -> String {
    realm.checkThread()
    if isOfValues {
      return "values of a collection\nrows: \(values.count) actual"
    }
    let snapshot = realm.snapshot
    let table = classTable.table.number
    let className = snapshot.catalogue.tables[table].name
    var lines: [String] = []
    var found: RowSelection
    var predicate: Predicate?
    var steps = steps[...]
    if case .rows(let rows) = source {
      found = .rows(rows())
      lines.append("\(className): the objects of a collection, \(found.count(in: snapshot, table))")
    } else {
      found = .all
      lines.append("\(className): all objects, \(found.count(in: snapshot, table))")
      let predicates = leadingFilters(&steps)
      if !predicates.isEmpty {
        predicate = Self.conjunction(predicates)
        let explanation = snapshot.explain(Self.conjunction(predicates), table: table)
        lines += explanation.lines
        found = .set(explanation.rows)
      }
    }
    for step in steps {
      let rows = snapshot.rows(of: found, table: table)
      switch step {
      case .filter(let predicate):
        let kept = snapshot.evaluate(predicate, table: table, rows: rows)
        lines.append(snapshot.explain(predicate, table: table).lines[0])
        lines.append("  tested on \(rows.count) rows\n  rows: \(kept.count) actual")
        found = .rows(kept)
      case .sort(let keys):
        if let predicate, steps.count == 1 {
          lines.append(snapshot.explainSort(matching: predicate, by: keys, table: table))
        } else {
          lines.append(snapshot.explainSort(found, count: rows.count, by: keys, table: table))
        }
        found = .rows(snapshot.sort(rows, by: keys, table: table))
      case .distinct(let keys):
        let distinct = snapshot.distinct(rows, by: keys, table: table)
        lines.append("distinct: " + snapshot.text(of: keys, table: table))
        lines.append("  sorts all \(rows.count) rows\n  rows: \(distinct.count) actual")
        found = .rows(distinct)
      case .sortValues, .distinctValues: break
      }
    }
    return lines.joined(separator: "\n")
  }
}

extension RowSelection {
  fileprivate func count(in snapshot: Snapshot, _ table: Int) -> Int {
    switch self {
    case .all: snapshot.liveCount(table: table)
    case .set(let rows): rows.count
    case .rows(let rows): rows.count
    }
  }
}
