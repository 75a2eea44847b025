/// What two versions do not share.
enum VersionDifferences {
  /// Tells the keys of the leaves that two versions do not share, each version's in order, the old one's first at each level.
  /// What has the same reference in both is not read, so that the cost is in proportion to what has changed; a key may be
  /// told whose value is the same.
  static func forEachKey(
    _ old: PageVersion, _ new: PageVersion,
    _ body: (_ key: [UInt8], _ isNew: Bool) throws(PageError) -> Void
  ) throws(PageError) {
    var sides = [old.root, new.root].map { $0.isNone ? [] : [$0] }
    let sources = [old, new]
    while !sides[0].isEmpty || !sides[1].isEmpty {
      removeCommon(&sides)
      var levels = [0, 0]
      for side in 0..<2 {
        guard let first = sides[side].first else { continue }
        levels[side] = try sources[side].node(first).level
      }
      // The one that is higher goes down.
      let top = levels.max()!
      for side in 0..<2 where levels[side] == top {
        var next: [Reference] = []
        for reference in sides[side] {
          let node = try sources[side].node(reference)
          for index in 0..<node.count {
            if node.level > 0 {
              next.append(node.reference(index))
            } else {
              try body(node.key(index), side == 1)
            }
          }
        }
        sides[side] = next
      }
    }
  }

  private static func removeCommon(_ sides: inout [[Reference]]) {
    let old = Dictionary(sides[0].map { ($0.unit, $0) }, uniquingKeysWith: { first, _ in first })
    let common = Set(sides[1].filter { old[$0.unit] == $0 }.map(\.unit))
    if common.isEmpty { return }
    for side in 0..<2 { sides[side].removeAll { common.contains($0.unit) } }
  }
}
