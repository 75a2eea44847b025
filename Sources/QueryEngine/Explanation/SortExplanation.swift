package import Storage

extension Snapshot {
  /// Sort keys, and how rows are brought into their order; sorts the first ones.
  package func explainSort(_ selection: RowSelection, count: Int, by keys: [SortKey], table: Int) -> String {
    explain(PartialSort(selection, count: count, by: keys, table: table, in: self), keys, table)
  }

  /// Explains the sorting of all rows that satisfy a predicate.
  package func explainSort(matching predicate: Predicate, by keys: [SortKey], table: Int) -> String {
    explain(PartialSort(matching: predicate, by: keys, table: table, in: self), keys, table)
  }

  private func explain(_ sort: PartialSort, _ keys: [SortKey], _ table: Int) -> String {
    lines(sort, keys, table)
  }

  private func lines(_ sort: PartialSort, _ keys: [SortKey], _ table: Int) -> String {
    _ = sort.row(ifAt: 0)
    let count = sort.count
    let text = PredicateExplanation(catalogue: catalogue)
    let names = keys.map { text.text($0.source, table) + ($0.isAscending ? " ascending" : " descending") }
    let method =
      switch sort.method {
      case .index:
        "reads the index on \(sort.index.map { text.text($0.index, self.table(table)) } ?? "") in order, "
          + "\(sort.rows.count.grouped) of \(count.grouped) rows at first"
          + (sort.index.map { text.conditions(of: $0, self.table(table)) } ?? "")
      case _ where count == 0: "nothing to sort"
      case .leaders:
        "picks the first \(sort.rows.count.grouped) of \(count.grouped) rows and sorts them, the others when asked for"
      case .full: "sorts all \(count.grouped) rows"
      case nil: "nothing to sort"
      }
    return "sort: " + names.joined(separator: ", ") + "\n  " + method
  }

  /// The properties that make rows distinct.
  package func text(of keys: [SortKey], table: Int) -> String {
    let text = PredicateExplanation(catalogue: catalogue)
    return keys.map { text.text($0.source, table) }.joined(separator: ", ")
  }
}

extension PredicateExplanation {
  /// Which parts of the index are read, and what the rows there have to pass, each in a line of its own.
  fileprivate func conditions(of sort: IndexedSort, _ table: Table) -> String {
    let isWhole = sort.lookup.entries.allSatisfy { $0.range == .all }
    return (isWhole ? "" : "\n  only: " + text(sort.lookup, table))
      + (sort.rest == .constant(true) ? "" : "\n  then tested: " + text(sort.rest, table: table.number))
  }
}
