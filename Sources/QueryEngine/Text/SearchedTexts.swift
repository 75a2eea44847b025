package import Storage

/// The properties that one full-text search covers. The texts of linked and embedded objects are among them.
///
/// Each part of the search must be true of some text, whichever property has it; an excluded part must be true of none.
/// A part is a term, a phrase or a `NEAR`.
package struct SearchedTexts {
  let table: Int
  let paths: [ResolvedPath]

  /// Looks up properties by their paths.
  ///
  /// - Throws: `PredicateError` for an unknown property, and for one without a full-text index.
  package init(
    _ paths: [PropertyPath], table: Int, catalogue: Catalogue, lookup: @escaping PropertyLookup
  ) throws {
    try self.init(paths, table: table, PathResolver(catalogue: catalogue, lookup: lookup))
  }

  init(_ paths: [PropertyPath], table: Int, _ resolver: PathResolver) throws {
    self.table = table
    if paths.isEmpty { throw PredicateError.noSearchedText }
    self.paths = try paths.map { path in
      let path = try resolver.resolve(path, table: table)
      try path.checkFullText()
      return path
    }
  }

  /// The condition that a search finds a row.
  package func predicate(_ search: String) -> Predicate {
    if paths.count == 1, !paths[0].isToMany { return some(TextCondition(.fullText, Array(search.utf8))) }
    let (required, excluded) = FullTextSearch.parts(of: search)
    let parts = required.map(some) + excluded.map { .not(some($0)) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  /// The condition that something is true of some text.
  private func some(_ condition: TextCondition) -> Predicate {
    let alternatives = paths.map { $0.predicate(.text(condition)) }
    return alternatives.count == 1 ? alternatives[0] : .or(alternatives)
  }
}

// MARK: Resolution

extension ResolvedPath {
  /// Verifies that the path leads to texts with an index of their words.
  func checkFullText() throws {
    guard type == .string else {
      throw PredicateError.operatorNotSupported(ComparisonOperator.fullText.rawValue, type: type.name)
    }
    guard isFullText else { throw PredicateError.notFullText("\(className).\(propertyName)") }
  }
}

extension ComparisonExpression {
  /// Returns the paths of `{title, author.name} TEXT 'words'`; nil for other comparisons.
  ///
  /// - Throws: `PredicateError` for a list of something else than key paths.
  func pathsOfSeveralTexts() throws -> [PropertyPath]? {
    guard comparison == .fullText, case .list(let elements) = left else { return nil }
    if modifier != nil { throw PredicateError.modifiedSearch }
    let paths = try elements.map { element in
      guard case .keyPath(let path) = element else { throw PredicateError.noSearchedText }
      return path
    }
    if paths.isEmpty { throw PredicateError.noSearchedText }
    return paths
  }

  /// Returns the search on the right side.
  ///
  /// - Throws: `PredicateError` for modifiers, and for a right side that is no string.
  func preparedSearch() throws -> PreparedSearch {
    if !options.isEmpty { throw PredicateError.searchWithModifiers }
    guard let search else { throw PredicateError.searchNotConstant }
    return search
  }
}

extension PredicateError {
  static let noSearchedText = PredicateError.invalidPredicate(
    "A search over several properties requires at least one key path, and nothing but key paths: {title, author.name} TEXT 'words'."
  )
  static let modifiedSearch = PredicateError.invalidPredicate(
    "A search over several properties takes no ANY, ALL or NONE: it covers the texts of all elements. Write NOT before it to exclude what it finds."
  )
}
