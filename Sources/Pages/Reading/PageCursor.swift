/// A place among the entries, in the order of their keys. Of a transaction it holds until the next change.
package struct PageCursor {
  private var source: PageSource
  /// From the root to the leaf.
  private var path: [(node: Node, index: Int)] = []
  /// Number of levels that few files exceed.
  private static var usualDepth: Int { 5 }

  package init(_ source: PageSource) { self.source = source }

  /// Goes on to another source, where it is nowhere yet.
  package mutating func renew(_ source: PageSource) {
    self.source = source
    path.removeAll(keepingCapacity: true)
  }

  /// Whether it is at an entry.
  package var isAtEntry: Bool { path.last.map { $0.index < $0.node.count } ?? false }

  /// The key of the present entry.
  package var key: [UInt8] { path[path.count - 1].node.key(path[path.count - 1].index) }

  /// Maximum number of bytes of a key.
  package static var keyLimit: Int { Node.keyLimit }

  /// Writes the key of the present entry to memory for a key. Returns its size.
  @inline(__always)
  package func writeKey(to target: UnsafeMutableRawPointer) -> Int {
    let (node, index) = path[path.count - 1]
    let (prefix, suffix) = (node.prefix, node.suffix(index))
    if let start = prefix.baseAddress { target.copyMemory(from: start, byteCount: prefix.count) }
    if let start = suffix.baseAddress {
      (target + prefix.count).copyMemory(from: start, byteCount: suffix.count)
    }
    return prefix.count + suffix.count
  }

  package func value() throws(PageError) -> UnsafeRawBufferPointer {
    try source.value(path[path.count - 1].index, in: path[path.count - 1].node)
  }

  /// Goes to the first entry whose key is not less. Returns whether there is one.
  package mutating func move(toOrAfter key: UnsafeRawBufferPointer) throws(PageError) -> Bool {
    try descend {
      $0.childIndex(key)
    } leaf: {
      $0.firstIndex(atOrAfter: key).index
    }
    return isAtEntry ? true : try climb(1)
  }

  package mutating func moveToFirst() throws(PageError) -> Bool {
    try descend { _ in
      0
    } leaf: { _ in
      0
    }
    return isAtEntry
  }

  package mutating func moveToLast() throws(PageError) -> Bool {
    try descend {
      $0.count - 1
    } leaf: {
      $0.count - 1
    }
    return isAtEntry
  }

  package mutating func moveToNext() throws(PageError) -> Bool { try step(1) }

  package mutating func moveToPrevious() throws(PageError) -> Bool { try step(-1) }

  /// Releases what was decrypted for the source if that is more than a number of bytes, and stays where it is. Other addresses
  /// and cursors of the source are invalid then.
  ///
  /// When it throws, the cursor is nowhere.
  package mutating func releaseDecrypted(
    beyond size: Int = PageVersion.decryptedLimit
  ) throws(PageError) {
    if !source.releaseDecrypted(beyond: size) { return }
    let indexes = path.map(\.index)
    path.removeAll(keepingCapacity: true)
    var new = path
    for index in indexes {
      let reference = new.last.map { $0.node.reference($0.index) } ?? source.root
      new.append((try source.node(reference), index))
    }
    path = new
  }

  private mutating func descend(
    branch: (Node) -> Int, leaf: (Node) -> Int
  ) throws(PageError) {
    path.removeAll(keepingCapacity: true)
    path.reserveCapacity(Self.usualDepth)
    if source.root.isNone { return }
    try descend(to: source.node(source.root), branch, leaf)
  }

  private mutating func descend(
    to node: Node, _ branch: (Node) -> Int, _ leaf: (Node) -> Int
  ) throws(PageError) {
    var node = node
    while node.level > 0 {
      let index = branch(node)
      path.append((node, index))
      let child = try source.node(node.reference(index))
      if child.level != node.level - 1 { throw .damaged("a node of the wrong level") }
      node = child
    }
    path.append((node, leaf(node)))
  }

  private mutating func step(_ direction: Int) throws(PageError) -> Bool {
    if path.isEmpty { return false }
    let index = path[path.count - 1].index + direction
    if 0..<path[path.count - 1].node.count ~= index {
      path[path.count - 1].index = index
      return true
    }
    return try climb(direction)
  }

  /// Goes to the next leaf.
  ///
  /// - Throws: `damaged` also when its keys do not follow those of the last one: in a forged file, so many branches may lead to one
  ///   leaf that a walk would never end.
  private mutating func climb(_ direction: Int) throws(PageError) -> Bool {
    let left = path.last?.node
    while !path.isEmpty {
      path.removeLast()
      guard let (node, index) = path.last else { break }
      let next = index + direction
      if !(0..<node.count ~= next) { continue }
      path[path.count - 1].index = next
      let child = try source.node(node.reference(next))
      if child.level != node.level - 1 { throw .damaged("a node of the wrong level") }
      if direction > 0 {
        try descend(to: child, { _ in 0 }, { _ in 0 })
      } else {
        try descend(to: child, { $0.count - 1 }, { $0.count - 1 })
      }
      let (first, second) = direction > 0 ? (left!, path.last!.node) : (path.last!.node, left!)
      if !first.key(0).lexicographicallyPrecedes(second.key(0)) {
        throw .damaged("keys that are not in order")
      }
      return true
    }
    return false
  }
}
