/// The operands of a chain of `&&` or of `||`.
///
/// A chain that is written, or built in a loop, operand by operand shares one array with its beginnings, so that adding one
/// takes the same time however long it is. Like queries themselves, chains are used by one thread at a time.
struct OperandChain {
  /// Holds more operands than the chain has when a longer one was made of it.
  private let storage: Storage
  let count: Int

  private final class Storage {
    var operands: [QueryNode]

    init(_ operands: [QueryNode]) { self.operands = operands }

    /// The storage of a compound's operands, negated or not.
    static func storage(of node: consuming QueryNode) -> Storage? {
      var node = node
      while case .not(let operand) = node { node = operand }
      guard case .compound(_, let operands) = node else { return nil }
      return operands.storage
    }

    /// Takes chains in chains apart in a loop: releasing them one in the other would follow their depth.
    deinit {
      var rest = operands
      operands = []
      while !rest.isEmpty {
        guard var inner = Self.storage(of: rest.removeLast()), isKnownUniquelyReferenced(&inner) else {
          continue
        }
        rest += inner.operands
        inner.operands = []
      }
    }
  }

  init(_ operands: [QueryNode]) {
    storage = Storage(operands)
    count = operands.count
  }

  private init(_ storage: Storage) {
    self.storage = storage
    count = storage.operands.count
  }

  var all: [QueryNode] {
    count == storage.operands.count ? storage.operands : Array(storage.operands[..<count])
  }

  func appending(_ operand: QueryNode) -> OperandChain {
    guard count == storage.operands.count else { return OperandChain(all + [operand]) }
    storage.operands.append(operand)
    return OperandChain(storage)
  }
}

extension QueryNode {
  /// The node with other conditions in the place of all that are no compounds.
  func replacingConditions(_ replacement: (QueryNode) -> QueryNode) -> QueryNode {
    enum Task {
      case visit(QueryNode)
      case join(Compound, from: Int)
      case negate
    }
    var done: [QueryNode] = []
    var tasks = [Task.visit(self)]
    while let task = tasks.popLast() {
      switch task {
      case .negate: done.append(.not(done.removeLast()))
      case .join(let compound, let start):
        let operands = Array(done[start...])
        done.removeSubrange(start...)
        done.append(.compound(compound, OperandChain(operands)))
      case .visit(.not(let operand)): tasks += [.negate, .visit(operand)]
      case .visit(.compound(let compound, let operands)):
        tasks.append(.join(compound, from: done.count))
        tasks += operands.all.reversed().map(Task.visit)
      case .visit(let condition): done.append(replacement(condition))
      }
    }
    return done[0]
  }
}
