import QueryEngine
import Storage

/// An object that a full-text search has found, with its score.
public struct RankedObject<Element> {
  /// The object.
  public let object: Element
  /// The relevance of the object's text, greater than 0. Comparable only with scores of the same search.
  public let score: Double
}

extension RankedObject: Sendable where Element: Sendable {}

extension RealmCollection where Element: ObjectBase {
  /// Returns the objects whose text matches a full-text search, in descending order of relevance.
  ///
  /// ```swift
  /// for found in trails.ranked(by: \.notes, "scree* bridge", limit: 10) {
  ///   print(found.score, found.object.name)
  /// }
  /// ```
  ///
  /// The score is BM25, with the average length of the matching texts: it rises with the frequency of the
  /// words in the text, and falls with the number of texts that contain them and with the length of the text.
  /// Objects of equal score are in the order in which they were added. Excluded words do not affect the
  /// score.
  ///
  /// The result is not live. Cost: the search, and reading each text that it finds.
  ///
  /// Stops the program if the property is not declared with `@Persisted(fullText: true)`, or if the
  /// collection is unmanaged.
  ///
  /// - Parameters:
  ///   - keyPath: The property with the text.
  ///   - search: The search, in the syntax of `fullTextSearch`.
  ///   - limit: The maximum number of objects; nil for all.
  public func ranked<Text: _HasPersistedType>(
    by keyPath: KeyPath<Element, Text>, _ search: String, limit: Int? = nil
  ) -> [RankedObject<Element>] where Text.PersistedType: _FullTextSearchable {
    let query = _query
    let classTable = query.classTable
    let name = _name(for: keyPath)
    guard let column = classTable.column(named: name),
      let ranking = TextRanking(FullTextSearch(search), classTable.table, column: column)
    else {
      trap(
        "Property '\(classTable.className).\(name)' has no full-text index, which a search for words needs: declare it with '@Persisted(fullText: true)'."
      )
    }
    if let limit, limit < 0 { trap("Cannot pass a negative value for 'limit'.") }
    return ranking.hits(among: query.selection, limit: limit).map { hit in
      RankedObject(
        object: Element._rlmElement(.link(table: classTable.table.number, row: hit.row), query.realm),
        score: hit.score)
    }
  }
}
