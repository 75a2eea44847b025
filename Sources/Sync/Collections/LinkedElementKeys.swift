import Storage

/// What the change log says of sets with links, with the keys of the targets in the place of their rows: as the server knows the
/// elements.
///
/// A target may have been deleted since, or have got another key. Both keys count then: an element that is named without having
/// changed costs nothing but time.
struct LinkedElementKeys {
  private struct Place: Hashable {
    var table: Int
    var row: Int
  }

  /// For each table, the columns of sets that can link.
  private var sets: [Int: [Int: LocalCollection]] = [:]
  private let snapshot: Snapshot
  /// The keys that rows have lost in the entries that were read: the latest first.
  private var lost: [Place: [Value]] = [:]

  init(_ classes: [LocalClass], _ snapshot: Snapshot) {
    self.snapshot = snapshot
    for localClass in classes {
      for collection in localClass.collections where collection.kind == .set && collection.canLink {
        sets[localClass.table, default: [:]][collection.column] = collection
      }
    }
  }

  /// Returns entries up to the version of the snapshot with keys in the place of rows.
  mutating func keyed(_ entries: [SyncEntry]) -> [SyncEntry] {
    if sets.isEmpty { return entries }
    var result = entries
    for index in entries.indices.reversed() {
      for change in entries[index].tables {
        for deleted in change.deleted {
          lost[Place(table: change.table, row: deleted.row), default: []].append(deleted.key)
        }
      }
      for number in entries[index].tables.indices { translate(&result[index].tables[number]) }
    }
    return result
  }

  private func translate(_ change: inout SyncTableChange) {
    for (column, collection) in sets[change.table] ?? [:] {
      change.touched[column] = change.touched[column]?.mapValues { translate($0, collection) }
      change.severedElements[column] = change.severedElements[column]?.mapValues { translate($0, collection) }
    }
  }

  private func translate(_ elements: Set<ExactValue>, _ collection: LocalCollection) -> Set<ExactValue> {
    var keyed: Set<ExactValue> = []
    for element in elements {
      guard case .link(let table, let row) = element.value else {
        keyed.insert(element)
        continue
      }
      var keys = lost[Place(table: table, row: row)] ?? []
      if let target = collection.targets.first(where: { $0.table == table }),
        snapshot.isAlive(table: table, row: row)
      {
        keys.append(snapshot.table(table).value(target.keyColumn, row))
      }
      for key in keys { keyed.insert(ExactValue(collection.element(linkingTo: key, in: table))) }
    }
    return keyed
  }
}

extension LocalCollection {
  /// Returns the element that links to an object with a key, as the server has it.
  fileprivate func element(linkingTo key: Value, in table: Int) -> Value {
    guard element == .jsonb, let target = targets.first(where: { $0.table == table }) else { return key }
    return .link(toClass: target.name, key: key)
  }
}
