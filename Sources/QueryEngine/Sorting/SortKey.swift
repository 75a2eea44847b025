package import Storage

/// A property by which rows are sorted, or by which distinct rows are found.
package struct SortKey: Sendable, Hashable {
  package var source: PropertySource
  package var isAscending: Bool

  package init(_ source: PropertySource, isAscending: Bool = true) {
    self.source = source
    self.isAscending = isAscending
  }

  /// Reads a key path: property names with dots between, over to-one links, perhaps ending in the key of a map as in
  /// `scores[maths]`, or in an aggregate of a collection as in `dogs.@count`.
  ///
  /// - Throws: `PredicateError` in the words of the official SDK.
  package init(
    keyPath: String, isAscending: Bool = true, table: Int, catalogue: Catalogue, lookup: PropertyLookup? = nil
  ) throws {
    self.isAscending = isAscending
    source = try SortKeyPath(
      text: keyPath, catalogue: catalogue, lookup: lookup ?? catalogue.columnLookup
    ).resolve(table: table)
  }
}
