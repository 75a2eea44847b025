/// Values of any type: a word for each, which has the value or says where in one of the payload arrays it is.
///
/// ```
/// value or index (signed)   payload array   type + 1
/// 63 ………………… 8             7 6 5           4 … 0
/// ```
///
/// 0 is null. Payload arrays, in the slots of the node: 1 wide integers and floating-point bits, 2 pairs of integers,
/// 3 bytes, 4 references of collections (since format 24).
struct MixedValues {
  private let node: Node
  private let words: IntegerArray
  private let integers: IntegerArray?
  private let pairs: IntegerArray?
  private let bytes: Strings?
  private let collections: References?
  private let context: ValueContext
  /// How many collections the values are in.
  private let depth: Int

  init(_ node: Node, _ context: ValueContext, depth: Int) throws {
    let space = context.space
    let slots = try References(node)
    guard slots.count >= 4, !node.isInner else { throw node.damage("this is no leaf of mixed values") }
    self.node = node
    self.context = context
    self.depth = depth
    words = try space.integers(at: slots.reference(0))
    integers = try slots.reference(ifAny: 1).map { try space.integers(at: $0) }
    pairs = try slots.reference(ifAny: 2).map { try space.integers(at: $0) }
    bytes = try slots.reference(ifAny: 3).map { try Strings(space.node(at: $0), .current, space) }
    collections = slots.count < 5 ? nil : try slots.reference(ifAny: 4).map { try space.references(at: $0) }
  }

  var count: Int { words.count }
  var isFree: Bool { words.isFree }

  func value(at index: Int) throws -> OfficialValue {
    let word = words[index]
    if word == 0 { return .null }
    let value = word >> 8
    switch word & 31 - 1 {
    case 0: return .int(word >> 5 & 7 == 0 ? value : try integer(value))
    case 1: return .bool(value != 0)
    case 2: return .string(try payload(value))
    case 4: return .data(try payload(value))
    case 8: return try date(value)
    case 9: return OfficialValue(floatBits: UInt64(bitPattern: try integer(value)))
    case 10: return OfficialValue(doubleBits: UInt64(bitPattern: try integer(value)))
    case 11:
      let (low, high) = try pair(value)
      let bits = DecimalBits(nullable: UInt64(bitPattern: high), UInt64(bitPattern: low))
      return bits.map(OfficialValue.init) ?? .null
    case 12: return try context.link(to: try integer(value))
    case 15: return .objectId(try payload(value, size: 12))
    case 16:
      let (table, key) = try pair(value)
      return try context.link(toTable: table, key)
    case 17: return .uuid(try payload(value, size: 16))
    case 19: return .collection(try collection(.list, value))
    case 21: return .collection(try collection(.dictionary, value))
    case let type: throw node.damage("a mixed value of type \(type)")
    }
  }

  private func integer(_ index: Int64) throws -> Int64 {
    guard let integers else { throw missing }
    return try integers.element(index)
  }

  private func pair(_ index: Int64) throws -> (Int64, Int64) {
    guard let pairs else { throw missing }
    // The index has 56 bits.
    return (try pairs.element(2 * index), try pairs.element(2 * index + 1))
  }

  private func date(_ index: Int64) throws -> OfficialValue {
    let (seconds, nanoseconds) = try pair(index)
    return OfficialValue(try Timestamp(seconds, nanoseconds, at: node.reference))
  }

  private func payload(_ index: Int64, size: Int? = nil) throws -> OfficialBytes {
    guard let bytes, let payload = try bytes.element(index) else { throw missing }
    if let size, payload.count != size { throw node.damage("an id of \(payload.count) bytes") }
    return payload
  }

  private func collection(_ type: OfficialCollectionType, _ index: Int64) throws -> OfficialCollection {
    guard let collections else { throw missing }
    guard depth < OfficialCollection.deepestNesting else {
      throw node.damage("collections are nested too deeply")
    }
    return OfficialCollection(
      type, reference: try collections.reference(ifAnyAt: index), context, depth: depth + 1)
  }

  private var missing: Damage { node.damage("a mixed value without its content") }
}
