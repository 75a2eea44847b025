/// The objects of a table since format 10.
struct ClusterRows: RowSource {
  private let reference: Int?
  private let columns: [ClusterColumn]
  private let space: NodeSpace

  init(_ reference: Int?, _ columns: [ClusterColumn], _ space: NodeSpace) {
    self.reference = reference
    self.columns = columns
    self.space = space
  }

  var count: Int {
    get throws { try reference.map { try ClusterTree.count(space, $0) } ?? 0 }
  }

  func forEachBlock(_ body: (any RowBlock) throws -> Void) throws {
    guard let reference else { return }
    var last: Int64?
    try ClusterTree.forEachLeaf(space, reference) { cluster in
      for row in 0..<cluster.count {
        let key = cluster.key(at: row)
        if let last, key <= last { throw cluster.damage("object \(key) comes behind object \(last)") }
        last = key
      }
      try body(ClusterBlock(cluster: cluster, columns: columns, space: space))
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
      let node = try cluster.column(column.place, space)
      if let collection = column.collection {
        try forEachCollection(collection, References(node), column, body)
        return
      }
      let leaf = try Leaf(node, column.layout, column.context, depth: 0)
      try check(leaf.count)
      for row in 0..<count { try body(row, leaf.value(at: row)) }
    }
  }

  private func forEachCollection(
    _ type: OfficialCollectionType, _ cells: References, _ column: ClusterColumn,
    _ body: (_ row: Int, _ value: OfficialValue) throws -> Void
  ) throws {
    guard !cells.node.isInner else { throw cells.damage("an inner node where a leaf belongs") }
    try check(cells.count)
    for row in 0..<count {
      let collection = OfficialCollection(
        type, reference: try cells.reference(ifAny: row), column.layout, column.context)
      try body(row, .collection(collection))
    }
  }

  private func check(_ values: Int) throws {
    guard values == count else { throw cluster.damage("\(values) values for \(count) objects") }
  }
}
