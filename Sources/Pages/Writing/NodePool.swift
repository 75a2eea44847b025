import LibC

/// Memory for the nodes that a transaction changes, under numbers.
///
/// Invariant: each has room for a node that is about to be split, which is one entry above the limit.
struct NodePool {
  private static let capacity = Node.sizeLimit + 1024
  private static let keptLimit = 64
  private let isSecret: Bool
  private var nodes: [UnsafeMutableRawPointer] = []
  /// Whether a node has the form that it has in the file: with its prefix, and its entries in the order of their keys.
  private var isStoredForm: [Bool] = []
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
    let number = makeMemory(isStoredForm: false)
    Node.initialize(nodes[number], level: level)
    return number
  }

  private mutating func makeMemory(isStoredForm: Bool) -> Int {
    if let number = idle.popLast() {
      self.isStoredForm[number] = isStoredForm
      return number
    }
    nodes.append(UnsafeMutableRawPointer.allocate(byteCount: Self.capacity, alignment: 16))
    self.isStoredForm.append(isStoredForm)
    return nodes.count - 1
  }

  /// Makes a copy of a node in the file. Values and references in it may be replaced by others of their size; before anything else
  /// is changed, it has to be expanded.
  mutating func copy(stored source: Node) -> Int {
    let number = makeMemory(isStoredForm: true)
    memcpy(nodes[number], source.base, source.size)
    return number
  }

  /// Gives a node whole keys, so that entries can be inserted and removed. Its memory may be another one afterwards.
  mutating func expand(_ number: Int) {
    if !isStoredForm[number] { return }
    isStoredForm[number] = false
    let node = self[number]
    if node.prefixLength == 0 { return }
    let expanded = copy(node, 0..<node.count)
    swapContents(number, expanded)
    free(expanded)
  }

  /// Makes a node of entries of another one, with whole keys.
  mutating func copy(_ source: Node, _ range: Range<Int>) -> Int {
    let number = make(level: source.level)
    Node.initialize(nodes[number], with: range, of: source)
    return number
  }

  /// Gives a node the form that it has in the file.
  mutating func compress(_ number: Int) {
    if isStoredForm[number] { return }
    let compressed = makeMemory(isStoredForm: true)
    Node.initialize(nodes[compressed], compressing: self[number])
    swapContents(number, compressed)
    free(compressed)
  }

  mutating func free(_ number: Int) { idle.append(number) }

  mutating func swapContents(_ first: Int, _ second: Int) {
    nodes.swapAt(first, second)
    isStoredForm.swapAt(first, second)
  }

  /// All are free again; memory is kept for a small transaction.
  mutating func freeAll() {
    if usedCount == 0 && nodes.count <= Self.keptLimit { return }
    for base in nodes.dropFirst(Self.keptLimit) { free(base) }
    let excess = max(0, nodes.count - Self.keptLimit)
    nodes.removeLast(excess)
    isStoredForm.removeLast(excess)
    idle = Array(nodes.indices)
  }

  mutating func deallocate() {
    for base in nodes { free(base) }
    (nodes, isStoredForm, idle) = ([], [], [])
  }
}
