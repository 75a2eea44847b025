/// The objects of a table since format 10.
struct ClusterRows: RowSource {
  private let reference: Int?
  private let columns: [ClusterColumn]
  private let space: NodeSpace
  private let losses: Losses?
  private let place: Place

  init(
    _ reference: Int?, _ columns: [ClusterColumn], _ space: NodeSpace, _ losses: Losses?, _ place: Place
  ) {
    self.reference = reference
    self.columns = columns
    self.space = space
    self.losses = losses
    self.place = place
  }

  var count: Int {
    get throws {
      guard let reference else { return 0 }
      if losses != nil { return (try? ClusterTree.count(space, reference)) ?? 0 }
      return try ClusterTree.count(space, reference)
    }
  }

  func forEachBlock(_ body: (any RowBlock) throws -> Void) throws {
    guard let reference else { return }
    var last: Int64?
    func read(_ lost: ClusterTree.Lost?) throws {
      try ClusterTree.forEachLeaf(space, reference, lost: lost) { cluster in
        var lastOfCluster = last
        for row in 0..<cluster.count {
          let key = cluster.key(at: row)
          if let last = lastOfCluster, key <= last {
            throw cluster.damage("object \(key) comes behind object \(last)")
          }
          lastOfCluster = key
        }
        last = lastOfCluster
        try body(ClusterBlock(cluster: cluster, columns: columns, space: space))
      }
    }
    guard let losses else { return try read(nil) }
    _ = try losses.noting(.objects, place, count: nil) {
      try read { losses.add(.objects, place, $0, count: $1) }
    }
  }
}

/// A column of clusters.
struct ClusterColumn {
  let place: Int
  let collection: OfficialCollectionType?
  /// Of the values, or of the collections' elements.
  let layout: LeafLayout
  let context: ValueContext
}

private struct ClusterBlock: RowBlock {
  let cluster: Cluster
  let columns: [ClusterColumn]
  let space: NodeSpace

  var count: Int { cluster.count }

  func key(at row: Int) -> Int64 {
    precondition(row >= 0 && row < count)
    return cluster.key(at: row)
  }

  func forEachValue(ofColumn number: Int, _ body: (_ row: Int, _ value: OfficialValue) throws -> Void) throws
  {
    let column = columns[number]
    try column.context.place.locating {
      guard let losses = column.context.losses else {
        let values = try self.values(of: column)
        for row in 0..<count { try body(row, values.value(at: row)) }
        return
      }
      let place = column.context.place
      let values = try losses.noting(.values, place, count: count) { try self.values(of: column) }
      guard let values else { return }
      for row in 0..<count {
        if let value = try losses.noting(.values, place, count: 1, at: row, { try values.value(at: row) }) {
          try body(row, value)
        }
      }
    }
  }

  /// The values of a column, or the collections.
  private enum Values {
    case leaf(Leaf)
    case collections(References, OfficialCollectionType, ClusterColumn)

    func value(at row: Int) throws -> OfficialValue {
      switch self {
      case .leaf(let leaf): try leaf.value(at: row)
      case .collections(let cells, let type, let column):
        .collection(
          OfficialCollection(type, reference: try cells.reference(ifAny: row), column.layout, column.context))
      }
    }
  }

  private func values(of column: ClusterColumn) throws -> Values {
    let node = try cluster.column(column.place, space)
    if let collection = column.collection {
      let cells = try References(node)
      guard !cells.node.isInner else { throw cells.damage("an inner node where a leaf belongs") }
      try check(cells.count)
      return .collections(cells, collection, column)
    }
    let leaf = try Leaf(node, column.layout, column.context, depth: 0)
    try check(leaf.count)
    return .leaf(leaf)
  }

  private func check(_ values: Int) throws {
    guard values == count else { throw cluster.damage("\(values) values for \(count) objects") }
  }
}
