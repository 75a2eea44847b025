import Storage

/// Follows a map, whose positions are those of its keys in their order.
protocol MapTracker: CollectionTracker {
  /// The keys that the observer knows of.
  var keys: [String] { get }
}

extension StoredCollectionTracker: MapTracker {}

/// Follows a dictionary inside a mixed value, by remembering its entries.
final class NestedDictionaryTracker: MapTracker {
  let keyPaths = ObservedKeyPaths.everything
  private let collection: NestedCollection
  private(set) var keys: [String] = []
  private var values: [StoredValue] = []

  init(_ collection: NestedCollection) {
    self.collection = collection
  }

  func start() {
    keys = collection.isValid ? (0..<collection.count).map(collection.key(at:)) : []
    values = collection.isValid ? collection.values : []
  }

  func update(_ context: ChangeContext) -> CollectionChangeSet {
    let (oldKeys, oldValues) = (keys, values)
    start()
    var result = CollectionChangeSet()
    let difference = SequenceDifference(from: oldKeys, to: keys)
    result.deletions = difference.deletions
    result.insertions = difference.insertions
    let kept = IndexRanges(0..<oldKeys.count).subtracting(result.deletions)
    for position in kept.members {
      let new = IndexRanges(position..<position + 1)
        .shifted(byRemoving: result.deletions).shifted(byInserting: result.insertions).first!
      if oldValues[position] != values[new] { result.modifications.insert(position) }
    }
    return result
  }
}
