/// How the values of a column lie before format 10.
struct IndexedLayout {
  let collection: OfficialCollectionType?
  /// Whether a list is a table of one column.
  let isTable: Bool
  /// Seconds and nanoseconds.
  let hasTwoTrees: Bool
  /// Of the values, or of the lists' elements.
  let values: LeafLayout
  let context: ValueContext
}

/// The values of a column, or the elements of a list, before format 10, by their numbers.
enum IndexedValues {
  case values(TreeValues)
  /// Seconds and nanoseconds.
  case dates(TreeValues, TreeValues)
  /// References of lists.
  case lists(IndexedCells)

  init(_ root: Int, _ layout: IndexedLayout) throws {
    if layout.collection != nil {
      self = .lists(try IndexedCells(root, layout))
    } else if layout.hasTwoTrees {
      self = try Self.dates(root, layout.context)
    } else {
      let tree = Tree(root, layout.values, layout.context)
      self = .values(try TreeValues(tree, keepsPlaces: layout.context.losses != nil))
    }
  }

  static func dates(_ root: Int, _ context: ValueContext) throws -> IndexedValues {
    let slots = try context.space.references(at: root)
    guard slots.count == 2, !slots.node.isInner else { throw slots.damage("dates of \(slots.count) slots") }
    let keepsPlaces = context.losses != nil
    let seconds = try TreeValues(
      Tree(slots.reference(0), .integers(isNullable: true), context), keepsPlaces: keepsPlaces)
    let nanoseconds = try TreeValues(
      Tree(slots.reference(1), .integers(isNullable: false), context), keepsPlaces: keepsPlaces)
    guard seconds.count == nanoseconds.count else {
      throw slots.damage("\(seconds.count) seconds with \(nanoseconds.count) nanoseconds")
    }
    return .dates(seconds, nanoseconds)
  }

  var count: Int {
    switch self {
    case .values(let values), .dates(let values, _): values.count
    case .lists(let cells): cells.count
    }
  }

  mutating func value(at index: Int) throws -> OfficialValue {
    switch self {
    case .values(var values):
      // The leaf that was found is kept for the next value.
      defer { self = .values(values) }
      return try values.value(at: index)
    case .dates(var seconds, var nanoseconds):
      defer { self = .dates(seconds, nanoseconds) }
      guard case .int(let second) = try seconds.value(at: index) else { return .null }
      guard case .int(let nanosecond) = try nanoseconds.value(at: index) else { return .null }
      return OfficialValue(try Timestamp(second, nanosecond, at: nil))
    case .lists(var cells):
      defer { self = .lists(cells) }
      return try cells.value(at: index)
    }
  }
}

/// A tree of references.
struct IndexedCells {
  let count: Int
  private let layout: IndexedLayout
  private let leaves: [References]
  private let starts: [Int]
  private var current = 0

  init(_ root: Int, _ layout: IndexedLayout) throws {
    self.layout = layout
    var leaves: [References] = []
    var starts: [Int] = []
    var count = 0
    try TreeNodes.forEachLeaf(layout.context.space, root) { node, _ in
      let leaf = try References(node)
      guard leaf.count <= (leaf.isFree ? Tree.largestFreeLeaf : Tree.largestLeaf) else {
        throw node.damage("a leaf of \(leaf.count) lists")
      }
      leaves.append(leaf)
      starts.append(count)
      count += leaf.count
      return leaf.count
    }
    self.leaves = leaves
    self.starts = starts
    self.count = count
  }

  mutating func value(at index: Int) throws -> OfficialValue {
    precondition(index >= 0 && index < count)
    if starts[current] > index || starts[current] + leaves[current].count <= index {
      current = starts.lastPlace { $0 <= index }
    }
    var reference = try leaves[current].reference(ifAny: index - starts[current])
    if layout.isTable, let table = reference {
      reference = try layout.context.space.references(at: table).reference(0)
    }
    return .collection(
      OfficialCollection(
        .list, reference: reference, layout.values, layout.context, isOldDates: layout.hasTwoTrees))
  }
}
