import Storage

/// Follows plain values that the change log does not tell by position: sorted or distinct values of a collection,
/// and the elements of lists inside mixed values. It remembers them all.
final class ValuesTracker: CollectionTracker {
  let keyPaths = ObservedKeyPaths.everything
  private let read: () -> [StoredValue]
  private let keepsOrder: Bool
  private var values: [StoredValue] = []

  /// - Parameter keepsOrder: Whether an element that takes another one's place counts as modified.
  init(keepsOrder: Bool, _ read: @escaping () -> [StoredValue]) {
    self.read = read
    self.keepsOrder = keepsOrder
  }

  func start() { values = read() }

  func update(_ context: ChangeContext) -> CollectionChangeSet {
    let old = values
    values = read()
    let difference = SequenceDifference(from: old, to: values)
    var result = CollectionChangeSet()
    result.deletions = difference.deletions
    result.insertions = difference.insertions
    if keepsOrder { result.pairReplacements(oldCount: old.count) }
    return result
  }
}

extension CollectionChangeSet {
  /// Makes modifications of deletions in whose place something was inserted.
  fileprivate mutating func pairReplacements(oldCount: Int) {
    if deletions.isEmpty || insertions.isEmpty { return }
    var (old, new) = (0, 0)
    var replaced = IndexRanges()
    var replacing = IndexRanges()
    while old < oldCount {
      let isDeleted = deletions.contains(old)
      let isInserted = insertions.contains(new)
      if isDeleted && isInserted {
        replaced.append(old..<old + 1)
        replacing.append(new..<new + 1)
      }
      if isDeleted == isInserted || isDeleted { old += 1 }
      if isDeleted == isInserted || isInserted { new += 1 }
    }
    deletions = deletions.subtracting(replaced)
    insertions = insertions.subtracting(replacing)
    modifications = replaced
  }
}
