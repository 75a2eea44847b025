import Storage

/// Follows a list, set or map. The change log tells what happened to its elements; only where objects among them
/// were modified must the elements be looked at.
final class StoredCollectionTracker: CollectionTracker {
  let keyPaths: ObservedKeyPaths
  private let collection: StoredCollection
  private var count = 0
  /// The keys of a map.
  private(set) var keys: [String] = []

  init(_ collection: StoredCollection, _ keyPaths: ObservedKeyPaths) {
    self.collection = collection
    self.keyPaths = keyPaths
  }

  private var isMap: Bool { collection.kind == .map }

  func start() {
    count = collection.isValid ? collection.count : 0
    keys = readKeys()
  }

  private func readKeys() -> [String] { isMap ? (0..<count).map(collection.key(at:)) : [] }

  func update(_ context: ChangeContext) -> CollectionChangeSet {
    var result = CollectionChangeSet()
    guard collection.isValid else {
      result.deletions = IndexRanges(0..<count)
      count = 0
      keys = []
      return result
    }
    let positions = context.changes.collections[collection.key] ?? PositionChanges()
    count = collection.count
    var modified = positions.modifications
    let rows = rowsModified(context)
    if !rows.isEmpty { modified.formUnion(self.positions(of: rows).subtracting(positions.insertions)) }
    result.deletions = positions.deletions
    result.insertions = positions.insertions
    result.modifications = positions.oldPositions(of: modified)
    if isMap, !positions.deletions.isEmpty || !positions.insertions.isEmpty { keys = readKeys() }
    return result
  }

  /// For each table that elements link to, the modified rows.
  private func rowsModified(_ context: ChangeContext) -> [Int: IndexRanges] {
    var rows: [Int: IndexRanges] = [:]
    func add(_ table: Int) {
      let modified = context.modifiedRows(table: table, keyPaths)
      if !modified.isEmpty { rows[table] = modified }
    }
    switch collection.source.type {
    case .link: add(collection.source.target)
    case .mixed:
      for (table, description) in collection.realm.snapshot.catalogue.tables.enumerated()
      where !description.isRemoved { add(table) }
    default: break
    }
    return rows
  }

  private func positions(of rows: [Int: IndexRanges]) -> IndexRanges {
    var positions = IndexRanges()
    if collection.source.type == .mixed {
      for position in 0..<count {
        if case .link(let table, let row) = collection.value(at: position), rows[table]?.contains(row) == true
        {
          positions.append(position..<position + 1)
        }
      }
      return positions
    }
    guard let rows = rows[collection.source.target], let first = rows.first, let last = rows.last else {
      return positions
    }
    let isSingle = first == last
    collection.forEachInteger { row, position in
      let row = Int(row)
      if row < first || row > last { return }
      if isSingle || rows.contains(row) { positions.append(position..<position + 1) }
    }
    return positions
  }
}
