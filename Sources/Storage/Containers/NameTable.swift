/// Where names stand in a list.
package struct NameTable: Sendable {
  /// Comparing that many short names takes less time than hashing one, and than it takes a process to make its first
  /// dictionary of strings: see `NumberTable`.
  private static let fewNames = 12

  private let names: ContiguousArray<String>
  /// Nil where there are few.
  private let places: [String: Int]?

  package init(_ names: [String]) {
    self.names = ContiguousArray(names)
    places =
      names.count <= Self.fewNames
      ? nil : Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The first place of a name.
  package subscript(_ name: String) -> Int? {
    if let places { return places[name] }
    return names.firstIndex(of: name)
  }

  /// Whether the name at a place stands before it, too.
  package func isRepeated(at place: Int) -> Bool { self[names[place]] != place }

  /// Whether a name has several places.
  package var hasRepeats: Bool { names.indices.contains { isRepeated(at: $0) } }
}
