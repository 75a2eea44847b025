import Storage

/// Writes predicates as text with the names of properties, for people to read.
struct PredicateExplanation {
  let catalogue: Catalogue

  func text(_ predicate: Predicate, table: Int) -> String {
    switch predicate {
    case .and(let operands): return joined(operands, "AND", table)
    case .or(let operands): return joined(operands, "OR", table)
    case .not(let operand): return "NOT (" + text(operand, table: table) + ")"
    default: return conditionText(predicate, table: table)
    }
  }

  /// Returns the text of a predicate that is no compound. Compounds can be deep, and need less stack without this code.
  @inline(never)
  private func conditionText(_ predicate: Predicate, table: Int) -> String {
    switch predicate {
    case .constant(let answer): return answer ? "TRUE" : "FALSE"
    case .value(let source, let condition): return text(condition, of: text(source, table))
    case .throughLink(let column, let target, let inner, _):
      return name(table, column) + ".(" + text(inner, table: target) + ")"
    case .someElement(let column, let part, let condition):
      let part = if case .keys = part { ".@allKeys" } else { "" }
      return "ANY " + text(condition, of: name(table, column) + part)
    case .someTarget(let source, let inner):
      return "ANY " + text(source, table) + ".(" + text(inner, table: source.table) + ")"
    case .targetCount(let source, let inner, let condition):
      let subquery = "SUBQUERY(" + text(source, table) + ", " + text(inner, table: source.table) + ").@count"
      return text(condition, of: subquery)
    case .someNested(let column, let steps, let condition):
      return "ANY " + text(condition, of: text(.nested(column: column, steps), table))
    case .properties(let left, let comparison, let right):
      return text(left, table) + " " + comparison.symbol + " " + text(right, table)
    case .propertyText(let left, let operation, let options, let right):
      return text(left, table) + " " + operation.symbol + options.text + " " + text(right, table)
    case .paths(let comparison):
      let (left, right) = (text(comparison.left, table), text(comparison.right, table))
      let symbol =
        switch comparison.test {
        case .relation(let operation, _): operation.symbol
        case .text(let operation, let options): operation.symbol + options.text
        }
      return (comparison.isUniversal ? "ALL " : "ANY ") + left + " " + symbol + " " + right
    default: return "another condition"
    }
  }

  private func joined(_ operands: [Predicate], _ word: String, _ table: Int) -> String {
    operands.map { operand in
      switch operand {
      case .and, .or: "(" + text(operand, table: table) + ")"
      default: text(operand, table: table)
      }
    }.joined(separator: " \(word) ")
  }

  func name(_ table: Int, _ column: Int) -> String { catalogue.tables[table].columns[column].name }

  private func text(_ source: LinkSource, _ table: Int) -> String {
    switch source {
    case .collection(let column, _): name(table, column)
    case .backlinks(let origin, let column): "@links.\(catalogue.tables[origin].name).\(name(origin, column))"
    }
  }

  private func text(_ source: ScalarSource, _ table: Int) -> String {
    switch source {
    case .row: "SELF"
    case .column(let column, _): name(table, column)
    case .elementCount(let column): name(table, column) + ".@count"
    case .backlinkCount(let origin, let column):
      text(LinkSource.backlinks(table: origin, column: column), table) + ".@count"
    case .elementAggregate(let column, let operation, _): name(table, column) + operation.suffix
    case .targetAggregate(let source, let operation, let column, _):
      text(source, table) + operation.suffix + "." + name(source.table, column)
    case .mapValue(let column, let key, _): name(table, column) + "[\(Value.string(key).text)]"
    case .nested(let column, let steps): name(table, column) + steps.map(\.text).joined()
    }
  }

  func text(_ source: PropertySource, _ table: Int) -> String {
    var table = table
    var names: [String] = []
    for link in source.links {
      names.append(name(table, link.column))
      table = link.target
    }
    return (names + [text(source.source, table)]).joined(separator: ".")
  }

  private func text(_ path: PathSource, _ table: Int) -> String {
    var table = table
    var names: [String] = []
    for step in path.steps {
      switch step {
      case .link(let column, let target):
        names.append(name(table, column))
        table = target
      case .links(let source):
        names.append(text(source, table))
        table = source.table
      }
    }
    switch path.end {
    case .scalar(let source): names.append(text(source, table))
    case .elements(let column, let part):
      let suffix = if case .keys = part { ".@allKeys" } else { "" }
      names.append(name(table, column) + suffix)
    case .backlinks(let origin, let column):
      names.append(text(LinkSource.backlinks(table: origin, column: column), table))
    case .nestedAny(let column, let steps): names.append(text(.nested(column: column, steps), table))
    }
    return names.joined(separator: ".")
  }

  private func text(_ condition: ValueCondition, of subject: String) -> String {
    switch condition {
    case .compare(let comparison, let value): return "\(subject) \(comparison.symbol) \(value.text)"
    case .between(let lower, let upper): return "\(subject) BETWEEN {\(lower.text), \(upper.text)}"
    case .negated(let condition): return "NOT (" + text(condition, of: subject) + ")"
    case .isIn(let constants), .isInFolded(let constants):
      return "\(subject) IN\(constants.options.text) \(Self.list(constants.values))"
    case .text(let text):
      let pattern = text.pattern.map { Value.string(String(decoding: $0, as: UTF8.self)).text } ?? "NULL"
      return "\(subject) \(text.operation.symbol)\(text.options.text) \(pattern)"
    }
  }

  private static func list(_ values: [Value]) -> String {
    let shown = values.prefix(5).map(\.text).joined(separator: ", ")
    return values.count > 5 ? "{\(shown), … \(values.count.grouped) values}" : "{\(shown)}"
  }
}
