package import Storage

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
