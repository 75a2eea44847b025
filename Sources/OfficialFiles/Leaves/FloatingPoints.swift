/// Floats or doubles; in columns that can be null, one pattern of bits means that.
struct FloatingPoints {
  private let node: Node
  private let size: Int
  private let isNullable: Bool

  init(_ node: Node, size: Int, isNullable: Bool) throws {
    try node.checkIsByteLeaf("leaf of floating-point numbers")
    guard node.count == 0 || node.width == size else {
      throw node.damage("a leaf of floating-point numbers of \(node.width) bytes")
    }
    self.node = node
    self.size = size
    self.isNullable = isNullable
  }

  var count: Int { node.count }

  /// The bits of a float or a double; nil for null.
  func bits(at index: Int) -> UInt64? {
    precondition(index >= 0 && index < count)
    if size == 4 {
      let bits = UInt32(littleEndian: node.payload.load(fromByteOffset: index * 4, as: UInt32.self))
      return isNullable && bits == 0x7FC0_00AA ? nil : UInt64(bits)
    }
    let bits = UInt64(littleEndian: node.payload.load(fromByteOffset: index * 8, as: UInt64.self))
    return isNullable && bits == 0x7FF8_0000_0000_00AA ? nil : bits
  }
}
