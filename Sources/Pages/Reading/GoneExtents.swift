/// The extents that one version has and a later one does not have any more: everything else is where it was.
package struct GoneExtents {
  /// In the order of their places; none overlaps another.
  private var units: [Range<Int>] = []
  private let base: UInt
  private let size: UInt

  /// Compares two versions of one open file.
  ///
  /// - Parameter limit: Nil is returned when more nodes and values than this are gone.
  package init?(from old: PageVersion, to new: PageVersion, limit: Int = 1 << 14) throws(PageError) {
    base = UInt(bitPattern: old.map.base)
    size = UInt(old.map.limit)
    var comparison = try VersionComparison(old, new)
    while !comparison.references[0].isEmpty {
      for reference in try comparison.descend()[0] {
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
}
