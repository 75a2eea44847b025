/// The chunks with one number of a few tables, whose rows a migration walks through.
///
/// What was read of the version before the migration is released behind them when that is much: no other code keeps an address of it
/// over a call of the program, and no other thread may read the tables meanwhile. What the open write transaction has read stays.
final class PassingChunks {
  private let former: Snapshot

  /// Nil when the file is not encrypted.
  ///
  /// - Parameter tables: The first one is that of the version before the migration.
  init?(_ number: Int, of tables: [Table]) {
    guard let former = tables.first?.snapshot, former.file.isEncrypted, former.isShared else { return nil }
    self.former = former
  }

  /// Returns the chunk as it is stored, if that is known.
  func stored(_ table: Table, _ column: Int) -> Chunk? { nil }

  /// Nothing of the chunks is read from now on.
  func end() { former.releaseShared() }
}
