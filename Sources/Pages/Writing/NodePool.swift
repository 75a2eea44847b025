import LibC

/// Memory for the nodes that a transaction changes, under numbers.
///
/// Invariant: each has room for a node that is about to be split, which is one entry above the limit.
struct NodePool {
  private static let capacity = Node.sizeLimit + 1024
  private static let keptLimit = 64
  private let isSecret: Bool
  private var nodes: [UnsafeMutableRawPointer] = []
  private var idle: [Int] = []

  /// - Parameter isSecret: Whether memory is cleared before it is freed.
  init(isSecret: Bool) { self.isSecret = isSecret }

  private func free(_ base: UnsafeMutableRawPointer) {
    if isSecret { explicit_bzero(base, Self.capacity) }
    base.deallocate()
  }

  var usedCount: Int { nodes.count - idle.count }

  subscript(number: Int) -> Node { Node(nodes[number]) }

  mutating func make(level: Int) -> Int {
    if let number = idle.popLast() {
      Node.initialize(nodes[number], level: level)
      return number
    }
    let base = UnsafeMutableRawPointer.allocate(byteCount: Self.capacity, alignment: 16)
    Node.initialize(base, level: level)
    nodes.append(base)
    return nodes.count - 1
  }

  /// Makes a node of entries of another one, with whole keys.
  mutating func copy(_ source: Node, _ range: Range<Int>) -> Int {
    let number = make(level: source.level)
    Node.initialize(nodes[number], with: range, of: source)
    return number
  }

  /// Makes a node as it is in the file, from one with whole keys.
  mutating func compress(_ number: Int) -> Int {
    let compressed = make(level: 0)
    Node.initialize(nodes[compressed], compressing: Node(nodes[number]))
    return compressed
  }

  mutating func free(_ number: Int) { idle.append(number) }

  mutating func swapContents(_ first: Int, _ second: Int) { nodes.swapAt(first, second) }

  /// All are free again; memory is kept for a small transaction.
  mutating func freeAll() {
    for base in nodes.dropFirst(Self.keptLimit) { free(base) }
    nodes.removeLast(max(0, nodes.count - Self.keptLimit))
    idle = Array(nodes.indices)
  }

  mutating func deallocate() {
    for base in nodes { free(base) }
    nodes = []
    idle = []
  }
}
