package import Storage

extension Snapshot {
  /// Sort keys, and how rows are brought into their order; sorts the first ones.
  package func explainSort(_ selection: RowSelection, count: Int, by keys: [SortKey], table: Int) -> String {
    let sort = PartialSort(selection, count: count, by: keys, table: table, in: self)
    if count > 0 { _ = sort.row(at: 0) }
    let text = PredicateExplanation(catalogue: catalogue)
    let names = keys.map { text.text($0.source, table) + ($0.isAscending ? " ascending" : " descending") }
    let method =
      switch sort.method {
      case .index:
        "reads the index on \(text.text(keys[0].source, table)) in order, "
          + "\(sort.rows.count.grouped) of \(count.grouped) rows at first"
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
