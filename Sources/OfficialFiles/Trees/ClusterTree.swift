/// The tree that has the objects of a table since format 10. Leaves, the clusters, have up to 256 rows each, and a leaf for
/// each column; keys of objects are relative to what inner nodes say on the way.
enum ClusterTree {
  private static let deepest = 40

  /// Calls the body with the clusters in order; gives the number of rows.
  @discardableResult static func forEachLeaf(
    _ space: NodeSpace, _ reference: Int, _ body: (Cluster) throws -> Void
  ) throws -> Int {
    try visit(space, reference, offset: 0, level: 0, body)
  }

  /// The number of rows as the topmost node says it.
  static func count(_ space: NodeSpace, _ reference: Int) throws -> Int {
    let slots = try space.references(at: reference)
    return slots.node.isInner ? try slots.number(2) : try Cluster(slots, offset: 0, space).count
  }

  /// Inner nodes: offsets of the children (nothing when they are regular), levels below, rows below, the children.
  private static func visit(
    _ space: NodeSpace, _ reference: Int, offset: UInt64, level: Int, _ body: (Cluster) throws -> Void
  ) throws -> Int {
    let slots = try space.references(at: reference)
    if !slots.node.isInner {
      let cluster = try Cluster(slots, offset: offset, space)
      try body(cluster)
      return cluster.count
    }
    guard level < deepest, slots.count >= 4 else { throw slots.damage("a tree of objects without order") }
    let height = try slots.number(1)
    let total = try slots.number(2)
    guard 1...deepest ~= height else { throw slots.damage("a tree of objects of \(height) levels") }
    let children = slots.count - 3
    let offsets = try slots.reference(ifAny: 0).map {
      try IntegerArray(space.node(at: $0), isUnsigned: true)
    }
    guard offsets == nil || offsets?.count == children else {
      throw slots.damage("\(children) children with \(offsets?.count ?? 0) offsets")
    }
    var found = 0
    for child in 0..<children {
      let step = offsets.map { UInt64(bitPattern: $0[child]) } ?? UInt64(child) << UInt64(8 * height)
      found += try visit(
        space, slots.reference(child + 3), offset: offset &+ step, level: level + 1, body)
    }
    guard found == total else { throw slots.damage("\(found) objects where \(total) are announced") }
    return found
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
