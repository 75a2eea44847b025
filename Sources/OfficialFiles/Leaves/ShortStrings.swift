/// Strings in cells of one width, whose last byte is the number of unused bytes before it; as many as the cell has bytes
/// mean null.
struct ShortStrings {
  let node: Node
  private let width: Int

  init(_ node: Node) throws {
    try node.checkIsByteLeaf("leaf of short strings")
    self.node = node
    width = node.count == 0 ? 0 : node.width
  }

  var count: Int { node.count }
  /// Whether the strings need no bytes.
  var isFree: Bool { width == 0 }

  /// Nil for null.
  func bytes(at index: Int) throws -> OfficialBytes? {
    precondition(index >= 0 && index < count)
    if width == 0 { return nil }
    let cell = node.payload + index * width
    let unused = Int(cell.load(fromByteOffset: width - 1, as: UInt8.self))
    guard unused <= width else { throw node.damage("a string with \(unused) unused bytes of \(width)") }
    if unused == width { return nil }
    return OfficialBytes(UnsafeRawBufferPointer(start: cell, count: width - 1 - unused))
  }

  /// All of an array of names, where null is empty.
  static func names(_ node: Node, limit: Int) throws -> [String] {
    let strings = try ShortStrings(node)
    guard strings.count <= limit else { throw node.damage("\(strings.count) names for \(limit)") }
    return try (0..<strings.count).map { try strings.bytes(at: $0)?.string ?? "" }
  }
}
