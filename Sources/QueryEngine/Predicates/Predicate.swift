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
  /// Two properties, one of which leads through a collection.
  case paths(PathComparison)
  /// A string in a property looked for in another one.
  case propertyText(PropertySource, TextOperator, StringOptions, PropertySource)
}
