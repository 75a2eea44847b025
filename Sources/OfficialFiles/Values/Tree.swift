/// A B+tree: the elements of a collection, or before format 10 the values of a column.
struct Tree {
  /// What a leaf can have at most, and what it can have without any bytes.
  static let largestLeaf = TreeNodes.largestLeaf
  static let largestFreeLeaf = 1_000

  private let reference: Int
  private let layout: LeafLayout
  private let context: ValueContext
  private let depth: Int

  /// - Parameter depth: How many collections the values are in.
  init(_ reference: Int, _ layout: LeafLayout, _ context: ValueContext, depth: Int = 0) {
    self.reference = reference
    self.layout = layout
    self.context = context
    self.depth = depth
  }

  /// Calls the body with the leaves in order; gives the number of values.
  @discardableResult func forEachLeaf(
    lost: ((Damage, _ count: Int?) -> Void)? = nil, _ body: (Leaf) throws -> Void
  ) throws -> Int {
    try forEachNode(lost: lost) { leaf, _ in try body(leaf) }
  }

  /// Calls the body with the leaves in order and with their places.
  @discardableResult func forEachNode(
    lost: ((Damage, _ count: Int?) -> Void)? = nil, _ body: (Leaf, _ reference: Int) throws -> Void
  ) throws -> Int {
    try TreeNodes.forEachLeaf(context.space, reference, lost: lost) { node, announced in
      let leaf = try leaf(node)
      if let announced, announced != leaf.count {
        throw node.damage("\(leaf.count) values where \(announced) are announced")
      }
      try body(leaf, node.reference)
      return leaf.count
    }
  }

  /// The leaf at a place.
  func leaf(at reference: Int) throws -> Leaf { try leaf(context.space.node(at: reference)) }

  private func leaf(_ node: Node) throws -> Leaf {
    let leaf = try Leaf(node, layout, context, depth: depth)
    guard leaf.count <= (leaf.isFree ? Self.largestFreeLeaf : Self.largestLeaf) else {
      throw node.damage("a leaf of \(leaf.count) values")
    }
    return leaf
  }
}

/// The values of a tree by their numbers; quick when these ascend.
struct TreeValues {
  let count: Int
  private let tree: Tree
  private let references: [Int]
  private let starts: [Int]
  private var current: (number: Int, leaf: Leaf)?

  /// Where no node is.
  private static let damaged = 0

  /// - Parameter keepsPlaces: Whether a damaged leaf keeps the places of its values, which throw when they are read. Without it, and
  ///   where the tree does not tell how many they are, the initialiser throws.
  init(_ tree: Tree, keepsPlaces: Bool = false) throws {
    self.tree = tree
    var references: [Int] = []
    var starts: [Int] = []
    var count = 0
    var unplaced: Damage?
    func skip(_ damage: Damage, _ lost: Int?) {
      guard let lost else {
        unplaced = damage
        return
      }
      references.append(Self.damaged)
      starts.append(count)
      count += lost
    }
    try tree.forEachNode(lost: keepsPlaces ? skip : nil) { leaf, reference in
      references.append(reference)
      starts.append(count)
      count += leaf.count
    }
    if let unplaced { throw unplaced }
    self.references = references
    self.starts = starts
    self.count = count
  }

  mutating func value(at index: Int) throws -> OfficialValue {
    precondition(index >= 0 && index < count)
    if let current, starts[current.number] <= index, index < starts[current.number] + current.leaf.count {
      return try current.leaf.value(at: index - starts[current.number])
    }
    let number = starts.lastPlace { $0 <= index }
    let leaf = try tree.leaf(at: references[number])
    current = (number, leaf)
    return try leaf.value(at: index - starts[number])
  }
}
