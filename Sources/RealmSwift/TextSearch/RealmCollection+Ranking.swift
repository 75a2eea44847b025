import QueryEngine
import Storage

/// An object that a search for words has found.
public struct RankedObject<Element> {
  /// The object.
  public let object: Element
  /// How relevant its text is, above 0: comparable with others of the same search only.
  public let score: Double
}

extension RankedObject: Sendable where Element: Sendable {}

extension RealmCollection where Element: ObjectBase {
  /// The objects whose text a search for words finds, the most relevant first.
  ///
  ///     for found in dogs.ranked(by: \.biography, "rescue* forest", limit: 10) {
  ///       print(found.score, found.object.name)
  ///     }
  ///
  /// A text is the more relevant the more often it has the words, the fewer texts have them, and the shorter it is: BM25,
  /// with the average length of the texts that were found. Equally relevant ones come in the order in which they were
  /// added. What is excluded from a search has no part in the score.
  ///
  /// The result does not change with the realm. Cost: that of the search and of reading each text that it finds.
  ///
  /// Stops the program when the property is not declared with `@Persisted(fullText: true)`, or the collection is in memory.
  ///
  /// - Parameters:
  ///   - keyPath: The property with the text.
  ///   - search: In the language of `fullTextSearch`.
  ///   - limit: How many are wanted; all when it is nil.
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
