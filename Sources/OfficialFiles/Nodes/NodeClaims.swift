/// Whose each unit of 8 bytes is: every node has exactly one parent, so that a unit that is reached twice shows a cycle, a
/// node with two parents, or two that overlap. After this one pass over all nodes nothing that reads them needs to
/// guard against that.
struct NodeClaims {
  /// Deeper than any engine nests: 187 levels were seen.
  private static let deepest = 65_536

  private let space: NodeSpace
  /// Pages of this size that hold nothing.
  private let emptyPages: Set<Int>
  private var taken: [UInt64]

  private static let pageSize = 4_096

  /// Looks at all nodes that can be reached from one.
  /// - Parameter emptyPages: Pages that no node may touch.
  static func check(_ space: NodeSpace, from top: Int, emptyPages: Set<Int>) throws {
    var claims = NodeClaims(space, emptyPages)
    try claims.walk(top)
  }

  init(_ space: NodeSpace, _ emptyPages: Set<Int>) {
    self.space = space
    self.emptyPages = emptyPages
    taken = [UInt64](repeating: 0, count: space.end / (NodeSpace.alignment * 64) + 1)
  }

  private mutating func walk(_ top: Int) throws {
    var path: [(elements: References, next: Int)] = []
    if let elements = try claim(top) { path.append((elements, 0)) }
    while let last = path.indices.last {
      let (elements, next) = path[last]
      if next == elements.count || elements.isFree {
        path.removeLast()
        continue
      }
      path[last].next += 1
      let value = elements[next]
      if value == 0 || value & 1 == 1 { continue }
      guard let children = try claim(References.reference(value, elements.node)) else { continue }
      if path.count == Self.deepest { throw children.damage("nodes are nested too deeply") }
      path.append((children, 0))
    }
  }

  /// Claims a node, which no other node may have claimed before. Returns its references; nil if it has none.
  mutating func claim(_ reference: Int) throws -> References? {
    let node = try space.node(at: reference)
    if node.isInner && !node.hasReferences { throw node.damage("an inner node without references") }
    if !emptyPages.isEmpty {
      for page in (reference / Self.pageSize)...((reference + node.size - 1) / Self.pageSize)
      where emptyPages.contains(page) {
        throw node.damage("page \(page) was never written")
      }
    }
    try take(node)
    return node.hasReferences ? try References(node) : nil
  }

  private mutating func take(_ node: Node) throws {
    var unit = node.reference / NodeSpace.alignment
    let end = unit + node.size / NodeSpace.alignment
    while unit < end {
      let bit = unit % 64
      let count = min(64 - bit, end - unit)
      let mask = (count == 64 ? UInt64.max : (1 << UInt64(count)) - 1) << UInt64(bit)
      if taken[unit / 64] & mask != 0 {
        throw node.damage("two nodes lie at the same place, or one has two parents")
      }
      taken[unit / 64] |= mask
      unit += count
    }
  }
}
