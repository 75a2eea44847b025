/// How the positions of a collection changed from one version to a later one.
///
/// Deletions are positions in the old version; insertions and modifications are positions in the new one, and no
/// position is both. A moved element is deleted and inserted.
package struct PositionChanges: Sendable, Hashable {
  package var deletions = IndexRanges()
  package var insertions = IndexRanges()
  package var modifications = IndexRanges()

  package init() {}

  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  // MARK: Recording

  @inline(__always)
  mutating func insert(at position: Int, count: Int) {
    if modifications.last ?? -1 >= position { modifications.makeRoom(at: position, count: count) }
    insertions.insertPositions(at: position, count: count)
  }

  mutating func modify(_ position: Int) {
    if !insertions.contains(position) { modifications.insert(position) }
  }

  mutating func remove(_ range: Range<Int>) {
    modifications.removePositions(range)
    let insertedBelow = insertions.count(below: range.lowerBound)
    let old = range.count - insertions.count(in: range)
    insertions.removePositions(range)
    if old == 0 { return }
    // As positions among the elements of the old version that are left, which skip those deleted before.
    let first = range.lowerBound - insertedBelow
    deletions.formUnion(IndexRanges(first..<first + old).shifted(byInserting: deletions))
  }

  // MARK: Combining

  /// Adds what happened after these changes.
  package mutating func merge(_ next: PositionChanges) {
    if isEmpty {
      self = next
      return
    }
    if next.isEmpty { return }
    let oldDeletions = next.deletions.subtracting(insertions)
      .shifted(byRemoving: insertions).shifted(byInserting: deletions)
    deletions.formUnion(oldDeletions)
    insertions = insertions.shifted(byRemoving: next.deletions).shifted(byInserting: next.insertions)
      .union(next.insertions)
    modifications = modifications.shifted(byRemoving: next.deletions).shifted(byInserting: next.insertions)
      .union(next.modifications).subtracting(insertions)
  }

  /// Positions of the new version that were there before, as positions of the old version.
  package func oldPositions(of positions: IndexRanges) -> IndexRanges {
    positions.shifted(byRemoving: insertions).shifted(byInserting: deletions)
  }
}
