extension Query where T: _HasPersistedType, T.PersistedType: _FullTextSearchable {
  /// Whether the words of the text satisfy a search. An addition to the official SDK for Swift; that for .NET has it
  /// under this name, and `contains`, which looks for any part of the text, does something else.
  ///
  ///     let heroes = dogs.where { $0.biography.fullTextSearch("rescue* -bear \"black forest\"") }
  ///
  /// The search is a list of words with spaces between; the text must have them all, in any order. `term*` is a word
  /// that begins with the term; `-term` excludes texts with the word. Words between quotation marks must follow each other;
  /// those of `NEAR(black forest, 5)` have at most so many others between them, 10 where nothing is said. Case and diacritics
  /// are ignored (see the format's `TEXT` operator, which is the same).
  /// A search without words finds nothing; one of exclusions only finds all texts without these words.
  ///
  /// The property must be declared with `@Persisted(fullText: true)`; otherwise the program stops.
  public func fullTextSearch(_ search: String) -> Query<Bool> {
    comparing(.fullText, search)
  }
}
