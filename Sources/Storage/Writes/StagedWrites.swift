/// Write transactions of one snapshot that have ended, and that become one version together.
///
/// They are stored in one write transaction of the file, which stays open between them, and the snapshot reads from it
/// meanwhile: what one of them changed is what the next one begins with, and cancelling the next one leaves it alone.
/// No other reader sees any of it before `Writer.commitStaged`. That way many small transactions share the nodes that each
/// of them would have written by itself.
///
/// The writer lock belongs to a thread: all of this happens on the one that staged first. What was stored moves
/// whenever something is stored, so that nothing may point to them then (see `Writer.detachFromNodes`).
struct StagedWrites {
  let target: EntryTransaction
  let durability: Durability
  let catalogueAtBegin: Catalogue
  /// Of each table, where the rows begin that the version does not have; nil for a transaction that is committed at
  /// once, and never read from here.
  var rowLimits: [Int]?
  /// How many transactions there are.
  var count: UInt32 = 0
  /// The stamp of the catalogue that was written; nil if none was.
  var catalogueStamp: UInt64?
}
