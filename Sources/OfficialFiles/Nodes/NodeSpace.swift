/// The bytes in which nodes are stored. It does not own them: the owner of a space keeps the file's content alive.
///
/// Invariants: `base` is aligned to 8 bytes, and the bytes before `end` are readable.
struct NodeSpace {
  let base: UnsafeRawPointer
  /// Behind the last byte that a node can have.
  let end: Int

  static let alignment = 8

  /// The node at a place that the file names.
  func node(at reference: Int) throws -> Node {
    guard reference >= FileHeader.size, reference % Self.alignment == 0, reference <= end - Node.headerSize
    else {
      throw Damage("a reference leads to byte \(reference) of \(end)", at: reference)
    }
    let node = Node(base + reference, reference)
    guard node.widthType != .unknown else { throw Damage("a node of an unknown kind", at: reference) }
    guard node.size <= end - reference else {
      throw Damage("a node of \(node.size) bytes does not end before \(end)", at: reference)
    }
    return node
  }

  /// The references in the node at a place.
  func references(at reference: Int) throws -> References { try References(node(at: reference)) }

  /// The integers in the node at a place.
  func integers(at reference: Int) throws -> IntegerArray { try IntegerArray(node(at: reference)) }
}
