import LibC

/// The one transaction that writes: it has copies of the nodes that it changes, and new values.
///
/// It ends with `commit` or `abort`. Not for several threads at once, but it may go from one to another.
package final class PageTransaction {
  let store: PageStore
  /// The store's, which live as long as it does: references to them are not counted for each extent.
  let writer: Unmanaged<ExtentWriter>
  let map: Unmanaged<FileMap>
  let newest: PublishedVersion
  package var version: UInt64 { newest.version + 1 }
  package private(set) var root: Reference
  /// Extents of former versions that this one has no more.
  @exclusivity(unchecked) var givenUp: [Reference] = []
  @exclusivity(unchecked) var space: FreeSpace
  /// Where the record will be.
  let recordUnit: Int
  // Not checked at run time: no call from here comes back to them.
  @exclusivity(unchecked) var nodes: NodePool
  @exclusivity(unchecked) var values: NewValues
  /// From the root to the parent of the node that is being changed.
  @exclusivity(unchecked) private var path: [(number: Int, index: Int)] = []
  /// The last leaf of all, if `path` leads to it and the last change was an entry at its end.
  private var lastLeaf: Int?
  private var isOver = false

  /// Number of extents that a small transaction gives up.
  private static let usualCount = 16
  /// Maximum number of changed nodes in memory.
  private static let nodeLimit = 8192

  /// Waits until it may write.
  package convenience init(_ store: PageStore) throws(PageError) {
    try self.init(store, store.beginWriting())
  }

  private init(_ store: PageStore, _ newest: PublishedVersion) throws(PageError) {
    self.store = store
    (writer, map) = (.passUnretained(store.writer), .passUnretained(store.map))
    self.newest = newest
    root = newest.root
    nodes = store.nodePool
    values = NewValues(isSecret: store.file.cipher != nil)
    store.nodePool = NodePool(isSecret: values.isSecret)
    space = FreeSpace(store, run: Int(newest.next)..<Int(newest.next + newest.nextCount))
    store.writer.discard()
    recordUnit = Int(newest.next)
    givenUp.reserveCapacity(Self.usualCount)
    path.reserveCapacity(Self.usualCount)
    do {
      _ = try space.take(1)
      try store.writer.skip(unit: recordUnit)
    } catch {
      abort()
      throw error
    }
  }

  deinit { if !isOver { abort() } }

  // MARK: Reading

  package func node(_ reference: Reference) throws(PageError) -> Node {
    reference.isUnwritten ? nodes[Int(reference.unit)] : Node(try store.writerContent(reference))
  }

  /// The value of a key, as this transaction has it, until the next change.
  package func value(_ key: UnsafeRawBufferPointer) throws(PageError) -> UnsafeRawBufferPointer? {
    if root.isNone { return nil }
    var node = try node(root)
    while node.level > 0 { node = try self.node(node.reference(node.childIndex(key))) }
    let (index, isFound) = node.firstIndex(atOrAfter: key)
    return isFound ? try value(index, in: node) : nil
  }

  package func value(_ index: Int, in node: Node) throws(PageError) -> UnsafeRawBufferPointer {
    if !node.hasReference(index) { return node.inlineValue(index) }
    var reference = node.reference(index)
    if reference.isUnwritten {
      let content = values.content(Int(reference.unit))
      if let memory = content.memory { return memory }
      reference = content.reference
      try store.writer.flush()
    }
    return UnsafeRawBufferPointer(
      start: try store.writerContent(reference), count: Int(reference.length))
  }

  // MARK: Changing

  /// Gives a key a value of a size, which the caller writes into the memory at once.
  ///
  /// - Returns: Memory that holds until the next change.
  package func reserve(
    _ key: UnsafeRawBufferPointer, _ size: Int
  ) throws(PageError) -> UnsafeMutableRawPointer {
    guard 1...Node.keyLimit ~= key.count, 0...Int(Int32.max) ~= size else { throw .unstorable }
    try store.file.checkOwner()
    try writeEarly()
    let (number, index, isFound) = try position(key)
    let isInline = size <= Node.inlineLimit
    if isFound, let content = replace(nodes[number], index, with: isInline ? size : nil) {
      if isInline { return content }
      let value = values.make(size)
      Reference(unwritten: value.number, .isValue).store(at: content)
      return value.memory
    }
    nodes.expand(number)
    let node = nodes[number]
    if isFound { node.remove(index) }
    if !isInline {
      let value = values.make(size)
      Reference(unwritten: value.number, .isValue).store(at: node.insert(index, key, size: nil))
      splitPath(from: number, inserted: index)
      return value.memory
    }
    let target = node.insert(index, key, size: size)
    if !node.isTooLarge { return target }
    let entry = splitPath(from: number, inserted: index)
    return nodes[entry.number].content(entry.index)
  }

  /// Gives up the value of an entry. Returns where the new one goes if it takes as much of the node as the former one.
  ///
  /// - Parameter size: Nil for a value in an extent of its own.
  private func replace(_ node: Node, _ index: Int, with size: Int?) -> UnsafeMutableRawPointer? {
    if node.hasReference(index) {
      drop(node.reference(index))
      return size == nil ? node.content(index) : nil
    }
    return node.contentSize(index) == size ? node.content(index) : nil
  }

  package func set(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(PageError) {
    let target = try reserve(key, value.count)
    if value.count > 0 { memcpy(target, value.baseAddress!, value.count) }
  }

  /// The number of the leaf for a key, which is the transaction's own, where its entry is or goes, and whether there is one.
  private func position(
    _ key: UnsafeRawBufferPointer
  ) throws(PageError) -> (number: Int, index: Int, isFound: Bool) {
    if let number = lastLeaf {
      // Keys in order need no search. The node was expanded for the entry at its end.
      let node = nodes[number]
      if Node.compare(node.suffix(node.count - 1), key) < 0 { return (number, node.count, false) }
    }
    let number = try descend(key)
    let node = nodes[number]
    let (index, isFound) = node.firstIndex(atOrAfter: key)
    let isLast = index == node.count && path.allSatisfy { $0.index == nodes[$0.number].count - 1 }
    lastLeaf = isLast ? number : nil
    return (number, index, isFound)
  }

  /// Makes the nodes on the way to a key the transaction's own. Returns the number of the leaf.
  private func descend(_ key: UnsafeRawBufferPointer) throws(PageError) -> Int {
    var number = root.isNone ? nodes.make(level: 0) : try own(root)
    root = Reference(unwritten: number)
    lastLeaf = nil
    path.removeAll(keepingCapacity: true)
    while true {
      let node = nodes[number]
      if node.level == 0 { return number }
      let index = node.childIndex(key)
      let reference = node.reference(index)
      let child = try own(reference)
      if nodes[child].level != node.level - 1 { throw .damaged("a node of the wrong level") }
      if !reference.isUnwritten { Reference(unwritten: child).store(at: node.content(index)) }
      path.append((number, index))
      number = child
    }
  }

  private func own(_ reference: Reference) throws(PageError) -> Int {
    if reference.isUnwritten { return Int(reference.unit) }
    let source = Node(try content(reference))
    givenUp.append(reference)
    return nodes.copy(stored: source)
  }

  /// Of something that was written, perhaps by this transaction.
  private func content(_ reference: Reference) throws(PageError) -> UnsafeRawPointer {
    if reference.version == version { try store.writer.flush() }
    return try store.writerContent(reference)
  }

  private func drop(_ reference: Reference) {
    if !reference.isUnwritten {
      givenUp.append(reference)
    } else if reference.isValue {
      // One that was written early is not needed from this version on.
      if let written = values.drop(Int(reference.unit)) { givenUp.append(written) }
    } else {
      nodes.free(Int(reference.unit))
    }
  }

  /// Splits a leaf and the branches above it as long as they are too large. Returns where the inserted entry is then.
  @discardableResult
  private func splitPath(from leaf: Int, inserted index: Int) -> (number: Int, index: Int) {
    var entry: (number: Int, index: Int)?
    var (number, inserted) = (leaf, index)
    while nodes[number].isTooLarge {
      lastLeaf = nil
      let parent = path.popLast()
      let moved = split(number, inserted: inserted, parent: parent)
      entry = entry ?? moved
      guard let parent else { break }
      (number, inserted) = (parent.number, parent.index + 1)
    }
    return entry ?? (leaf, index)
  }

  /// Returns where the inserted entry is then.
  private func split(
    _ number: Int, inserted: Int, parent: (number: Int, index: Int)?
  ) -> (number: Int, index: Int) {
    let node = nodes[number]
    let count = node.count
    let middle = node.splitIndex(inserted: inserted)
    let separator = separator(node, middle)
    let right = nodes.copy(node, middle..<count)
    let left = nodes.copy(node, 0..<middle)
    if let parent {
      nodes.expand(parent.number)
      Reference(unwritten: right).store(
        at: nodes[parent.number].insert(parent.index + 1, separator, size: nil))
    } else {
      let top = nodes.make(level: node.level + 1)
      let empty = UnsafeRawBufferPointer(start: nil, count: 0)
      Reference(unwritten: number).store(at: nodes[top].insert(0, empty, size: nil))
      Reference(unwritten: right).store(at: nodes[top].insert(1, separator, size: nil))
      root = Reference(unwritten: top)
    }
    nodes.swapContents(number, left)
    nodes.free(left)
    return inserted < middle ? (number, inserted) : (right, inserted - middle)
  }

  /// The shortest key that is above all of a leaf's before an index and not above those from there on; of a branch, the key there.
  private func separator(_ node: Node, _ index: Int) -> UnsafeRawBufferPointer {
    let first = node.suffix(index)
    if node.level > 0 { return first }
    let last = node.suffix(index - 1)
    var length = 0
    while length < last.count, length < first.count, last[length] == first[length] { length += 1 }
    return UnsafeRawBufferPointer(rebasing: first[..<min(length + 1, first.count)])
  }

  // MARK: Deleting

  /// Removes a key. Returns whether it was there.
  @discardableResult
  package func remove(_ key: UnsafeRawBufferPointer) throws(PageError) -> Bool {
    try store.file.checkOwner()
    guard try value(key) != nil else { return false }
    try writeEarly()
    var number = try descend(key)
    nodes.expand(number)
    let node = nodes[number]
    let index = node.firstIndex(atOrAfter: key).index
    if node.hasReference(index) { drop(node.reference(index)) }
    node.remove(index)
    while let parent = path.popLast() {
      try merge(number, parent)
      number = parent.number
    }
    try lowerRoot()
    return true
  }

  /// Puts a node that is less than a quarter full together with a neighbour, if both fit.
  private func merge(_ number: Int, _ place: (number: Int, index: Int)) throws(PageError) {
    let node = nodes[number]
    if node.sizeWithWholeKeys >= Node.sizeLimit / 4 { return }
    if node.count == 0 {
      nodes.free(number)
      nodes.expand(place.number)
      return nodes[place.number].remove(place.index)
    }
    var parent = nodes[place.number]
    if parent.count < 2 { return }
    let left = max(place.index - 1, 0)
    let other = parent.reference(left + 1)
    let source = try self.node(other)
    let size = try self.node(parent.reference(left)).sizeWithWholeKeys + source.sizeWithWholeKeys
    if size >= Node.sizeLimit * 3 / 4 { return }
    nodes.expand(place.number)
    parent = nodes[place.number]
    let target = try own(parent.reference(left))
    nodes.expand(target)
    if nodes[target].level != source.level { throw .damaged("a node of the wrong level") }
    // The first key of a branch stands for all that are less, and may be any.
    nodes[target].append(source, firstKey: source.level > 0 ? parent.key(left + 1) : nil)
    drop(other)
    Reference(unwritten: target).store(at: parent.content(left))
    parent.remove(left + 1)
  }

  private func lowerRoot() throws(PageError) {
    while case let top = try node(root), top.level > 0, top.count == 1 {
      let child = top.reference(0)
      drop(root)
      root = child
    }
    if try node(root).count == 0 {
      drop(root)
      root = .none
    }
  }

  // MARK: Ending

  /// Writes what has gathered, so that memory does not grow with the transaction.
  private func writeEarly() throws(PageError) {
    store.transactionPins.beginChange()
    if values.bytesInMemory > NewValues.limit { try writeValues() }
    if nodes.usedCount > Self.nodeLimit {
      lastLeaf = nil
      root = try written(root)
    }
  }

  /// Makes what was changed the newest version.
  package func commit(_ durability: PageDurability) throws(PageError) {
    try store.file.checkOwner()
    do {
      try writeValues()
      root = try written(root)
      try store.commit(self, root, durability)
    } catch {
      abort()
      throw error
    }
    end()
  }

  /// Drops what was changed.
  package func abort() {
    // A child of `fork` has a copy of it, which is not its own.
    if isOver || !store.file.owned.isOwn { return }
    space.giveBack()
    store.writer.discard()
    end()
  }

  private func end() {
    isOver = true
    values.removeAll()
    nodes.freeAll()
    store.nodePool = nodes
    nodes = NodePool(isSecret: values.isSecret)
    store.endWriting()
  }
}
