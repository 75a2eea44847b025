package import Storage

/// What rows are grouped by: the value of a property, or the period that it lies in.
package struct GroupKey: Sendable, Hashable {
  package var source: PropertySource
  /// For dates; the key is then the start of the period.
  package var part: DatePart?

  package init(_ source: PropertySource, part: DatePart? = nil) {
    self.source = source
    self.part = part
  }

  /// Reads a key path, as that of a ``SortKey``.
  package init(
    keyPath: String, part: DatePart?, table: Int, catalogue: Catalogue, lookup: @escaping PropertyLookup
  ) throws {
    source = try SortKeyPath(text: keyPath, catalogue: catalogue, lookup: lookup, isGrouping: true)
      .resolve(table: table)
    self.part = part
  }
}
