/// The tree that has the objects of a table since format 10. Leaves, the clusters, have up to 256 rows each, and a leaf for
/// each column; keys of objects are relative to what inner nodes say on the way.
enum ClusterTree {
  private static let deepest = 40

  /// Calls the body with the clusters in order; gives the number of rows.
  ///
  /// - Parameter lost: Called for each damaged part with the number of its rows as far as the file tells; nil to throw instead.
  @discardableResult static func forEachLeaf(
    _ space: NodeSpace, _ reference: Int, lost: Lost? = nil, _ body: (Cluster) throws -> Void
  ) throws -> Int {
    try visit(space, Position(reference: reference, offset: 0, level: 0), lost, body)
  }

  typealias Lost = (Damage, _ count: Int?) -> Void

  /// The number of rows as the topmost node says it.
  static func count(_ space: NodeSpace, _ reference: Int) throws -> Int {
    let slots = try space.references(at: reference)
    return slots.node.isInner ? try slots.number(2) : try Cluster(slots, offset: 0, space).count
  }

  private struct Position {
    let reference: Int
    let offset: UInt64
    let level: Int
    /// The keys before the next cluster, as far as inner nodes tell.
    var limit: Int64?
  }

  private enum Content {
    case cluster(Cluster)
    case inner(InnerNode)
  }

  /// Offsets of the children (nothing when they are regular), levels below, rows below, the children.
  private struct InnerNode {
    let slots: References
    let height: Int
    let total: Int
    let offsets: IntegerArray?

    var childCount: Int { slots.count - 3 }

    init(_ slots: References, level: Int, _ space: NodeSpace) throws {
      guard level < deepest, slots.count >= 4 else { throw slots.damage("a tree of objects without order") }
      self.slots = slots
      height = try slots.number(1)
      total = try slots.number(2)
      guard 1...deepest ~= height else { throw slots.damage("a tree of objects of \(height) levels") }
      offsets = try slots.reference(ifAny: 0).map { try IntegerArray(space.node(at: $0), isUnsigned: true) }
      guard offsets == nil || offsets?.count == slots.count - 3 else {
        throw slots.damage("\(slots.count - 3) children with \(offsets?.count ?? 0) offsets")
      }
    }

    func offset(of child: Int) -> UInt64 {
      offsets.map { UInt64(bitPattern: $0[child]) } ?? UInt64(child) << UInt64(8 * height)
    }
  }

  private static func content(_ space: NodeSpace, _ position: Position) throws -> Content {
    let slots = try space.references(at: position.reference)
    if slots.node.isInner { return .inner(try InnerNode(slots, level: position.level, space)) }
    return .cluster(try Cluster(slots, offset: position.offset, space))
  }

  /// Returns the number of rows, lost ones included.
  private static func visit(
    _ space: NodeSpace, _ position: Position, _ lost: Lost?, _ body: (Cluster) throws -> Void
  ) throws -> Int {
    switch try content(space, position) {
    case .cluster(let cluster):
      // One wrong key must not make all objects behind it come too late.
      if lost != nil, let limit = position.limit, cluster.count > 0,
        cluster.key(at: cluster.count - 1) >= limit
      {
        throw cluster.damage("keys of objects beyond those of the next cluster")
      }
      try body(cluster)
      return cluster.count
    case .inner(let node): return try visit(space, node, position, lost, body)
    }
  }

  private static func visit(
    _ space: NodeSpace, _ node: InnerNode, _ position: Position, _ lost: Lost?,
    _ body: (Cluster) throws -> Void
  ) throws -> Int {
    var found = 0
    var damaged: [Damage] = []
    for child in 0..<node.childCount {
      let offset = position.offset &+ node.offset(of: child)
      do {
        let isLast = child + 1 == node.childCount
        let limit = isLast ? position.limit : Int64(bitPattern: position.offset &+ node.offset(of: child + 1))
        let next = Position(
          reference: try node.slots.reference(child + 3), offset: offset, level: position.level + 1,
          limit: limit)
        // What the body throws is no damage.
        found += try visit(space, next, lost, body)
      } catch let damage as Damage where lost != nil {
        damaged.append(damage)
      }
    }
    guard let lost else {
      if found != node.total { throw node.slots.damage("\(found) objects where \(node.total) are announced") }
      return found
    }
    let missing = node.total - found
    for damage in damaged { lost(damage, damaged.count == 1 && missing > 0 ? missing : nil) }
    return damaged.isEmpty ? found : max(found, node.total)
  }
}

/// Up to 256 rows: their keys, and a leaf for each column.
struct Cluster {
  private static let largest = 256

  let count: Int
  private let slots: References
  private let offset: UInt64
  /// Nil when the keys are 0, 1, 2, …
  private let keys: IntegerArray?

  init(_ slots: References, offset: UInt64, _ space: NodeSpace) throws {
    self.slots = slots
    self.offset = offset
    guard slots.count > 0 else { throw slots.damage("a cluster without slots") }
    if slots.isNumber(0) {
      keys = nil
      count = try slots.number(0)
    } else {
      let keys = try IntegerArray(space.node(at: slots.reference(0)), isUnsigned: true)
      self.keys = keys
      count = keys.count
    }
    guard count <= Self.largest else { throw slots.damage("a cluster of \(count) objects") }
  }

  func damage(_ what: String) -> Damage { slots.damage(what) }

  func key(at row: Int) -> Int64 {
    let key = keys.map { UInt64(bitPattern: $0[row]) } ?? UInt64(row)
    return Int64(bitPattern: offset &+ key)
  }

  /// The leaf of the column at a place.
  func column(_ place: Int, _ space: NodeSpace) throws -> Node {
    guard place + 1 < slots.count, let reference = try slots.reference(ifAny: place + 1) else {
      throw damage("a cluster without the column at place \(place)")
    }
    return try space.node(at: reference)
  }
}
