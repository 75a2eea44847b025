/// A list, set or dictionary in a file, whose elements are read when they are asked for.
package struct OfficialCollection {
  /// More is not written by any engine.
  static let deepestNesting = 100

  package let type: OfficialCollectionType
  /// Nil for an empty one.
  private let reference: Int?
  private let layout: LeafLayout
  private let context: ValueContext
  private let depth: Int
  /// Whether the elements are the dates of formats before 10.
  private let isOldDates: Bool

  /// That of a row.
  /// - Parameter layout: Of the elements.
  init(
    _ type: OfficialCollectionType, reference: Int?, _ layout: LeafLayout, _ context: ValueContext,
    isOldDates: Bool = false
  ) {
    self.isOldDates = isOldDates
    self.type = type
    self.reference = reference
    self.layout = layout
    self.context = context
    depth = 0
  }

  /// That in a mixed value.
  init(_ type: OfficialCollectionType, reference: Int?, _ context: ValueContext, depth: Int) {
    self.type = type
    self.reference = reference
    self.context = context
    self.depth = depth
    layout = .mixed
    isOldDates = false
  }

  package var isEmpty: Bool { reference == nil }

  /// Calls the body with each element of a list, in order, or of a set. Links that lead nowhere are left out.
  package func forEachElement(_ body: (OfficialValue) throws -> Void) throws {
    try context.place.locating {
      guard let reference else { return }
      precondition(type != .dictionary)
      let losses = context.losses
      _ = try losses.noting(.elements, context.place, count: nil) {
        try readElements(reference, losses, body)
      }
    }
  }

  /// - Parameter losses: Where damaged elements and leaves are noted; nil to throw at the first.
  private func readElements(
    _ reference: Int, _ losses: Losses?, _ body: (OfficialValue) throws -> Void
  ) throws {
    func read(_ index: Int, _ value: () throws -> OfficialValue) throws {
      let value = try losses.noting(.elements, context.place, count: 1, at: index, value)
      guard let value, !(layout.isLinks && value.isNull) else { return }
      try body(value)
    }
    if isOldDates {
      var dates = try IndexedValues.dates(reference, context)
      for index in 0..<dates.count { try read(index) { try dates.value(at: index) } }
      return
    }
    let place = context.place
    let lost = losses.map { losses in
      { (damage: Damage, count: Int?) in losses.add(.elements, place, damage, count: count) }
    }
    try tree(reference).forEachLeaf(lost: lost) { leaf in
      for index in 0..<leaf.count { try read(index) { try leaf.value(at: index) } }
    }
  }

  /// Calls the body with each key and value of a dictionary.
  package func forEachEntry(_ body: (_ key: OfficialBytes, _ value: OfficialValue) throws -> Void) throws {
    try context.place.locating {
      guard let reference else { return }
      precondition(type == .dictionary)
      func read() throws {
        if context.hasDictionariesOfTrees {
          try forEachEntryOfTrees(reference, body)
        } else {
          try forEachEntryOfClusters(reference, body)
        }
      }
      _ = try context.losses.noting(.elements, context.place, count: nil, read)
    }
  }

  private func tree(_ reference: Int) -> Tree { Tree(reference, layout, context, depth: depth) }

  private static var keys: LeafLayout { .strings(.current, nil) }

  // MARK: Dictionaries

  private func forEachEntryOfTrees(
    _ reference: Int, _ body: (_ key: OfficialBytes, _ value: OfficialValue) throws -> Void
  ) throws {
    let slots = try context.space.references(at: reference)
    guard slots.count == 2, !slots.node.isInner else {
      throw slots.damage("a dictionary of \(slots.count) slots")
    }
    let keys = Tree(try slots.reference(0), Self.keys, context, depth: depth)
    var values = try TreeValues(Tree(try slots.reference(1), .mixed, context, depth: depth))
    var check = KeyCheck()
    let count = try keys.forEachLeaf { leaf in
      for index in 0..<leaf.count { try check.add(Self.key(leaf, index)) }
    }
    guard count == values.count else {
      throw slots.damage("a dictionary of \(count) keys and \(values.count) values")
    }
    var number = 0
    try keys.forEachLeaf { leaf in
      for index in 0..<leaf.count {
        try body(Self.key(leaf, index), values.value(at: number))
        number += 1
      }
    }
  }

  private func forEachEntryOfClusters(
    _ reference: Int, _ body: (_ key: OfficialBytes, _ value: OfficialValue) throws -> Void
  ) throws {
    var check = KeyCheck()
    try ClusterTree.forEachLeaf(context.space, reference) { cluster in
      let keys = try Leaf(cluster.column(0, context.space), Self.keys, context, depth: depth)
      let values = try Leaf(cluster.column(1, context.space), .mixed, context, depth: depth)
      guard keys.count == cluster.count, values.count == cluster.count else {
        throw cluster.damage("\(keys.count) keys and \(values.count) values for \(cluster.count)")
      }
      for index in 0..<cluster.count {
        let key = try Self.key(keys, index)
        try check.add(key)
        try body(key, values.value(at: index))
      }
    }
  }

  private static func key(_ leaf: Leaf, _ index: Int) throws -> OfficialBytes {
    guard case .string(let bytes) = try leaf.value(at: index) else {
      return OfficialBytes(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    return bytes
  }
}

/// Finds keys that come twice.
private struct KeyCheck {
  private var last: OfficialBytes?
  /// All keys, once they have not come in order.
  private var seen: Set<[UInt8]>?
  private var ordered: [OfficialBytes] = []

  mutating func add(_ key: OfficialBytes) throws {
    if seen == nil {
      if let last, !last.precedes(key) {
        seen = Set(ordered.map(\.array))
        ordered = []
      } else {
        ordered.append(key)
      }
      last = key
    }
    if seen != nil, !seen!.insert(key.array).inserted { throw Damage("a key of a dictionary comes twice") }
  }
}
