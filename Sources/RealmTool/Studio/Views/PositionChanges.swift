import RealmSwift

/// How positions of a view have changed between two versions, as ranges.
struct PositionChanges: Equatable {
  /// Before the change.
  private(set) var deleted = PositionRanges()
  /// After the change.
  private(set) var inserted = PositionRanges()
  /// After the change, of objects that were there before.
  private(set) var modified = PositionRanges()
  /// Whether there were too many ranges to name: everything may have changed.
  private(set) var isReset = false

  /// Maximum number of ranges of each kind.
  static let limit = 5_000

  init() {}

  init(deleted: PositionRanges, inserted: PositionRanges, modified: PositionRanges) {
    self.deleted = deleted
    self.inserted = inserted
    self.modified = modified
    reduce()
  }

  init(_ changes: NumberedChanges) {
    self.init(
      deleted: PositionRanges(ascending: changes.deletions),
      inserted: PositionRanges(ascending: changes.insertions),
      modified: PositionRanges(ascending: changes.newModifications))
  }

  static let everything: PositionChanges = {
    var changes = PositionChanges()
    changes.isReset = true
    return changes
  }()

  var isEmpty: Bool { !isReset && deleted.isEmpty && inserted.isEmpty && modified.isEmpty }

  private mutating func reduce() {
    if max(deleted.ranges.count, inserted.ranges.count, modified.ranges.count) > Self.limit {
      self = .everything
    }
  }

  /// Adds changes that follow these.
  mutating func add(_ next: PositionChanges) {
    if isReset || next.isReset {
      self = .everything
      return
    }
    // What was inserted and is deleted again was never there.
    let gone = next.deleted.subtracting(inserted).compressed(by: inserted).expanded(by: deleted)
    let stillInserted = inserted.subtracting(next.deleted).compressed(by: next.deleted)
      .expanded(by: next.inserted)
    let stillModified = modified.subtracting(next.deleted).compressed(by: next.deleted)
      .expanded(by: next.inserted)
    deleted = deleted.union(gone)
    inserted = stillInserted.union(next.inserted)
    modified = stillModified.union(next.modified).subtracting(inserted)
    reduce()
  }

  /// Appends the members of an event.
  func append(to bytes: inout [UInt8]) {
    if isReset { bytes.append(",\"reset\":true") }
    for (name, ranges) in [("deleted", deleted), ("inserted", inserted), ("modified", modified)] {
      bytes.append(",\"\(name)\":")
      bytes.appendArray(ranges.ranges) { $1.append(numbers: [$0.lowerBound, $0.count]) }
    }
  }
}
