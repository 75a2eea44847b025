import Storage

extension SyncClient {
  /// Finds the owners whose lists may not be as the file has them. Returns the condition for them, on the alias `t`; nil if there are none.
  func differingOwners(
    _ list: LocalList, _ collection: SyncCollection, of syncClass: SyncClass, filter: String?,
    _ greatestStamp: inout Stamp, _ connection: any ServerConnection
  ) throws -> String? {
    guard let localClass = classes.first(where: { $0.name == list.className }) else { return nil }
    let table = snapshot.table(list.table)
    var count = 0
    table.forEachRow { count += table.count(list.column, $0) }
    var comparison = ElementComparison(collection, keyType: syncClass.key.type, elementCount: count)
    let known = Set(
      try snapshot.sessionKeys(of: .listElements)
        .filter { $0.table == list.table && $0.column == list.column }.map(\.row))
    var rows: [Int] = []
    table.forEachRow { row in
      if known.contains(row) || table.count(list.column, row) > 0 { rows.append(row) }
    }
    for row in rows {
      let synced = try lists.read(CollectionKey(table: list.table, column: list.column, row: row), snapshot)
      comparison.add(
        owner: table.value(localClass.keyColumn, row), comparedElements(synced, list, row, in: table))
    }
    let audit = ElementAuditQuery(collection, of: syncClass, schema: schema, filter: filter, comparison)
    return try differingOwners(comparison, audit, &greatestStamp, connection)
  }

  /// Returns the compared columns of the elements of a list; nil if the program sees others than are known of it.
  private func comparedElements(
    _ synced: SyncedList, _ list: LocalList, _ row: Int, in table: Table
  ) -> [[Value]]? {
    guard synced.elements.count(where: \.isVisible) == table.count(list.column, row) else { return nil }
    return serverElements(synced, list, row).map { [.int($0.number), .data($0.key.bytes), $0.value] }
  }
}
