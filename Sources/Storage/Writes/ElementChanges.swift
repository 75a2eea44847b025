/// What happened to the elements of one collection in a transaction, beyond the positions.
struct ElementChanges {
  /// Elements of a set, or keys of a map, that were inserted, changed or removed. Texts that only Unicode takes for equal are two.
  var touched: Set<ExactValue> = []
  /// Elements of a set that were removed, and keys of a map whose values lost links, because the target disappeared.
  var severed: Set<ExactValue> = []
  /// Positions of a list before the transaction.
  var severedDeletions = IndexRanges()
  /// Positions of a list after the transaction.
  var severedModifications = IndexRanges()

  var isEmpty: Bool {
    touched.isEmpty && severed.isEmpty && severedDeletions.isEmpty && severedModifications.isEmpty
  }

  @inline(__always)
  mutating func insertPositions(at position: Int, count: Int) {
    if severedModifications.last ?? -1 >= position {
      severedModifications.makeRoom(at: position, count: count)
    }
  }

  mutating func removePositions(_ range: Range<Int>) { severedModifications.removePositions(range) }
}
