import QueryEngine

@testable import Storage

/// Random predicates that fit the tables of the oracle test.
struct RandomExpressions {
  var values: RandomValues
  let catalogue: Catalogue

  mutating func expression(depth: Int, table: Int) -> PredicateExpression {
    switch values.below(depth > 0 ? 8 : 5) {
    case 5: return .and((0..<2 + values.below(2)).map { _ in expression(depth: depth - 1, table: table) })
    case 6: return .or((0..<2 + values.below(2)).map { _ in expression(depth: depth - 1, table: table) })
    case 7: return .not(expression(depth: depth - 1, table: table))
    default: return comparison(table: table)
    }
  }

  private mutating func comparison(table: Int) -> PredicateExpression {
    if table == 1 { return scalar(table: 1, prefix: []) }
    switch values.below(16) {
    case 0: return scalar(table: 1, prefix: [.property("link")])
    case 1:
      return scalar(
        table: 1, prefix: [.property(["links", "linkMap"][values.below(2)])], modifier: elementModifier())
    case 2:
      return scalar(
        table: 1, prefix: [.property(["owners", "holders"][values.below(2)])], modifier: elementModifier())
    case 3: return count()
    case 4: return elements()
    case 5: return aggregate()
    case 6: return subquery()
    case 7: return link()
    case 8: return properties()
    case 9: return map()
    default: return scalar(table: 0, prefix: [])
    }
  }

  private mutating func elementModifier() -> ElementModifier { [.any, .any, .none, .all][values.below(4)] }

  private mutating func scalarColumn(_ table: Int) -> Column {
    let columns = catalogue.tables[table].columns.filter { $0.collection == .none && $0.type != .link }
    return columns[values.below(columns.count)]
  }

  /// A comparison of a property with a constant.
  private mutating func scalar(
    table: Int, prefix: [PropertyPath.Component], modifier: ElementModifier? = nil
  ) -> PredicateExpression {
    let column = scalarColumn(table)
    return condition(
      PropertyPath(prefix + [.property(column.name)]), column.type, name: column.name, modifier: modifier)
  }

  private mutating func constant(_ type: ValueType, _ name: String) -> Operand {
    if values.chance(8) { return .value(.null) }
    switch name {
    case "narrow": return .value(.int(Int64(98 + values.below(24))))
    case "wide": return .value(.int(Int64(values.below(60_000))))
    case "color": return .value(.string(["red", "green", "blue", "pink", "RED", "e"][values.below(6)]))
    case "indexed", "plain": return .value(.int(Int64(values.below(210))))
    case "indexedName", "plainName": return .value(.string("n\(values.below(110))"))
    default: return .value(values.value(type))
    }
  }

  private mutating func options() -> StringOptions { StringOptions(rawValue: Int8(values.below(4))) }

  private mutating func condition(
    _ path: PropertyPath, _ type: ValueType, name: String, modifier: ElementModifier?
  ) -> PredicateExpression {
    var operators: [ComparisonOperator] = [.equal, .equal, .notEqual, .isIn]
    let isText = type == .string || type == .data || type == .mixed
    let isNumber = [.int, .float, .double, .decimal128, .date, .mixed].contains(type)
    if isText || isNumber { operators += [.less, .lessOrEqual, .greater, .greaterOrEqual] }
    if isNumber { operators += [.between] }
    if isText { operators += [.beginsWith, .endsWith, .contains, .contains, .like] }
    let comparison = operators[values.below(operators.count)]
    var right: Operand
    var options: StringOptions = []
    switch comparison {
    case .isIn:
      right = .list((0..<values.below(6)).map { _ in constant(type, name) })
      if values.chance(20) { right = .list((0..<40).map { _ in constant(type, name) }) }
      if isText && values.chance(4) { options = self.options() }
    case .between:
      var bounds = (0..<2).map { _ in constant(type, name) }
      while bounds.contains(.value(.null)) { bounds = (0..<2).map { _ in constant(type, name) } }
      right = .list(bounds)
    case .beginsWith, .endsWith, .contains, .like:
      right = values.chance(10) ? .value(.null) : .value(type == .data ? values.value(.data) : pattern(name))
      options = self.options()
      if comparison == .like { options.remove(.diacriticInsensitive) }
    case .equal, .notEqual:
      right = constant(type, name)
      if isText && values.chance(3) { options = self.options() }
    default: right = constant(type, name)
    }
    return .comparison(
      ComparisonExpression(.keyPath(path), comparison, right, options: options, modifier: modifier))
  }

  private mutating func pattern(_ name: String) -> Value {
    switch values.below(5) {
    case 0: return .string("*" + values.string() + "*")
    case 1: return .string("?" + values.string())
    case 2: return name == "color" ? .string("re") : .string("n1")
    default: return .string(String(values.string().prefix(3)))
    }
  }

  private mutating func ordering() -> ComparisonOperator {
    [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual][values.below(6)]
  }

  private mutating func count() -> PredicateExpression {
    let names: [[PropertyPath.Component]] = [
      [.property("links")], [.property("intList")], [.property("stringMap")], [.property("owners")],
      [.property("link"), .property("things")], [.property("intSet")],
      [.property("link"), .property("linkers")],
    ]
    let path = PropertyPath(names[values.below(names.count)] + [.operation(.count)])
    let number: Value = values.chance(5) ? .double(1.5) : .int(Int64(values.below(4)))
    return .comparison(ComparisonExpression(.keyPath(path), ordering(), .value(number)))
  }

  private mutating func elements() -> PredicateExpression {
    let columns = catalogue.tables[0].columns.filter { $0.collection != .none && $0.type != .link }
    let column = columns[values.below(columns.count)]
    let path = PropertyPath([.property(column.name)])
    if values.chance(4) {
      return .comparison(ComparisonExpression(constant(column.type, ""), .isIn, .keyPath(path)))
    }
    return condition(path, column.type, name: "", modifier: elementModifier())
  }

  private mutating func aggregate() -> PredicateExpression {
    let operation: CollectionOperation = [.minimum, .maximum, .sum, .average][values.below(4)]
    let paths: [PropertyPath] = [
      PropertyPath([.property("intList"), .operation(operation)]),
      PropertyPath([.property("doubleList"), .operation(operation)]),
      PropertyPath([.property("links"), .operation(operation), .property("age")]),
      PropertyPath([.property("holders"), .operation(operation), .property("weight")]),
      PropertyPath([.property("link"), .property("linkers"), .operation(operation), .property("narrow")]),
    ]
    let number: Value = values.chance(3) ? .double(values.double()) : .int(Int64(values.below(10)))
    let constant = operation != .sum && values.chance(6) ? Value.null : number
    return .comparison(
      ComparisonExpression(.keyPath(paths[values.below(paths.count)]), ordering(), .value(constant)))
  }

  private mutating func subquery() -> PredicateExpression {
    let paths = [
      PropertyPath(properties: ["links"]), PropertyPath(properties: ["linkMap"]),
      PropertyPath(properties: ["owners"]), PropertyPath(properties: ["holders"]),
    ]
    let inner = expression(depth: 1, table: 1)
    return .comparison(
      ComparisonExpression(
        .subqueryCount(collection: paths[values.below(paths.count)], predicate: inner), ordering(),
        .value(.int(Int64(values.below(3))))))
  }

  private mutating func link() -> PredicateExpression {
    let target: Operand =
      values.chance(6)
      ? .value(.null)
      : values.chance(6) ? .detachedObject : .value(.link(table: 1, row: values.below(150)))
    let comparison: ComparisonOperator = values.chance(2) ? .equal : .notEqual
    switch values.below(4) {
    case 0:
      return .comparison(
        ComparisonExpression(
          .keyPath(PropertyPath(properties: ["links"])), comparison, target, modifier: elementModifier()))
    case 1:
      return .comparison(
        ComparisonExpression(
          .keyPath(PropertyPath(properties: ["owners"])), comparison, target, modifier: elementModifier()))
    case 2:
      let list = (0..<5).map { _ in Operand.value(.link(table: 1, row: values.below(150))) }
      return .comparison(
        ComparisonExpression(.keyPath(PropertyPath(properties: ["link"])), .isIn, .list(list)))
    default:
      return .comparison(
        ComparisonExpression(.keyPath(PropertyPath(properties: ["link"])), comparison, target))
    }
  }

  private mutating func properties() -> PredicateExpression {
    let pairs: [(PropertyPath, PropertyPath, Bool)] = [
      (PropertyPath(properties: ["int"]), PropertyPath(properties: ["intOptional"]), false),
      (PropertyPath(properties: ["narrow"]), PropertyPath(properties: ["wide"]), false),
      (PropertyPath(properties: ["double"]), PropertyPath(properties: ["doubleOptional"]), false),
      (PropertyPath(properties: ["string"]), PropertyPath(properties: ["stringOptional"]), true),
      (PropertyPath(properties: ["stringOptional"]), PropertyPath(properties: ["link", "name"]), true),
      (PropertyPath(properties: ["link", "age"]), PropertyPath(properties: ["int"]), false),
      (PropertyPath([.property("links"), .operation(.count)]), PropertyPath(properties: ["int"]), false),
    ]
    let (left, right, isText) = pairs[values.below(pairs.count)]
    if isText && values.chance(2) {
      let comparison: ComparisonOperator = [.beginsWith, .endsWith, .contains, .like, .equal, .notEqual][
        values.below(6)]
      var options = self.options()
      if comparison == .like { options.remove(.diacriticInsensitive) }
      return .comparison(
        ComparisonExpression(.keyPath(left), comparison, .keyPath(right), options: options))
    }
    return .comparison(ComparisonExpression(.keyPath(left), ordering(), .keyPath(right)))
  }

  private mutating func map() -> PredicateExpression {
    switch values.below(4) {
    case 0:
      return condition(
        PropertyPath([.property("stringMap"), .key(["a", "b", "x"][values.below(3)])]), .string, name: "",
        modifier: nil)
    case 1:
      let path = PropertyPath([.property("stringMap"), .operation(.allKeys)])
      let comparison: ComparisonOperator = [.equal, .notEqual, .beginsWith][values.below(3)]
      return .comparison(
        ComparisonExpression(
          .keyPath(path), comparison, .value(.string(["a", "b", "x"][values.below(3)])),
          modifier: elementModifier()
        ))
    case 2:
      return condition(
        PropertyPath([.property("stringMap"), .operation(.allValues)]), .string, name: "",
        modifier: elementModifier())
    default:
      var steps: [PropertyPath.Component] = [.property("mixed")]
      for _ in 0...values.below(2) {
        steps.append([.index(0), .index(-1), .index(1), .key("a"), .key("b"), .anyElement][values.below(6)])
      }
      return condition(PropertyPath(steps), .mixed, name: "", modifier: nil)
    }
  }
}
