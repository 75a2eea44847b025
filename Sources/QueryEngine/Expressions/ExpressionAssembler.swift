/// Builds an expression out of its parts in a loop, however deep the parts are nested where they come from.
///
/// A chain of one operator becomes one list and a double negation goes, so that only what really alternates is deep. That
/// is refused beyond a limit, since everything that is done with an expression later follows its depth.
package struct ExpressionAssembler {
  package enum Compound: Sendable {
    case and, or
  }

  /// How deep AND and OR in each other, and NOT, can be nested. A SUBQUERY counts as several levels.
  package static let depthLimit = 100

  /// How deep SUBQUERY, and lists, can be nested.
  package static let subqueryLimit = 20

  /// Expressions that wait for the compound that they are parts of.
  private var parts: [(expression: PredicateExpression, depth: Int)] = []

  package init() {}

  /// How many parts are waiting.
  package var count: Int { parts.count }

  /// Adds a constant or a comparison.
  ///
  /// - Throws: `PredicateError` for a SUBQUERY that is as deep as an expression can be.
  package mutating func append(_ expression: PredicateExpression) throws {
    parts.append((expression, expression.subqueryDepth))
    try checkDepth()
  }

  /// Makes the parts from a position on one.
  ///
  /// - Throws: `PredicateError` when that nests too deep.
  package mutating func join(_ compound: Compound, from start: Int) throws {
    if parts.count == start + 1 { return }
    let joined = parts[start...].map(\.expression)
    let depth = parts[start...].reduce(0) { max($0, $1.depth) }
    parts.removeSubrange(start...)
    parts.append((compound == .and ? .and(joined) : .or(joined), depth + 1))
    try checkDepth()
  }

  /// Negates the last part.
  ///
  /// - Throws: `PredicateError` when that nests too deep.
  package mutating func negate() throws {
    let (expression, depth) = parts.removeLast()
    if case .not(let operand) = expression {
      parts.append((operand, depth - 1))
    } else {
      parts.append((.not(expression), depth + 1))
      try checkDepth()
    }
  }

  /// The only part.
  package var expression: PredicateExpression { parts[0].expression }

  private func checkDepth() throws {
    if parts[parts.count - 1].depth > Self.depthLimit { throw Self.tooDeep }
  }

  static let tooDeep = PredicateError.invalidPredicate(
    "The predicate is nested too deeply: AND and OR in each other, and NOT, can be nested \(depthLimit) levels deep, SUBQUERY \(subqueryLimit)."
  )
}

// MARK: Trees

extension ExpressionAssembler {
  /// What a node of a tree of conditions is.
  package enum Node<Other> {
    case leaf(PredicateExpression)
    case compound(Compound, [Other], isNegated: Bool)
  }

  private enum Task<Other> {
    case visit(Other, within: Compound?)
    case join(Compound, from: Int)
    case negate
  }

  /// The expression of a tree that is nothing but a constant or a comparison.
  ///
  /// - Throws: `PredicateError` for a SUBQUERY that is too deep.
  package static func expression(ofLeaf leaf: PredicateExpression) throws -> PredicateExpression {
    if leaf.subqueryDepth > depthLimit { throw tooDeep }
    return leaf
  }

  /// The expression of a tree of another kind, whose nodes are looked into one by one.
  package static func expression<Other>(
    of root: Other, _ look: (Other) throws -> Node<Other>
  ) throws -> PredicateExpression {
    var assembler = ExpressionAssembler()
    if case .leaf(let expression) = try look(root) { return try self.expression(ofLeaf: expression) }
    var tasks: [Task<Other>] = [.visit(root, within: nil)]
    while let task = tasks.popLast() {
      switch task {
      case .join(let compound, let start): try assembler.join(compound, from: start)
      case .negate: try assembler.negate()
      case .visit(let node, let enclosing):
        switch try look(node) {
        case .leaf(let expression): try assembler.append(expression)
        case .compound(let compound, let operands, let isNegated):
          if isNegated { tasks.append(.negate) }
          // The operands of a chain's links are operands of the chain.
          if isNegated || compound != enclosing { tasks.append(.join(compound, from: assembler.count)) }
          for operand in operands.reversed() { tasks.append(.visit(operand, within: compound)) }
        }
      }
    }
    return assembler.expression
  }
}

extension PredicateExpression {
  /// How many levels of compounds the subqueries of a comparison have, with themselves.
  fileprivate var subqueryDepth: Int {
    guard case .comparison(let comparison) = self else { return depth }
    return max(Self.subqueryDepth(comparison.left), Self.subqueryDepth(comparison.right))
  }

  private static func subqueryDepth(_ operand: Operand) -> Int {
    guard case .subqueryCount(_, let inner) = operand else { return 0 }
    return inner.depth + ExpressionAssembler.depthLimit / ExpressionAssembler.subqueryLimit
  }

  /// Only called for what was assembled before, and so is not deep.
  private var depth: Int {
    switch self {
    case .constant: 0
    case .and(let operands), .or(let operands): 1 + operands.reduce(0) { max($0, $1.depth) }
    case .not(let operand): 1 + operand.depth
    case .comparison: subqueryDepth
    }
  }
}
