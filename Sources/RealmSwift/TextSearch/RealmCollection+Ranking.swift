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
  /// Objects of equal score keep the order of the collection. Excluded words do not affect the
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
    ranked(by: [_name(for: keyPath)], search, limit: limit)
  }

  /// Returns the objects that match a full-text search over several properties, in descending order of relevance.
  ///
  /// ```swift
  /// for found in dogs.ranked(by: [\.name, \.biography, \.owners[0].lastName], "snow forest", limit: 10) {
  ///   print(found.score, found.object.name)
  /// }
  /// ```
  ///
  /// Each term, phrase and `NEAR` of the search must be true of the text of some property, and an excluded one of none. A key
  /// path can lead through links (`\.author?.name`) and collections, where an index stands for all elements
  /// (`\.parts[0].text`).
  ///
  /// The score is the sum of the scores of the properties, each computed as by ``ranked(by:_:limit:)`` with one key path: a
  /// word counts the more, the fewer objects of the property's class have it in that property. The texts of all elements
  /// of a collection count as one, and an object that a key path leads to more than once counts once. Equally relevant objects keep the order of the collection.
  ///
  /// The result is not live. Cost: the search, and reading each text of the objects that it finds.
  ///
  /// Stops the program if a property is not declared with `@Persisted(fullText: true)`, or if the collection is unmanaged.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties with the texts, at least one.
  ///   - search: The search, in the syntax of `fullTextSearch`.
  ///   - limit: The maximum number of objects; nil for all.
  public func ranked(
    by keyPaths: [PartialKeyPath<Element>], _ search: String, limit: Int? = nil
  ) -> [RankedObject<Element>] {
    ranked(by: keyPaths.map { _name(for: $0) }, search, limit: limit)
  }

  /// Returns the objects that match a full-text search over several properties, in descending order of relevance. Takes key
  /// paths as strings, which dynamic objects need.
  ///
  /// ```swift
  /// let found = realm.dynamicObjects("Dog")
  ///   .ranked(by: ["name", "biography", "owners.lastName"], "snow forest")
  /// ```
  ///
  /// The result and its order are those of the form with Swift key paths.
  ///
  /// Stops the program if a property does not exist or has no full-text index, or if the collection is unmanaged.
  ///
  /// - Parameters:
  ///   - keyPaths: The names of the properties with the texts, at least one; dots lead to properties of other objects.
  ///   - search: The search, in the syntax of `fullTextSearch`.
  ///   - limit: The maximum number of objects; nil for all.
  public func ranked(
    by keyPaths: [String], _ search: String, limit: Int? = nil
  ) -> [RankedObject<Element>] {
    let query = _query
    let table = query.classTable.table.number
    return trapping { try query.rankedOrThrow(by: keyPaths, search, limit: limit) }.map { hit in
      RankedObject(
        object: Element._rlmElement(.link(table: table, row: hit.row), query.realm), score: hit.score)
    }
  }
}

extension ResultsCore {
  /// The rows whose text matches a search, in descending order of relevance.
  ///
  /// - Throws: `PredicateError` if a property does not exist or has no full-text index; `ProgrammerError` if the limit is
  ///   negative.
  func rankedOrThrow(by keyPaths: [String], _ search: String, limit: Int?) throws -> [TextRanking.Hit] {
    if let limit, limit < 0 { throw ProgrammerError.negativeArgument("limit") }
    let texts = try SearchedTexts(
      keyPaths.map { try PropertyPath(parsing: $0) }, table: classTable.table.number,
      catalogue: realm.snapshot.catalogue, lookup: realm.propertyLookup)
    return TextRanking(search, texts, in: realm.snapshot)
      .hits(among: selection, sortedBy: selectionOrder, limit: limit)
  }

  /// The sort keys that bring the rows of `selection` into the order of the results; none when nothing was sorted last.
  fileprivate var selectionOrder: [SortKey] {
    if case .sort(let keys)? = steps.last { keys } else { [] }
  }
}
