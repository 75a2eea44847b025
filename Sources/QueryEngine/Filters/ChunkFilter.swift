/// One step of a query, prepared for one snapshot: tests the rows of one chunk at a time.
///
/// Filters keep scratch memory and are used by one thread at a time, until the snapshot's content stamp
/// changes.
protocol ChunkFilter: AnyObject {
  /// A rough price of a row, to run cheap filters first: 1 for a scan of bytes.
  var cost: Double { get }

  /// Clears those bits of `mask` whose rows do not satisfy the condition.
  func filter(_ mask: ChunkMask, chunk number: Int)

  /// How many rows of a chunk satisfy the condition, when that is quicker than a mask; only called for a
  /// chunk whose rows are all there.
  func countAll(chunk number: Int) -> Int?

  /// The answer for all rows of a chunk when its minimum and maximum tell it.
  func answerForAll(chunk number: Int) -> Bool?

  /// Has the processor fetch a chunk that is soon to be looked at. Nothing is changed.
  func prefetch(chunk number: Int)
}

extension ChunkFilter {
  func countAll(chunk number: Int) -> Int? { nil }

  func answerForAll(chunk number: Int) -> Bool? { nil }

  func prefetch(chunk number: Int) {}
}
