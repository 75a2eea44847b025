import Foundation
import QueryEngine
import Storage

/// Writes a typed query as a format string with its arguments.
struct QueryFormatString {
  private(set) var text = ""
  private(set) var arguments: [Any] = []
  private var subqueryCount = 0
  /// The numbers of the subqueries around.
  private var subqueries: [Int] = []

  init(_ node: QueryNode) { appendCondition(node) }

  // MARK: Conditions

  /// What is still to be written. Compounds are written in a loop, however deep they are.
  private enum Task {
    case text(String)
    /// `isNegated` goes inside the parenthesis of a comparison.
    case condition(QueryNode, isNegated: Bool)
  }

  private mutating func appendCondition(_ node: QueryNode) {
    var tasks: [Task] = [.condition(node, isNegated: false)]
    while let task = tasks.popLast() {
      switch task {
      case .text(let added): text += added
      case .condition(.not(let operand), let isNegated):
        tasks.append(.condition(operand, isNegated: !isNegated))
      case .condition(.compound(let compound, let operands), let isNegated):
        text += (isNegated ? "NOT " : "") + String(repeating: "(", count: operands.count - 1)
        for (position, operand) in operands.all.enumerated().reversed() {
          if position > 0 { tasks.append(.text(")")) }
          tasks.append(.condition(operand, isNegated: false))
          if position > 0 { tasks.append(.text(" \(compound.rawValue) ")) }
        }
      case .condition(let node, let isNegated): append(comparison: node, isNegated: isNegated)
      }
    }
  }

  private mutating func append(comparison node: QueryNode, isNegated: Bool) {
    let negation = isNegated ? "NOT " : ""
    switch node {
    case .path(let path) where path.isToMany && isNegated:
      text += "(" + negation
      append(path)
      text += " == true)"
    case .path(let path):
      append(path)
      text += isNegated ? " == false" : " == true"
    case .between(let subject, let lower, let upper):
      text += "(" + negation
      appendOperand(subject)
      text += " BETWEEN {"
      append(constant: lower)
      text += ", "
      append(constant: upper)
      text += "})"
    case .comparison(let left, let comparison, let right, let options):
      text += "(" + negation
      appendOperand(left)
      text += " \(comparison.rawValue)\(QueryEngine.StringOptions(rawValue: options.rawValue).text) "
      // A collection on the right of IN is meant as a whole.
      if comparison == .isIn, case .path(let path) = right {
        append(path, isWhole: true)
      } else {
        appendOperand(right)
      }
      text += ")"
    case .constant, .texts, .subqueryCount, .not, .compound: appendOperand(node)
    }
  }

  // MARK: Operands

  private mutating func appendOperand(_ node: QueryNode) {
    switch node {
    case .path(let path): append(path)
    case .constant(let value): append(constant: value)
    case .texts(let paths):
      text += "{"
      for (position, path) in paths.enumerated() {
        if position > 0 { text += ", " }
        append(path, isWhole: true)
      }
      text += "}"
    case .subqueryCount(let collection, let condition):
      subqueryCount += 1
      text += "SUBQUERY(\(collection), $col\(subqueryCount), "
      subqueries.append(subqueryCount)
      appendCondition(condition)
      subqueries.removeLast()
      text += ").@count"
    case .comparison, .between, .compound, .not: appendCondition(node)
    }
  }

  private mutating func append(constant value: Any) {
    text += "%@"
    arguments.append(Coercion.unwrap(value) ?? NSNull())
  }

  private mutating func append(_ path: QueryPath, isWhole: Bool = false) {
    if path.isToMany && !isWhole { text += "ANY " }
    var isFirst = true
    if path.startsAtElement, let number = subqueries.last {
      text += "$col\(number)"
      isFirst = false
    } else if path.components.isEmpty {
      text += "SELF"
    }
    for component in path.components {
      switch component {
      case .property(let name): text += (isFirst ? "" : ".") + name
      case .operation(let operation): text += (isFirst ? "" : ".") + operation.rawValue
      case .key(let key):
        text += "[%@]"
        arguments.append(key)
      case .index(let index):
        text += "[%@]"
        arguments.append(index)
      case .anyElement:
        text += "[%K]"
        arguments.append("#any")
      }
      isFirst = false
    }
  }
}
