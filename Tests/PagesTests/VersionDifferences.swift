@testable import Pages

/// What two versions do not share.
enum VersionDifferences {
  /// Tells the keys of the leaves that two versions do not share, each version's in order, the old one's first. A key may be told whose
  /// value is the same.
  static func forEachKey(
    _ old: PageVersion, _ new: PageVersion,
    _ body: (_ key: [UInt8], _ isNew: Bool) throws(PageError) -> Void
  ) throws(PageError) {
    var comparison = try VersionComparison(old, new)
    while comparison.level >= 0, comparison.references.contains(where: { !$0.isEmpty }) {
      let isLeaf = comparison.level == 0
      let left = try comparison.descend()
      if !isLeaf { continue }
      for (side, source) in [old, new].enumerated() {
        for reference in left[side] {
          try source.map.withContent(reference) { (start) throws(PageError) in
            let node = Node(start)
            for index in 0..<node.count { try body(node.key(index), side == 1) }
          }
        }
      }
    }
  }
}
