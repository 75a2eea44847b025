package import QueryEngine
package import Storage

/// The objects of a class that a subscription selects: a predicate that a file and the server evaluate with the same result.
///
/// It names properties by the names of their columns, so that it stays true when a migration moves a column.
package indirect enum SubscriptionCondition: Sendable, Hashable {
  case constant(Bool)
  case and([SubscriptionCondition])
  case or([SubscriptionCondition])
  case not(SubscriptionCondition)
  case value(SubscribedValue, ValueCondition)
}

/// The value that a subscription compares.
package struct SubscribedValue: Sendable, Hashable {
  package var property: String
  /// Whether the property is a link, and the value the primary key of its target.
  package var isKeyOfTarget: Bool

  package init(_ property: String, isKeyOfTarget: Bool = false) {
    self.property = property
    self.isKeyOfTarget = isKeyOfTarget
  }
}

/// The reason why a predicate cannot select what is synchronised.
package struct SubscriptionRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

extension SubscriptionCondition {
  /// Translates a predicate on the rows of a table.
  ///
  /// - Throws: `SubscriptionRefusal` for what the server does not evaluate, or evaluates with another result.
  package init(_ predicate: Predicate, table: Int, _ catalogue: Catalogue) throws {
    switch predicate {
    case .constant(let answer): self = .constant(answer)
    case .and(let operands): self = .and(try operands.map { try Self($0, table: table, catalogue) })
    case .or(let operands): self = .or(try operands.map { try Self($0, table: table, catalogue) })
    case .not(let operand): self = .not(try Self(operand, table: table, catalogue))
    case .value(.column(let number, let type), let condition):
      let column = catalogue.tables[table].columns[number]
      switch type {
      case .mixed:
        throw SubscriptionRefusal(
          "'\(column.name)' is a property of several types, which a subscription cannot use.")
      case .link:
        guard case .compare(_, .null) = condition else {
          throw SubscriptionRefusal(
            "A subscription cannot compare the link '\(column.name)' with an object: compare the primary key of its "
              + "target with a constant.")
        }
        self = try Self.leaf(SubscribedValue(column.name, isKeyOfTarget: true), condition)
      default: self = try Self.leaf(SubscribedValue(column.name), condition)
      }
    case .throughLink(let number, let target, .value(.column(let key, _), let condition), let whenNull):
      let column = catalogue.tables[table].columns[number]
      guard !catalogue.tables[target].isEmbedded, catalogue.tables[target].primaryKey == key,
        condition.matchesNull(type: catalogue.tables[target].columns[key].type) == whenNull
      else {
        throw SubscriptionRefusal(
          "A subscription cannot use a key path through '\(column.name)': of an object behind a link, only the primary "
            + "key can be compared.")
      }
      self = try Self.leaf(SubscribedValue(column.name, isKeyOfTarget: true), condition)
    default: throw SubscriptionRefusal("A subscription cannot use \(predicate.subscriptionText).")
    }
  }

  private static func leaf(_ value: SubscribedValue, _ condition: ValueCondition) throws -> Self {
    switch condition {
    case .negated(let inner): return .not(try leaf(value, inner))
    case .isInFolded: throw SubscriptionRefusal.folded(value)
    case .text(let text):
      if !text.options.isEmpty { throw SubscriptionRefusal.folded(value) }
      if text.operation == .fullText {
        throw SubscriptionRefusal(
          "A subscription cannot search for words, as it does in '\(value.property)': use CONTAINS, BEGINSWITH, ENDSWITH or LIKE."
        )
      }
      if text.pattern?.contains(0) == true { throw SubscriptionRefusal.zero(value) }
    case .compare(_, let constant): try check([constant], value)
    case .between(let lower, let upper): try check([lower, upper], value)
    case .isIn(let constants):
      if !constants.options.isEmpty { throw SubscriptionRefusal.folded(value) }
      try check(constants.values, value)
    }
    return .value(value, condition)
  }

  private static func check(_ constants: [Value], _ value: SubscribedValue) throws {
    for case .string(let text) in constants where text.utf8.contains(0) {
      throw SubscriptionRefusal.zero(value)
    }
  }
}

extension SubscriptionRefusal {
  fileprivate static func folded(_ value: SubscribedValue) -> SubscriptionRefusal {
    SubscriptionRefusal(
      "A subscription cannot ignore case or diacritics, as it does for '\(value.property)': leave out [c] and [d]."
    )
  }

  fileprivate static func zero(_ value: SubscribedValue) -> SubscriptionRefusal {
    SubscriptionRefusal(
      "A subscription cannot compare '\(value.property)' with a text that contains U+0000: the server stores no such text."
    )
  }
}

extension Predicate {
  /// What the predicate uses, for a message.
  fileprivate var subscriptionText: String {
    switch self {
    case .constant, .and, .or, .not: "this predicate"
    case .value(.row, _): "the object itself"
    case .value(.elementCount, _), .value(.backlinkCount, _), .value(.elementAggregate, _),
      .value(.targetAggregate, _):
      "an aggregate of a collection"
    case .value(.mapValue, _), .value(.nested, _), .someNested: "a subscript"
    case .value(.column, _): "this property"
    case .throughLink: "a key path through several links"
    case .someElement, .someTarget: "the elements of a collection or linking objects"
    case .targetCount: "SUBQUERY"
    case .within: "a geographic region"
    case .properties, .paths, .propertyText: "a comparison of two properties"
    }
  }
}

extension SubscriptionCondition {
  /// The condition as a predicate on the rows of a table; nil when the table lacks a property.
  func predicate(table: Int, _ catalogue: Catalogue) -> Predicate? {
    switch self {
    case .constant(let answer): return .constant(answer)
    case .and(let operands), .or(let operands):
      let predicates = operands.compactMap { $0.predicate(table: table, catalogue) }
      guard predicates.count == operands.count else { return nil }
      if case .and = self { return .and(predicates) }
      return .or(predicates)
    case .not(let operand): return operand.predicate(table: table, catalogue).map { .not($0) }
    case .value(let value, let condition):
      guard let number = catalogue.tables[table].column(named: value.property) else { return nil }
      let column = catalogue.tables[table].columns[number]
      if !value.isKeyOfTarget { return .value(.column(number, column.type), condition) }
      guard column.type == .link, let key = catalogue.tables[column.target].primaryKey else { return nil }
      let type = catalogue.tables[column.target].columns[key].type
      return .throughLink(
        column: number, target: column.target, .value(.column(key, type), condition),
        whenNull: condition.matchesNull(type: type))
    }
  }

  /// The properties that the condition names.
  package var properties: Set<String> {
    switch self {
    case .constant: []
    case .and(let operands), .or(let operands):
      operands.reduce(into: []) { $0.formUnion($1.properties) }
    case .not(let operand): operand.properties
    case .value(let value, _): [value.property]
    }
  }
}
