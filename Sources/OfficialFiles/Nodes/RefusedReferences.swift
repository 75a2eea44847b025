/// Makes a damaged file readable: references that lead out of the file, in circles, to a second parent or to something that is no node
/// are replaced in memory by a number that is no reference. A reader of such an element finds it damaged, and everything
/// else keeps the promise of `NodeClaims`.
///
/// Nodes nearer to the top claim their bytes first, so that a wrong reference far below takes nothing from them. Nodes that do not begin with
/// the four letters that engines write come last: a wrong reference usually leads there. A node whose header is nothing but zeros was
/// erased, and is refused.
///
/// Invariant: `memory` is the writable content that `space` reads.
struct RefusedReferences {
  private static let letters: UInt32 = 0x4141_4141

  private let space: NodeSpace
  private let memory: UnsafeMutableRawPointer
  private var claims: NodeClaims
  private var waiting: [Edge] = []
  private var doubtful: [Edge] = []

  private struct Edge {
    let parent: Node
    let slot: Int
    let reference: Int
  }

  /// Looks at all nodes that can be reached from one.
  ///
  /// - Throws: `Damage` when the top node itself is none.
  static func mark(
    _ space: NodeSpace, memory: UnsafeMutableRawPointer, from top: Int, emptyPages: Set<Int>
  ) throws {
    var references = RefusedReferences(space, memory, NodeClaims(space, emptyPages))
    if let elements = try references.claims.claim(top) { references.add(elements) }
    references.walk()
  }

  private init(_ space: NodeSpace, _ memory: UnsafeMutableRawPointer, _ claims: NodeClaims) {
    self.space = space
    self.memory = memory
    self.claims = claims
  }

  private mutating func walk() {
    var next = 0
    while true {
      if next == waiting.count {
        if doubtful.isEmpty { return }
        (waiting, doubtful, next) = (doubtful, [], 0)
      }
      let edge = waiting[next]
      next += 1
      do {
        if isErased(edge.reference) { throw Damage("a node was erased", at: edge.reference) }
        if let children = try claims.claim(edge.reference) { add(children) }
      } catch {
        refuse(edge)
      }
    }
  }

  private mutating func add(_ elements: References) {
    if elements.isFree { return }
    for slot in 0..<elements.count {
      let value = elements[slot]
      if value == 0 || value & 1 == 1 { continue }
      guard let reference = try? References.reference(value, elements.node) else { continue }
      let edge = Edge(parent: elements.node, slot: slot, reference: reference)
      if isDoubtful(reference) { doubtful.append(edge) } else { waiting.append(edge) }
    }
  }

  private func isDoubtful(_ reference: Int) -> Bool {
    guard hasHeader(reference) else { return true }
    return space.base.load(fromByteOffset: reference, as: UInt32.self) != Self.letters
  }

  private func isErased(_ reference: Int) -> Bool {
    hasHeader(reference) && space.base.load(fromByteOffset: reference, as: UInt64.self) == 0
  }

  private func hasHeader(_ reference: Int) -> Bool {
    reference % NodeSpace.alignment == 0 && reference <= space.end - Node.headerSize
  }

  private func refuse(_ edge: Edge) {
    let payload = memory + (edge.parent.reference + Node.headerSize)
    let width = edge.parent.width
    if width < 8 {
      let bit = edge.slot * width
      let mask = UInt8((1 << width) - 1) << UInt8(bit % 8)
      let former = payload.load(fromByteOffset: bit / 8, as: UInt8.self)
      let new = former & ~mask | UInt8(References.refused) << UInt8(bit % 8)
      payload.storeBytes(of: new, toByteOffset: bit / 8, as: UInt8.self)
      return
    }
    let size = width / 8
    for byte in 0..<size {
      payload.storeBytes(
        of: byte == 0 ? UInt8(References.refused) : 0, toByteOffset: edge.slot * size + byte, as: UInt8.self)
    }
  }
}
