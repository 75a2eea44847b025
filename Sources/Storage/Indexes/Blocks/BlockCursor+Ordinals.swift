// Finding blocks whose LMDB keys say nothing of their pairs.
extension BlockCursor {
  /// The last block whose first pair is not after the given one: a binary search over the ordinals, which are spread
  /// evenly.
  ///
  /// Each step looks at two neighbouring blocks, one on either side of the middle, so that it ends as soon as it comes to
  /// the place.
  @inline(never)
  func moveToLastOrdinal<Pair: IndexPair>(
    notAfter pair: Pair, _ kind: IndexKeyKind
  ) throws(EntryError) -> Bool {
    guard try moveToFirst(kind), !block(Pair.self).startsAfter(pair) else { return false }
    // The block at `low` is not after the pair; those from `high` on are.
    var low = ordinal
    guard try moveToLast(kind) else { return false }
    if !block(Pair.self).startsAfter(pair) { return true }
    var high = ordinal
    while high - low > 1 {
      let middle = low + (high - low) / 2
      guard try move(toOrdinal: middle, kind) else { return false }
      if block(Pair.self).startsAfter(pair) {
        guard try moveToPrevious(kind) else { return false }
        if !block(Pair.self).startsAfter(pair) { return true }
        high = ordinal
      } else {
        low = ordinal
        guard try moveToNext(kind) else { return false }
        if block(Pair.self).startsAfter(pair) { return try moveToPrevious(kind) }
        low = ordinal
      }
    }
    return try move(toOrdinal: low, kind)
  }
}
