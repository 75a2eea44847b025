extension FileMap {
  /// Verifies everything that a root reaches and that is newer than a version.
  func verify(_ root: Reference, after version: UInt64) throws(PageError) {
    var seen: Set<UInt64> = []
    try verify(root, after: version, &seen)
  }

  /// Whether everything is as it was written that a root reaches and that is newer than a version.
  ///
  /// - Throws: What has kept this from verifying it.
  func isWhole(_ root: Reference, after version: UInt64) throws(PageError) -> Bool {
    do throws(PageError) {
      try verify(root, after: version)
      return true
    } catch .damaged {
      return false
    }
  }

  /// - Parameter seen: The units of nodes that were checked: in a hostile file, many may lead to one.
  private func verify(
    _ reference: Reference, after version: UInt64, _ seen: inout Set<UInt64>
  ) throws(PageError) {
    if reference.isNone || reference.version <= version { return }
    try withContent(reference) { (start) throws(PageError) in
      if reference.isValue || !seen.insert(reference.unit).inserted { return }
      let node = Node(start)
      for index in 0..<node.count where node.hasReference(index) {
        try verify(child(index, of: node), after: version, &seen)
      }
    }
  }

  /// A reference in a node, which leads down.
  func child(_ index: Int, of node: Node) throws(PageError) -> Reference {
    let reference = node.reference(index)
    if reference.isValue != (node.level == 0) { throw .damaged("a reference to the wrong level") }
    if !reference.isValue,
      try withContent(reference, { (start) throws(PageError) in Node(start).level }) != node.level - 1
    {
      throw .damaged("a node of the wrong level")
    }
    return reference
  }
}
