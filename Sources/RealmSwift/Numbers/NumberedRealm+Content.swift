import Storage

// Backlinks, and objects from JSON.
extension NumberedRealm {
  /// The number of links to an object, counted over all properties; several links of one object count as often.
  package func backlinkCount(_ object: NumberedObject) throws(Refusal) -> Int {
    _ = try checkedTable(of: object)
    let snapshot = core.snapshot
    var count = 0
    for (origin, description) in snapshot.catalogue.tables.enumerated() where !description.isRemoved {
      for (column, stored) in description.columns.enumerated() where !stored.isRemoved {
        let mayLink =
          stored.type == .mixed || (stored.type == .link && stored.target == object.classNumber)
        guard mayLink, snapshot.mayHaveBacklinks(from: origin, column: column) else { continue }
        count +=
          snapshot.backlinks(to: object.row, of: object.classNumber, from: origin, column: column).count
      }
    }
    try checkDamage()
    return count
  }

  /// Creates or updates objects from JSON, as `Realm.importJSON` does. Returns the number of objects in the text, without
  /// those that they link to. After an error the transaction has to be cancelled.
  package func importJSON(
    _ text: UnsafeRawBufferPointer, as number: Int, _ policy: Realm.UpdatePolicy, ignoresUnknownKeys: Bool
  ) throws(Refusal) -> Int {
    let known = try checkedClass(number)
    try checkWrite()
    if known.isEmbedded { throw Refusal(.embedded, "Embedded objects cannot be created directly") }
    if policy != .error && known.primaryKey < 0 && !known.hasCompositeKey {
      throw Refusal(.primaryKey, ProgrammerError.noPrimaryKeyForUpdate(className(number)).message)
    }
    let classTable = core.dynamicClassTable(number)
    let count: Int
    do {
      var objects = JSONImport(
        text, core, classTable, policy, .secondsSince1970, ignoresUnknownKeys ? .ignore : .refuse)
      count = try objects.run()
    } catch {
      try checkDamage()
      throw Refusal(.invalidValue, error.localizedDescription)
    }
    try checkDamage()
    return count
  }
}
