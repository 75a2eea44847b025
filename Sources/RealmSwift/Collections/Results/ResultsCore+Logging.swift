import QueryEngine

extension ResultsCore {
  /// Tells the shared logger that the results are being found.
  func logQuery() { realm.log(.debug, "Query: \(text)") }

  private var text: String {
    if isOfValues { return "values of a collection" }
    let snapshot = realm.snapshot
    let table = classTable.table.number
    var text = snapshot.catalogue.tables[table].name
    for step in steps {
      switch step {
      case .filter(let predicate): text += " where " + snapshot.text(of: predicate, table: table)
      case .sort(let keys): text += " sorted by " + snapshot.text(of: keys, table: table)
      case .distinct(let keys): text += " distinct by " + snapshot.text(of: keys, table: table)
      case .sortValues, .distinctValues: break
      }
    }
    return text
  }
}
