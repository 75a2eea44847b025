extension Query where T: _HasPersistedType, T.PersistedType: _FullTextSearchable {
  /// Returns a condition that is true if the words of the text match a full-text search. An addition to the
  /// official SDK for Swift; the SDK for .NET has it under this name. To search for any substring, use
  /// `contains`.
  ///
  /// ```swift
  /// let rocky = trails.where { $0.notes.fullTextSearch("scree* -ladder \"wooden bridge\"") }
  /// ```
  ///
  /// The search is a list of words separated by spaces; the text must contain all of them, in any order.
  /// `term*` is a word with the prefix; `-term` excludes texts with the word. Words in quotation marks must
  /// follow each other (phrase); the words of `NEAR(wooden bridge, 5)` have at most 5 other words between
  /// them, by default 10. Case and diacritics are ignored. The `TEXT` operator of predicate syntax is
  /// equivalent. A search without words finds nothing; a search with exclusions only finds all texts without
  /// these words.
  ///
  /// Stops the program unless the property is declared with `@Persisted(fullText: true)`.
  public func fullTextSearch(_ search: String) -> Query<Bool> {
    comparing(.fullText, search)
  }
}

extension Query where T: ObjectBase {
  /// Returns a condition that is true if several properties together match a full-text search: each word must occur in one
  /// of them.
  ///
  /// ```swift
  /// let mentioned = dogs.where {
  ///   $0.fullTextSearch("snow forest", in: $0.name, $0.biography, $0.owners.lastName)
  /// }
  /// ```
  ///
  /// The search has the syntax of ``fullTextSearch(_:)``. Each of its terms, phrases and `NEAR`s must be true of the text
  /// of some property, and an excluded one of none. Properties of linked and embedded objects, and of the objects of a
  /// collection, are searched, too: all texts that an object leads to count as its texts. In predicate formats this is
  /// `{name, biography, owners.lastName} TEXT 'snow forest'`.
  ///
  /// Stops the program unless the properties are declared with `@Persisted(fullText: true)`.
  public func fullTextSearch<Text: _HasPersistedType, each Further: _HasPersistedType>(
    _ search: String, in text: Query<Text>, _ further: repeat Query<each Further>
  ) -> Query<Bool>
  where Text.PersistedType: _FullTextSearchable, repeat (each Further).PersistedType: _FullTextSearchable {
    .searching(search, in: text, repeat each further)
  }
}

extension Query where T: OptionalProtocol, T.Wrapped: ObjectBase {
  /// Returns a condition on the objects of a map that is true if several properties together match a full-text search:
  /// each word must occur in one of them.
  ///
  /// Stops the program unless the properties are declared with `@Persisted(fullText: true)`.
  public func fullTextSearch<Text: _HasPersistedType, each Further: _HasPersistedType>(
    _ search: String, in text: Query<Text>, _ further: repeat Query<each Further>
  ) -> Query<Bool>
  where Text.PersistedType: _FullTextSearchable, repeat (each Further).PersistedType: _FullTextSearchable {
    .searching(search, in: text, repeat each further)
  }
}

extension Query where T == Bool {
  fileprivate static func searching<each Text>(
    _ search: String, in texts: repeat Query<each Text>
  ) -> Query<Bool> {
    var paths: [QueryPath] = []
    for text in repeat each texts { paths.append(text.path) }
    return Query<Bool>(.comparison(.texts(paths), .fullText, .constant(search), []))
  }
}
