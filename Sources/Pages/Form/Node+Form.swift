/// Verifies the form of a node: a file may come from any program.
extension Node {
  /// Whether its entries lie one behind the other, in any order, and fill it, and whether it can be what a reference says.
  ///
  /// The reader verifies it once, with the checksum.
  func isWellFormed(_ reference: Reference) -> Bool {
    let length = Int(reference.length)
    guard length >= Self.headerSize, length <= Self.sizeLimit, size == length, level < Self.levelLimit,
      count > 0, entriesStart <= length
    else { return false }
    return hasSeparateEntries(length - entriesStart)
      && (0..<count).allSatisfy { isWellFormed($0, of: reference) }
  }

  /// - Parameter room: How many bytes the entries have.
  private func hasSeparateEntries(_ room: Int) -> Bool {
    withUnsafeTemporaryAllocation(of: Bool.self, capacity: Self.sizeLimit) { isStart in
      isStart[..<room].initialize(repeating: false)
      for index in 0..<count {
        let place = place(index)
        if place >= room || isStart[place] { return false }
        isStart[place] = true
      }
      var place = 0
      for _ in 0..<count {
        if place > room - Self.entryHeaderSize || !isStart[place] { return false }
        place += entrySize(atPlace: place)
      }
      return place == room
    }
  }

  private func isWellFormed(_ index: Int, of reference: Reference) -> Bool {
    if key(index).count > Self.keyLimit { return false }
    if !hasReference(index) { return level == 0 }
    let child = self.reference(index)
    return !reference.flags.contains(.hasNoExtents) && !child.isUnwritten && child.isValue == (level == 0)
      && child.isEncrypted == reference.isEncrypted && child.version <= reference.version
      && child.unit >= FileLayout.firstUnit
  }
}
