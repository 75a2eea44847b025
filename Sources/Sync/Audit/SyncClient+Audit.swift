import Storage

// What compares a class with the server instead of reading it: only groups of rows that differ are read.
extension SyncClient {
  /// Whether the server hashes rows as this library does.
  func canCompareHashes(_ connection: any ServerConnection) throws(PostgresError) -> Bool {
    try connection.query(AuditQuery.probe).first?.first == "t"
  }

  /// Reads the objects of a class that are not as the file has them, and finds those that the server does not have.
  ///
  /// What is pending is not a difference: the rules of a pull keep it.
  ///
  /// - Parameters:
  ///   - usesHashes: Whether the server hashes rows as this library does; if not, all rows are read.
  ///   - blocks: Where the rows are kept that differ.
  func differences(
    classNumber: Int, _ query: PullQuery, usesHashes: Bool, in blocks: PulledBlocks,
    _ connection: any ServerConnection
  ) throws -> PulledClass {
    let (syncClass, localClass) = (model.classes[classNumber], classes[classNumber])
    let comparison = RowComparison(syncClass, localClass, snapshot, links)
    let audit = AuditQuery(
      syncClass, query, schema: schema, seed: comparison.seed, groupCount: comparison.groups.count)
    var pulled = PulledClass()
    pulled.isComparison = true
    var isChosen = [Bool](repeating: !usesHashes, count: comparison.groups.count)
    if usesHashes {
      let groups = audit.groups(stampNumbers: propertyNumbers[classNumber])
      let result = try compare(comparison.groups, groups, connection)
      for number in result.different { isChosen[number] = true }
      pulled.comparedCount = result.count
      pulled.greatestStamp = result.greatestStamp
    }
    var here = comparison.rows(of: isChosen)
    let chosen = isChosen.indices.filter { isChosen[$0] }
    if chosen.isEmpty && here.isEmpty { return pulled }
    var fields: [Value] = []
    let types = query.rowTypes
    try connection.copyOutEncoded(usesHashes ? audit.rows(of: chosen) : audit.allRows, fields: types.count) {
      try EncodedRows.decode($0, types, into: &fields)
      let row = query.row(fields)
      if !usesHashes { pulled.comparedCount += 1 }
      if let number = here.removeValue(forKey: IndexKey(row.key)), comparison.isEqual(row, row: number) {
        pulled.greatestStamp = row.stamps.reduce(max(pulled.greatestStamp, row.creation), max)
      } else {
        pulled.rows.append($0, of: query, in: blocks)
      }
    }
    let pending = try pending()
    let table = snapshot.table(localClass.table)
    pulled.missing += here.values.sorted()
      .filter { pending.creation(table: localClass.table, row: $0) == nil }
      .map { table.value(localClass.keyColumn, $0) }
    return pulled
  }

  /// What is known of rows from the hashes of their groups.
  private struct ComparedGroups {
    /// The groups that are not as the file has them, also those that the server has no row of.
    var different: [Int] = []
    /// Number of rows on the server.
    var count = 0
    /// The greatest stamp of these rows.
    var greatestStamp = Stamp.never
  }

  /// Compares the groups of the file with those of the server.
  ///
  /// - Parameter sql: The statement that returns the groups of the server.
  private func compare(
    _ groups: [AuditQuery.Group], _ sql: String, _ connection: any ServerConnection
  ) throws -> ComparedGroups {
    var rest = groups
    var result = ComparedGroups()
    try connection.copyOut(sql, AuditQuery.groupTypes) { fields in
      let numbers = fields.map { if case .int(let number) = $0 { number } else { Int64(0) } }
      let number = Int(numbers[0])
      result.count += Int(numbers[1])
      result.greatestStamp = max(result.greatestStamp, Stamp(rawValue: numbers[3]))
      guard rest.indices.contains(number) else { return }
      let found = AuditQuery.Group(count: Int(numbers[1]), hash: UInt64(bitPattern: numbers[2]))
      if found != rest[number] { result.different.append(number) }
      rest[number] = .init()
    }
    result.different += rest.indices.filter { rest[$0].count > 0 }
    return result
  }

  /// Finds the owners whose elements may not be as the file has them. Returns the condition for them, on the alias `t`; nil if there are
  /// none. Takes note of the greatest stamp of the compared elements.
  func differingOwners(
    _ comparison: ElementComparison, _ audit: ElementAuditQuery, _ greatestStamp: inout Stamp,
    _ connection: any ServerConnection
  ) throws -> String? {
    let result = try compare(comparison.groups, audit.groups, connection)
    greatestStamp = max(greatestStamp, result.greatestStamp)
    let different = Set(result.different)
    let chosen = comparison.groups.indices.filter {
      different.contains($0) || comparison.isIncomparable[$0]
    }
    return chosen.isEmpty ? nil : audit.isOwner(inGroups: chosen)
  }
}
