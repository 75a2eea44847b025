/// The extents that one version has and a later one does not have any more: everything else is where it was.
package struct GoneExtents {
  /// In the order of their places; none overlaps another.
  private var units: [Range<Int>] = []
  private let base: UInt
  private let size: UInt

  /// Compares two versions of one file, whose cost is in proportion to what they do not share.
  ///
  /// - Parameter limit: Nil is returned when more nodes and values than this are gone.
  package init?(from old: PageVersion, to new: PageVersion, limit: Int = 1 << 14) throws(PageError) {
    base = UInt(bitPattern: old.map.base)
    size = UInt(old.map.limit)
    var sides = Sides(old: old, new: new)
    while !sides.old.isEmpty {
      sides.removeCommon()
      for reference in try sides.descend() {
        units.append(Int(reference.unit)..<Int(reference.unit) + reference.unitCount)
      }
      if units.count > limit { return nil }
    }
    units.sort { $0.lowerBound < $1.lowerBound }
  }

  /// Whether what is at an address is the same in both versions; false for addresses outside of the file.
  package func isUnchanged(_ address: UnsafeRawPointer) -> Bool {
    let offset = UInt(bitPattern: address) &- base
    if offset >= size { return false }
    let unit = Int(offset) / FileLayout.unit
    var (low, high) = (0, units.count)
    while low < high {
      let middle = (low + high) / 2
      if units[middle].upperBound <= unit { low = middle + 1 } else { high = middle }
    }
    return low == units.count || unit < units[low].lowerBound
  }

  /// References of one level in both versions, or of two levels where one tree is higher.
  private struct Sides {
    private let sources: [PageVersion]
    private var references: [[Reference]]
    /// Of the references: 0 for leaves, -1 for values. Nil when it is not known yet.
    private var levels: [Int?]

    var old: [Reference] { references[0] }

    init(old: PageVersion, new: PageVersion) {
      sources = [old, new]
      references = sources.map { $0.root.isNone ? [] : [$0.root] }
      levels = [nil, nil]
    }

    mutating func removeCommon() {
      let known = Dictionary(references[0].map { ($0.unit, $0) }, uniquingKeysWith: { first, _ in first })
      let common = Set(references[1].filter { known[$0.unit] == $0 }.map(\.unit))
      if common.isEmpty { return }
      for side in 0..<2 { references[side].removeAll { common.contains($0.unit) } }
    }

    /// Goes down on the side that is higher, or on both. Returns what was left behind on the old one.
    mutating func descend() throws(PageError) -> [Reference] {
      for side in 0..<2 where levels[side] == nil {
        levels[side] = try references[side].first.map { (root) throws(PageError) in
          try sources[side].node(root).level
        }
      }
      let top = levels.compactMap { $0 }.max() ?? -1
      let left = levels[0] == top ? references[0] : []
      for side in 0..<2 where levels[side] == top { try descend(side) }
      return left
    }

    private mutating func descend(_ side: Int) throws(PageError) {
      var next: [Reference] = []
      if levels[side]! >= 0 {
        for reference in references[side] where !reference.flags.contains(.hasNoExtents) {
          let node = try sources[side].node(reference)
          for index in 0..<node.count where node.hasReference(index) { next.append(node.reference(index)) }
        }
      }
      (references[side], levels[side]) = (next, levels[side]! - 1)
    }
  }
}
