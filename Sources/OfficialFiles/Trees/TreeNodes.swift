/// The nodes of a B+tree.
enum TreeNodes {
  /// More levels are not found in a sound file.
  private static let deepest = 40
  /// Maximum number of values in a leaf.
  static let largestLeaf = 65_536

  /// Calls the body with the leaves in order, and with the number of values that a damaged file announces for them where it tells; it gives
  /// the number of values in each. Gives that of all.
  ///
  /// - Parameter lost: Called at the place of each damaged part with the number of its values, nil where the file does not tell; nil to
  ///   throw instead.
  @discardableResult static func forEachLeaf(
    _ space: NodeSpace, _ root: Int, lost: ((Damage, _ count: Int?) -> Void)? = nil,
    _ body: (Node, _ announced: Int?) throws -> Int
  ) throws -> Int {
    try visit(space, root, level: 0, announced: nil, lost, body)
  }

  /// Inner nodes: offsets or the number of values below each child, the children, the number of values below all.
  private static func visit(
    _ space: NodeSpace, _ reference: Int, level: Int, announced: Int?, _ lost: ((Damage, Int?) -> Void)?,
    _ body: (Node, _ announced: Int?) throws -> Int
  ) throws -> Int {
    let node = try space.node(at: reference)
    if !node.isInner { return try body(node, announced) }
    let slots = try References(node)
    guard level < deepest, slots.count >= 3 else { throw node.damage("a tree without order") }
    let total = try slots.number(slots.count - 1)
    var found = 0
    for child in 1..<(slots.count - 1) {
      let count = lost == nil ? nil : count(below: child - 1, slots, total, space)
      do {
        found += try visit(
          space, slots.reference(child), level: level + 1, announced: count, lost, body)
      } catch let damage as Damage where lost != nil {
        lost?(damage, count)
        found += count ?? 0
      }
    }
    if lost == nil, found != total { throw node.damage("\(found) values where \(total) are announced") }
    return found
  }

  /// The number of values that an inner node announces below a child, nil when it does not say so.
  private static func count(below child: Int, _ slots: References, _ total: Int, _ space: NodeSpace) -> Int? {
    let isLast = child == slots.count - 3
    var begin: Int?
    var end: Int?
    if let each = try? slots.number(0), each <= largestLeaf {
      begin = child * each
      end = isLast ? total : (child + 1) * each
    } else if let reference = try? slots.reference(0),
      let offsets = try? IntegerArray(space.node(at: reference), isUnsigned: true)
    {
      begin = child == 0 ? 0 : (try? offsets.element(Int64(child - 1))).map { Int($0) }
      end = isLast ? total : (try? offsets.element(Int64(child))).map { Int($0) }
    }
    guard let begin, let end, 0...(1 << 24) ~= end - begin else { return nil }
    return end - begin
  }
}
