package import Storage

/// A condition on the rows of one table, with every name resolved to a column.
package indirect enum Predicate: Sendable, Hashable {
  case constant(Bool)
  case and([Predicate])
  case or([Predicate])
  case not(Predicate)
  /// One value of the row.
  case value(ScalarSource, ValueCondition)
  /// The row that a to-one link points to; `whenNull` is the answer where it points to none.
  case throughLink(column: Int, target: Int, Predicate, whenNull: Bool)
  /// Some element of a collection of plain values, or some key of a map.
  case someElement(column: Int, ElementPart, ValueCondition)
  /// Some row that a collection of links, or a back link, leads to.
  case someTarget(LinkSource, Predicate)
  /// How many rows that a collection of links leads to satisfy a condition.
  case targetCount(LinkSource, Predicate, ValueCondition)
  /// Some value that a path with a wildcard finds inside a mixed value.
  case someNested(column: Int, [NestedStep], ValueCondition)
  /// The row holds a point of a region, by the convention of GeoJSON.
  case within(PointColumns, SphericalRegion)
  /// Two values of the row, each perhaps of another row that links lead to.
  case properties(PropertySource, RelationalOperator, PropertySource)
  /// A string in a property looked for in another one.
  case propertyText(PropertySource, TextOperator, StringOptions, PropertySource)
}

/// One value of a row.
package enum ScalarSource: Sendable, Hashable {
  /// The row itself, as a link.
  case row(table: Int)
  case column(Int, ValueType)
  /// The number of elements of a collection column, or of a back link.
  case elementCount(column: Int)
  case backlinkCount(table: Int, column: Int)
  /// An aggregate over a collection of plain values.
  case elementAggregate(column: Int, AggregateOperation, ValueType)
  /// An aggregate over one property of the rows that a collection of links leads to.
  case targetAggregate(LinkSource, AggregateOperation, column: Int, ValueType)
  /// The value under a key of a map.
  case mapValue(column: Int, key: String, ValueType)
  /// A value inside a mixed value.
  case nested(column: Int, [NestedStep])

  /// The type of the values, which decides how they compare.
  package var type: ValueType {
    switch self {
    case .row: .link
    case .column(_, let type): type
    case .elementCount, .backlinkCount: .int
    case .elementAggregate(_, let operation, let type), .targetAggregate(_, let operation, _, let type):
      operation.resultType(for: type)
    case .mapValue, .nested: .mixed
    }
  }
}

/// One value of a row that a chain of to-one links leads to.
package struct PropertySource: Sendable, Hashable {
  package struct Link: Sendable, Hashable {
    package var column: Int
    package var target: Int
  }
  package var links: [Link]
  package var source: ScalarSource

  package init(links: [Link] = [], source: ScalarSource) {
    self.links = links
    self.source = source
  }
}

/// A property that leads to several rows.
package enum LinkSource: Sendable, Hashable {
  /// A list, set or map of links.
  case collection(column: Int, target: Int)
  /// The rows of another table whose column links to this row.
  case backlinks(table: Int, column: Int)

  /// The table of the rows it leads to.
  package var table: Int {
    switch self {
    case .collection(_, let target): target
    case .backlinks(let table, _): table
    }
  }
}

/// What of a collection is looked at.
package enum ElementPart: Sendable, Hashable {
  case values(ValueType)
  case keys
}

/// One step into the lists and dictionaries of a mixed value.
package enum NestedStep: Sendable, Hashable {
  case key(String)
  /// -1 is the last element.
  case index(Int)
  case anyElement
}

/// The aggregates of a collection.
public enum AggregateOperation: Sendable, Hashable {
  case minimum, maximum, sum, average

  /// The type that the aggregate of a column of some type has.
  func resultType(for type: ValueType) -> ValueType {
    switch self {
    case .minimum, .maximum: type
    case .sum:
      switch type {
      case .float: .double
      case .mixed: .decimal128
      default: type
      }
    case .average: type == .decimal128 || type == .mixed ? .decimal128 : .double
    }
  }
}
