/// What was found when the trees of a version were looked at.
struct CheckedTrees {
  let version: UInt64
  let walk: PageWalk
  /// Whether all branch and leaf pages were looked at.
  let isComplete: Bool

  /// One of the large trees; nil when it is missing.
  func record(of name: String) -> TreeRecord? {
    PageWalk.largeTrees.firstIndex(of: name).flatMap { walk.records[$0] }
  }
}
