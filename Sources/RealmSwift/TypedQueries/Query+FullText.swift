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
