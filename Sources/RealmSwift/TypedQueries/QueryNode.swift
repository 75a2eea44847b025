import QueryEngine
import Storage

/// What a typed query says. Constants stay the Swift values that they are until the query meets a realm.
indirect enum QueryNode {
  enum Compound: String {
    case and = "&&"
    case or = "||"
  }

  case path(QueryPath)
  case constant(Any)
  case comparison(QueryNode, ComparisonOperator, QueryNode, StringOptions)
  case between(QueryNode, Any, Any)
  /// At least two operands. Chains are one node, so that a long one is not deep.
  case compound(Compound, OperandChain)
  case not(QueryNode)
  /// Several properties, as the left side of a full-text search.
  case texts([QueryPath])
  /// The paths of the condition that start at an element say so.
  case subqueryCount(collection: String, QueryNode)

  /// The path of no components, with which every query begins.
  // It holds no constant.
  static nonisolated(unsafe) let itself = QueryNode.path(QueryPath())

  /// `left && right` or `left || right`.
  static func joined(_ left: QueryNode, _ compound: Compound, _ right: QueryNode) -> QueryNode {
    if case .compound(compound, let operands) = left { return .compound(compound, operands.appending(right)) }
    return .compound(compound, OperandChain([left, right]))
  }

  var negated: QueryNode {
    if case .not(let operand) = self { operand } else { .not(self) }
  }

  var isToMany: Bool {
    if case .path(let path) = self { path.isToMany } else { false }
  }
}

/// The property path of a typed query, which knows where it passes through collections.
struct QueryPath {
  var components: [PropertyPath.Component] = []
  /// The positions of the components whose elements are meant: some of them has to satisfy a comparison.
  var collections: [Int] = []
  /// Whether it starts at the element that a subquery is about, instead of at the object.
  var startsAtElement = false

  var isToMany: Bool { !collections.isEmpty }
  var propertyPath: PropertyPath { PropertyPath(components) }

  func appending(_ added: [PropertyPath.Component], isCollection: Bool = false) -> QueryPath {
    var path = self
    path.components = components.isEmpty ? added : components + added
    if isCollection { path.collections.append(path.components.count - 1) }
    return path
  }

  /// The path to something of the last collection as a whole, instead of to its elements.
  func appendingToCollection(_ component: PropertyPath.Component) -> QueryPath {
    var path = self
    if path.collections.last == components.count - 1 { path.collections.removeLast() }
    path.components.append(component)
    return path
  }

  /// An aggregate of the last property, over the elements of the last collection before it.
  func aggregated(_ operation: CollectionOperation) -> QueryPath {
    var path = self
    let collection = path.collections.popLast()
    path.components.insert(.operation(operation), at: collection.map { $0 + 1 } ?? components.count)
    return path
  }
}

// MARK: Expressions

extension QueryNode {
  /// The condition with its constants converted.
  ///
  /// - Throws: `PredicateError` for objects of another realm.
  func expression(in realm: RealmCore?) throws -> PredicateExpression {
    switch self {
    case .compound, .not: try assembledExpression(in: realm)
    default: try ExpressionAssembler.expression(ofLeaf: condition(in: realm))
    }
  }

  private func assembledExpression(in realm: RealmCore?) throws -> PredicateExpression {
    try ExpressionAssembler.expression(of: self) { node in
      switch node {
      case .compound(.and, let operands): .compound(.and, operands.all, isNegated: false)
      case .compound(.or, let operands): .compound(.or, operands.all, isNegated: false)
      case .not(.path(let path)) where !path.isToMany: .leaf(try node.condition(in: realm))
      case .not(let operand): .compound(.and, [operand], isNegated: true)
      default: .leaf(try node.condition(in: realm))
      }
    }
  }

  /// Returns the expression of a node that is no compound.
  private func condition(in realm: RealmCore?) throws -> PredicateExpression {
    switch self {
    case .path(let path):
      return .comparison(
        ComparisonExpression(
          .keyPath(path.propertyPath), .equal, .value(.bool(true)), modifier: path.isToMany ? .any : nil))
    case .not(.path(let path)) where !path.isToMany:
      // As the official SDK has it: behind a null link a property is neither true nor false.
      return .comparison(
        ComparisonExpression(.keyPath(path.propertyPath), .equal, .value(.bool(false))))
    case .between(let subject, let lower, let upper):
      let bounds = Operand.list([try Operand(lower, in: realm), try Operand(upper, in: realm)])
      return .comparison(
        ComparisonExpression(
          try subject.operand(in: realm), .between, bounds, modifier: subject.isToMany ? .any : nil))
    case .comparison(let left, let comparison, let right, let options):
      // A collection on the right of IN is meant as a whole.
      let isToMany = left.isToMany || (right.isToMany && comparison != .isIn)
      return .comparison(
        ComparisonExpression(
          try left.operand(in: realm), comparison, try right.operand(in: realm),
          options: .init(rawValue: options.rawValue), modifier: isToMany ? .any : nil))
    case .constant, .texts, .subqueryCount, .compound, .not: trap("The expression is not a condition.")
    }
  }

  private func operand(in realm: RealmCore?) throws -> Operand {
    switch self {
    case .path(let path): .keyPath(path.propertyPath)
    case .constant(let value): try Operand(value, in: realm)
    case .texts(let paths): .list(paths.map { .keyPath($0.propertyPath) })
    case .subqueryCount(let collection, let condition):
      .subqueryCount(
        collection: PropertyPath(properties: [collection]), predicate: try condition.expression(in: realm))
    case .comparison, .between, .compound, .not: trap("A condition cannot be compared.")
    }
  }
}

// MARK: Subqueries

extension QueryNode {
  /// The condition as it reads from inside one element of the collection that its paths start with, whose name is
  /// set.
  func insideCollection(_ name: inout String?) -> QueryNode {
    replacingConditions { $0.conditionInsideCollection(&name) }
  }

  /// Rewrites a node that is no compound for the elements of a collection.
  private func conditionInsideCollection(_ name: inout String?) -> QueryNode {
    switch self {
    case .path(let path): return .path(path.insideCollection(&name))
    case .texts(let paths): return .texts(paths.map { $0.insideCollection(&name) })
    // The subquery's own paths have their own collection.
    case .constant, .subqueryCount, .not, .compound: return self
    case .between(let subject, let lower, let upper):
      return .between(subject.insideCollection(&name), lower, upper)
    case .comparison(let left, let comparison, let right, let options):
      let (left, right) = (left.insideCollection(&name), right.insideCollection(&name))
      if comparison == .isIn, case .path(let path) = right, !path.isToMany {
        // That a value is among the elements reads, from inside one, that it is the element.
        return .comparison(right, .equal, left, options)
      }
      return .comparison(left, comparison, right, options)
    }
  }
}

extension QueryPath {
  fileprivate func insideCollection(_ name: inout String?) -> QueryPath {
    for component in components {
      switch component {
      case .key: trap("Subqueries do not support map subscripts.")
      case .index, .anyElement: trap("Subqueries do not support AnyRealmValue subscripts.")
      case .property, .operation: break
      }
    }
    guard collections.first == 0, case .property(let collection)? = components.first else { return self }
    name = collection
    // The values of a map are its elements.
    let dropped = components.dropFirst().first == .operation(.allValues) ? 2 : 1
    return QueryPath(
      components: Array(components.dropFirst(dropped)),
      collections: collections.dropFirst().map { $0 - dropped },
      startsAtElement: true)
  }
}
