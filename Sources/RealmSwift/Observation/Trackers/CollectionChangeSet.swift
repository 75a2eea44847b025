import Storage

/// How a collection changed for an observer.
struct CollectionChangeSet {
  /// Positions in the old version.
  var deletions = IndexRanges()
  /// Positions in the new version.
  var insertions = IndexRanges()
  /// Positions in the old version of elements that are still there, and have changed.
  var modifications = IndexRanges()

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  /// The modified elements' positions in the new version.
  var newModifications: IndexRanges {
    modifications.shifted(byRemoving: deletions).shifted(byInserting: insertions)
  }
}
