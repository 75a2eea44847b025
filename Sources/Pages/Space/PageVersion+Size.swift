extension PageVersion {
  /// Size in bytes of what the version has in the file, header slots included. Reads all nodes.
  package var usedSize: Int {
    get throws(PageError) {
      var seen = [UInt64](repeating: 0, count: try fileSize / FileLayout.unit / 64 + 1)
      return try (FileLayout.firstUnit + unitCount(root, level: nil, &seen)) * FileLayout.unit
    }
  }

  /// - Parameters:
  ///   - level: The level of the node; nil of a root or a value.
  ///   - seen: A bit for each unit at which an extent that was counted begins.
  private func unitCount(
    _ reference: Reference, level: Int?, _ seen: inout [UInt64]
  ) throws(PageError) -> Int {
    if reference.isNone { return 0 }
    let (word, bit) = (Int(reference.unit >> 6), UInt64(1) << (reference.unit & 63))
    if word >= seen.count { throw .damaged("unit \(reference.unit) is not among the extents") }
    if seen[word] & bit != 0 { return 0 }
    seen[word] |= bit
    var count = reference.unitCount
    if reference.isValue || reference.flags.contains(.hasNoExtents) { return count }
    try map.withContent(reference) { (start) throws(PageError) in
      let node = Node(start)
      try node.checkLevel(level)
      for index in 0..<node.count where node.hasReference(index) {
        count += try unitCount(node.child(index), level: node.level - 1, &seen)
      }
    }
    return count
  }
}
