/// The elements of a node that may have references: each is nothing (0), a reference (even) or a number (odd).
struct References {
  private let elements: IntegerArray
  let node: Node

  init(_ node: Node) throws {
    guard node.hasReferences else { throw node.damage("numbers where references belong") }
    self.node = node
    elements = try IntegerArray(elementsOf: node)
  }

  var count: Int { elements.count }
  var isFree: Bool { elements.isFree }

  func damage(_ what: String) -> Damage { node.damage(what) }

  /// The element as it lies there.
  subscript(slot: Int) -> Int64 { elements[slot] }

  func isNumber(_ slot: Int) -> Bool { elements[slot] & 1 == 1 }

  /// Nil for nothing.
  func reference(ifAny slot: Int) throws -> Int? {
    let value = try elements.element(Int64(slot))
    return value == 0 ? nil : try Self.reference(value, node)
  }

  func reference(_ slot: Int) throws -> Int {
    guard let reference = try reference(ifAny: slot) else { throw damage("slot \(slot) is empty") }
    return reference
  }

  /// Of an element at a place that the file names; nil for nothing.
  func reference(ifAnyAt index: Int64) throws -> Int? {
    let value = try elements.element(index)
    return value == 0 ? nil : try Self.reference(value, node)
  }

  func number(_ slot: Int) throws -> Int {
    let value = try elements.element(Int64(slot))
    guard value & 1 == 1 else { throw damage("slot \(slot) should be a number") }
    return Int(UInt64(bitPattern: value) >> 1)
  }

  /// Stands for a reference that leads to no sound node, in a file that is salvaged (`RefusedReferences`): even, and no multiple of 8.
  static let refused: Int64 = 2

  /// What an element that is not 0 leads to.
  static func reference(_ value: Int64, _ node: Node) throws -> Int {
    if value == refused { throw node.damage("a reference leads to no sound node") }
    guard value > 0, value % Int64(NodeSpace.alignment) == 0 else {
      throw node.damage("\(value) is no reference")
    }
    return Int(value)
  }
}
