/// The writes of a snapshot: the open write transaction, and the staged ones, which no other reader sees before they are
/// committed together.
struct WriteSession {
  /// The open write transaction. Its wide chunks are found through the tables' pointers.
  private(set) var transaction: WriteTransaction?
  /// Unretained copy of `transaction`, for paths where reference counting dominates.
  private(set) var active: Unmanaged<WriteTransaction>?
  var staged: StagedWrites?
  /// Whether row numbers are skipped that the version does not know of.
  var hasUnstoredRowLimits = false

  /// Makes a transaction the open one; nil for none.
  mutating func setTransaction(_ new: WriteTransaction?) {
    transaction = new
    active = new.map { .passUnretained($0) }
  }
}
