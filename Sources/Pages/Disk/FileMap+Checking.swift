extension FileMap {
  /// Whether everything is as it was written that a root reaches and that is newer than a version.
  ///
  /// - Throws: What has kept this from verifying it.
  func isWhole(_ root: Reference, after version: UInt64) throws(PageError) -> Bool {
    do throws(PageError) {
      var seen: Set<UInt64> = []
      try verify(root, level: nil, after: version, &seen)
      return true
    } catch .damaged {
      return false
    }
  }

  /// - Parameters:
  ///   - level: The level of the node; nil of a root or a value.
  ///   - seen: The units of nodes that were verified: in a hostile file, many references may lead to one.
  private func verify(
    _ reference: Reference, level: Int?, after version: UInt64, _ seen: inout Set<UInt64>
  ) throws(PageError) {
    if reference.isNone || reference.version <= version { return }
    try withContent(reference) { (start) throws(PageError) in
      if reference.isValue || !seen.insert(reference.unit).inserted { return }
      let node = Node(start)
      try node.checkLevel(level)
      for index in 0..<node.count where node.hasReference(index) {
        try verify(node.child(index), level: node.level - 1, after: version, &seen)
      }
    }
  }
}

extension Node {
  /// Throws unless the node has the level that its parent says.
  ///
  /// - Parameter level: Nil of a root.
  func checkLevel(_ level: Int?) throws(PageError) {
    if let level, self.level != level { throw .damaged("a node of the wrong level") }
  }

  /// A reference to what is below: a value if this is a leaf, or else a node.
  func child(_ index: Int) throws(PageError) -> Reference {
    let reference = reference(index)
    if reference.isValue != (level == 0) { throw .damaged("a reference to the wrong level") }
    return reference
  }
}
