/// Goes down two versions of one file side by side. What has the same reference in both is not read, so that the cost is in
/// proportion to what has changed.
struct VersionComparison {
  /// What both have of one level, or of two levels where one tree is higher; the old version's first.
  private(set) var references: [[Reference]]
  private let sources: [PageVersion]
  /// Of the references: 0 for leaves, -1 for values; nil of a version that has none.
  private var levels: [Int?]

  init(_ old: PageVersion, _ new: PageVersion) throws(PageError) {
    let sources = [old, new]
    self.sources = sources
    references = sources.map { $0.root.isNone ? [] : [$0.root] }
    levels = [nil, nil]
    for side in 0..<2 where !references[side].isEmpty {
      levels[side] = try sources[side].map.withContent(references[side][0]) { Node($0).level }
    }
  }

  /// The level that is compared next.
  var level: Int { levels.compactMap { $0 }.max() ?? -1 }

  /// Goes on to the next level.
  ///
  /// - Returns: Of both versions, the references of this level that the other one does not have. There are none of a version whose tree is
  ///   not as high.
  mutating func descend() throws(PageError) -> [[Reference]] {
    removeCommon()
    let level = level
    let left = (0..<2).map { levels[$0] == level ? references[$0] : [] }
    for side in 0..<2 where levels[side] == level { try descend(side) }
    return left
  }

  private mutating func removeCommon() {
    let old = Dictionary(references[0].map { ($0.unit, $0) }, uniquingKeysWith: { first, _ in first })
    let common = Set(references[1].filter { old[$0.unit] == $0 }.map(\.unit))
    if common.isEmpty { return }
    for side in 0..<2 { references[side].removeAll { common.contains($0.unit) } }
  }

  private mutating func descend(_ side: Int) throws(PageError) {
    var next: [Reference] = []
    if level >= 0 {
      for reference in references[side] where !reference.flags.contains(.hasNoExtents) {
        try sources[side].map.withContent(reference) { (start) throws(PageError) in
          let node = Node(start)
          for index in 0..<node.count where node.hasReference(index) { next.append(node.reference(index)) }
        }
      }
    }
    references[side] = next
    levels[side] = levels[side]! - 1
  }
}
