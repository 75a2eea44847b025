/// The nodes of a B+tree.
enum TreeNodes {
  /// More levels are not found in a sound file.
  private static let deepest = 40

  /// Calls the body with the leaves in order; it gives the number of values in each. Gives that of all.
  @discardableResult static func forEachLeaf(
    _ space: NodeSpace, _ root: Int, _ body: (Node) throws -> Int
  ) throws -> Int {
    try visit(space, root, level: 0, body)
  }

  /// Inner nodes: offsets or the number of values below each child, the children, the number of values below all.
  private static func visit(
    _ space: NodeSpace, _ reference: Int, level: Int, _ body: (Node) throws -> Int
  ) throws -> Int {
    let node = try space.node(at: reference)
    if !node.isInner { return try body(node) }
    let slots = try References(node)
    guard level < deepest, slots.count >= 3 else { throw node.damage("a tree without order") }
    let total = try slots.number(slots.count - 1)
    var found = 0
    for child in 1..<(slots.count - 1) {
      found += try visit(space, slots.reference(child), level: level + 1, body)
    }
    guard found == total else { throw node.damage("\(found) values where \(total) are announced") }
    return found
  }
}
