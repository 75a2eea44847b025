/// Object ids and UUIDs: groups of a byte with null flags, and eight values.
struct FixedBytes {
  let count: Int
  private let node: Node
  private let size: Int

  private static let groupCount = 8

  init(_ node: Node, size: Int) throws {
    try node.checkIsByteLeaf("leaf of ids")
    guard node.count == 0 || node.width == 1 else {
      throw node.damage("a leaf of ids with cells of \(node.width) bytes")
    }
    self.node = node
    self.size = size
    let group = Self.groupCount * size + 1
    let bytes = node.count - (node.count + group - 1) / group
    guard bytes % size == 0 else { throw node.damage("\(node.count) bytes are no whole number of ids") }
    count = bytes / size
  }

  /// Nil for null.
  func bytes(at index: Int) -> OfficialBytes? {
    precondition(index >= 0 && index < count)
    let (group, number) = index.quotientAndRemainder(dividingBy: Self.groupCount)
    let start = node.payload + group * (Self.groupCount * size + 1)
    if start.load(as: UInt8.self) >> UInt8(number) & 1 == 1 { return nil }
    return OfficialBytes(UnsafeRawBufferPointer(start: start + 1 + number * size, count: size))
  }
}
