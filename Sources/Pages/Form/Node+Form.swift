/// Verifies the form of a node: a file may come from any program.
extension Node {
  /// Whether its entries lie one behind the other, in the order of their keys, and fill it, and whether it can be what a reference
  /// says.
  ///
  /// The reader verifies it once, with the checksum.
  func isWellFormed(_ reference: Reference) -> Bool {
    let length = Int(reference.length)
    guard length >= Self.headerSize, length <= Self.sizeLimit, size == length, level < Self.levelLimit,
      count > 0, entriesStart <= length
    else { return false }
    return hasEntriesInOrder(length - entriesStart) && sizeWithWholeKeys <= Self.sizeLimit
      && (0..<count).allSatisfy { isWellFormed($0, of: reference) }
  }

  /// - Parameter room: How many bytes the entries have.
  private func hasEntriesInOrder(_ room: Int) -> Bool {
    var end = 0
    for index in 0..<count {
      if place(index) != end || end > room - Self.entryHeaderSize { return false }
      end += entrySize(atPlace: end)
    }
    return end == room
  }

  private func isWellFormed(_ index: Int, of reference: Reference) -> Bool {
    if prefixLength + suffix(index).count > Self.keyLimit { return false }
    if !hasReference(index) { return level == 0 }
    let child = self.reference(index)
    return !reference.flags.contains(.hasNoExtents) && !child.isUnwritten && child.isValue == (level == 0)
      && child.isEncrypted == reference.isEncrypted && child.version <= reference.version
      && child.unit >= FileLayout.firstUnit
  }
}
