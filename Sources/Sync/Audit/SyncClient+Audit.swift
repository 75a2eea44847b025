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
  /// - Parameter usesHashes: Whether the server hashes rows as this library does; if not, all rows are read.
  func differences(
    classNumber: Int, _ query: PullQuery, usesHashes: Bool, _ connection: any ServerConnection
  ) throws -> PulledClass {
    let (syncClass, localClass) = (model.classes[classNumber], classes[classNumber])
    let comparison = RowComparison(syncClass, localClass, snapshot, links)
    let audit = AuditQuery(
      syncClass, query, schema: schema, seed: comparison.seed, groupCount: comparison.groups.count)
    var pulled = PulledClass()
    pulled.isComparison = true
    // What the server writes as JSON is spelled otherwise than here.
    let isHashed = usesHashes && syncClass.properties.allSatisfy { $0.type != .jsonb }
    var isChosen = [Bool](repeating: !isHashed, count: comparison.groups.count)
    if isHashed {
      let stamps = propertyNumbers[classNumber]
      try compare(comparison.groups, audit.groups(stampNumbers: stamps), &isChosen, &pulled, connection)
    }
    var here = comparison.rows(of: isChosen)
    let chosen = isChosen.indices.filter { isChosen[$0] }
    if chosen.isEmpty && here.isEmpty { return pulled }
    try connection.copyOut(isHashed ? audit.rows(of: chosen) : audit.allRows, query.rowTypes) { fields in
      let row = query.row(fields)
      if !isHashed { pulled.comparedCount += 1 }
      if let number = here.removeValue(forKey: IndexKey(row.key)), comparison.isEqual(row, row: number) {
        pulled.greatestStamp = row.stamps.reduce(max(pulled.greatestStamp, row.creation), max)
      } else {
        pulled.rows.append(row)
      }
    }
    let pending = try pending()
    let table = snapshot.table(localClass.table)
    pulled.missing += here.values.sorted()
      .filter { pending.creation(table: localClass.table, row: $0) == nil }
      .map { table.value(localClass.keyColumn, $0) }
    return pulled
  }

  /// Finds the groups that differ.
  private func compare(
    _ groups: [AuditQuery.Group], _ sql: String, _ isDifferent: inout [Bool], _ pulled: inout PulledClass,
    _ connection: any ServerConnection
  ) throws {
    var rest = groups
    var different: [Int] = []
    var count = 0
    var stamp = Stamp.never
    try connection.copyOut(sql, AuditQuery.groupTypes) { fields in
      let numbers = fields.map { if case .int(let number) = $0 { number } else { Int64(0) } }
      let number = Int(numbers[0])
      count += Int(numbers[1])
      stamp = max(stamp, Stamp(rawValue: numbers[3]))
      guard rest.indices.contains(number) else { return }
      let found = AuditQuery.Group(count: Int(numbers[1]), hash: UInt64(bitPattern: numbers[2]))
      if found == rest[number] { rest[number] = .init() } else { different.append(number) }
    }
    // Groups of the file that the server has no row of.
    different += rest.indices.filter { rest[$0].count > 0 }
    for number in different { isDifferent[number] = true }
    pulled.comparedCount += count
    pulled.greatestStamp = max(pulled.greatestStamp, stamp)
  }
}
