/// Strings or data longer than short ones: one array of all bytes with the ends of each (medium), or a node for each (big).
struct Blobs {
  /// What the bytes stand for.
  enum Content {
    /// Values of columns of data: as they are.
    case data
    /// Strings, and all that lies in mixed values: a 0 follows each.
    case terminated
  }

  private enum Layout {
    case medium(ends: IntegerArray, bytes: UnsafeRawBufferPointer, nulls: IntegerArray?)
    case big(References)
  }

  let node: Node
  private let content: Content
  private let form: StringForm
  private let layout: Layout
  private let space: NodeSpace
  let count: Int

  init(_ node: Node, _ content: Content, _ form: StringForm, _ space: NodeSpace) throws {
    let slots = try References(node)
    guard !node.isInner else { throw node.damage("an inner node where a leaf belongs") }
    self.node = node
    self.content = content
    self.form = form
    self.space = space
    if node.hasContext {
      layout = .big(slots)
      count = slots.count
      return
    }
    guard slots.count == 3 || form.isOld && slots.count == 2 else {
      throw node.damage("a leaf of medium values with \(slots.count) slots")
    }
    let ends = try space.integers(at: slots.reference(0))
    let bytes = try space.node(at: slots.reference(1)).byteArray()
    let nulls = slots.count == 3 ? try space.integers(at: slots.reference(2)) : nil
    guard nulls == nil || nulls?.count == ends.count else {
      throw node.damage("\(ends.count) values with \(nulls?.count ?? 0) flags")
    }
    layout = .medium(ends: ends, bytes: bytes, nulls: nulls)
    count = ends.count
  }

  /// Whether any number of values could be claimed without bytes.
  var isFree: Bool {
    switch layout {
    case .medium(let ends, _, _): ends.isFree
    case .big(let slots): slots.isFree
    }
  }

  /// Nil for null.
  func bytes(at index: Int) throws -> OfficialBytes? {
    switch layout {
    case .medium(let ends, let bytes, let nulls):
      let begin = index == 0 ? 0 : ends[index - 1]
      let end = ends[index]
      guard 0 <= begin, begin <= end, end <= Int64(bytes.count) else {
        throw node.damage("value \(index) lies at \(begin) to \(end) of \(bytes.count) bytes")
      }
      if isNull(nulls?[index]) { return nil }
      return try content(of: UnsafeRawBufferPointer(rebasing: bytes[Int(begin)..<Int(end)]), node)
    case .big(let slots):
      guard let reference = try slots.reference(ifAny: index) else { return nil }
      return try blob(reference)
    }
  }

  private func isNull(_ flag: Int64?) -> Bool {
    guard let flag else { return false }
    // Only flags of strings were ever the other way round.
    switch (form, content) {
    case (.oldNullable, .terminated): return flag == 0
    case (.oldRequired, .terminated): return false
    default: return flag != 0
    }
  }

  private func content(of bytes: UnsafeRawBufferPointer, _ node: Node) throws -> OfficialBytes {
    switch content {
    case .data: OfficialBytes(bytes)
    case .terminated: try OfficialBytes(bytes).unterminated(node)
    }
  }

  private func blob(_ reference: Int) throws -> OfficialBytes {
    let node = try space.node(at: reference)
    if !node.hasContext { return try content(of: node.byteArray(), node) }
    // Over 16 MB, in pieces and without a 0 at the end.
    let pieces = try References(node)
    return try OfficialBytes(
      joining: (0..<pieces.count).map { try space.node(at: pieces.reference($0)).byteArray() })
  }
}
