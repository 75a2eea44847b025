/// What was found when the trees of a version were looked at.
struct CheckedTrees {
  let version: UInt64
  let walk: PageWalk
  /// Whether all branch and leaf pages were looked at.
  let isComplete: Bool

  /// The named trees.
  var records: [String: TreeRecord] { walk.records }
}
